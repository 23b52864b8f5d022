/** What alert rules still know when names, competitors or measuring rules have changed since they remembered it. */
import type { ScanId } from "../ids.ts"
import type { TrackedSet } from "../tracking/TrackedSet.ts"
import type { AlertMemory, RuleMemory } from "./evaluateAlerts.ts"
import { below, comparable, type ComparableScan, isAhead } from "./evidence.ts"

/**
 * Of what one rule remembers of several scans that which counts for the last of `scans`: of the newest that can be
 * compared with it. Scans of other questions may lie between.
 */
export const lastRemembered = <R extends { readonly scanId: ScanId }>(
  remembered: ReadonlyArray<R>,
  scans: ReadonlyArray<ComparableScan>
): { readonly remembered: R; readonly scan: ComparableScan } | undefined =>
  scans.toReversed().flatMap((scan) =>
    remembered.filter(({ scanId }) => scanId === scan.scanId).map((one) => ({ remembered: one, scan }))
  ).find(({ scan }) => comparable(scan, scans.at(-1)!))

/** The scan that a memory is of, with the names and the scores that it had then. */
export interface RememberedThen extends Pick<ComparableScan, "sov" | "competitors"> {
  readonly set: TrackedSet
}

/**
 * What a rule's memory of a scan says now; nothing where the scan itself has to say it. Pass `then` where that scan was
 * measured otherwise when it was remembered: names that still exist keep what is known of them, unless the new measurement
 * of that scan alone puts them on the other side; of a name that is new, and after that, the scan itself says it.
 * `threshold`: that of `sov_drop`.
 */
export const recall = (
  { memory, rule }: RuleMemory,
  scan: ComparableScan,
  then: RememberedThen | null,
  now: TrackedSet,
  threshold: number | null
): Partial<AlertMemory> => {
  if (memory === null) return {}
  if (then === null) return { [rule]: memory }
  if (then.set.brand.name !== now.brand.name) return {}
  switch (rule) {
    case "sov_drop":
      return below(then.sov, threshold!) === below(scan.sov, threshold!) ? { sov_drop: memory } : {}
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
