/** What the rules remember about earlier scans, and how this memory is adapted when names or measuring rules change. */
import type { ScanId } from "../ids.ts"
import type { TrackedSet } from "../tracking/TrackedSet.ts"
import type { AlertMemory, RuleMemory } from "./evaluateAlerts.ts"
import { areScansComparable, type ComparableScan, isAhead, isBelow } from "./evidence.ts"

/**
 * Finds the memory of the newest of `scans` that is comparable with the last of them; skips scans that are not, such as
 * scans of other questions.
 */
export const findLastRemembered = <R extends { readonly scanId: ScanId }>(
  remembered: ReadonlyArray<R>,
  scans: ReadonlyArray<ComparableScan>
): { readonly remembered: R; readonly scan: ComparableScan } | undefined =>
  scans.toReversed().flatMap((scan) =>
    remembered.filter(({ scanId }) => scanId === scan.scanId).map((one) => ({ remembered: one, scan }))
  ).find(({ scan }) => areScansComparable(scan, scans.at(-1)!))

/** The names and scores of a remembered scan at the time its memory was stored. */
export interface FormerMeasurement extends Pick<ComparableScan, "sov" | "competitors"> {
  readonly set: TrackedSet
}

/**
 * Adapts a rule's memory of a scan to the current names; returns an empty state if the rule can derive its state from
 * the scan itself. `then` is the measurement of the scan when the memory was stored; null if it has not changed. A
 * tracked name keeps its state unless the new measurement alone moves it to the other side. The state of a new name is
 * derived from the scan. `threshold` is that of `sov_drop`.
 */
export const adaptMemory = (
  { memory, rule }: RuleMemory,
  scan: ComparableScan,
  then: FormerMeasurement | null,
  now: TrackedSet,
  threshold: number | null
): Partial<AlertMemory> => {
  if (memory === null) return {}
  // Untracked names do not depend on the measurement of the scan
  if (then === null || rule === "new_competitor") return { [rule]: memory }
  if (then.set.brand.name !== now.brand.name) return {}
  switch (rule) {
    case "sov_drop":
      return isBelow(then.sov, threshold!) === isBelow(scan.sov, threshold!) ? { sov_drop: memory } : {}
    case "competitor_overtake": {
      const ahead = now.competitors.filter(({ id, name }) => {
        const known = then.set.competitors.find((one) => one.name === name)
        return known !== undefined && isAhead(then, known.id) === isAhead(scan, id)
          ? memory.ahead.includes(known.id)
          : isAhead(scan, id)
      })
      return { competitor_overtake: { ahead: ahead.map(({ id }) => id) } }
    }
    case "new_mention":
      return {}
  }
}
