/** What a rule remembers of earlier scans, and how it is adapted when names, competitors or measuring rules change. */
import type { ScanId } from "../ids.ts"
import type { TrackedSet } from "../tracking/TrackedSet.ts"
import type { AlertMemory, RuleMemory } from "./evaluateAlerts.ts"
import { areScansComparable, type ComparableScan, isAhead, isBelow } from "./evidence.ts"

/**
 * The memory that counts for the last of `scans`: that of the newest scan that is comparable with it. Scans of other
 * questions may lie between.
 */
export const findLastRemembered = <R extends { readonly scanId: ScanId }>(
  remembered: ReadonlyArray<R>,
  scans: ReadonlyArray<ComparableScan>
): { readonly remembered: R; readonly scan: ComparableScan } | undefined =>
  scans.toReversed().flatMap((scan) =>
    remembered.filter(({ scanId }) => scanId === scan.scanId).map((one) => ({ remembered: one, scan }))
  ).find(({ scan }) => areScansComparable(scan, scans.at(-1)!))

/** The scan of a memory as it was measured when the memory was kept: names and scores. */
export interface FormerMeasurement extends Pick<ComparableScan, "sov" | "competitors"> {
  readonly set: TrackedSet
}

/**
 * A rule's memory of a scan under the present names; empty where the state follows from the scan itself. `then` is how
 * that scan was measured when the memory was kept, null where that has not changed. A name that still exists keeps its
 * state, unless the new measurement of that scan alone puts it on the other side; a new name takes its state from the
 * scan. `threshold` is that of `sov_drop`.
 */
export const adaptMemory = (
  { memory, rule }: RuleMemory,
  scan: ComparableScan,
  then: FormerMeasurement | null,
  now: TrackedSet,
  threshold: number | null
): Partial<AlertMemory> => {
  if (memory === null) return {}
  // Names that nobody tracks do not depend on how the scan was measured
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
