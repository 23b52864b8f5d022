/** What alert rules still know when names, competitors or measuring rules have changed since they remembered it. */
import type { TrackedSet } from "../TrackedSet.ts"
import type { AlertMemory, RuleMemory } from "./evaluateAlerts.ts"
import { below, comparable, isAhead, type WatchedScan } from "./evidence.ts"

/** The scan that a memory is of, with the names and the scores that it had then. */
export interface RememberedThen extends Pick<WatchedScan, "sov" | "competitors"> {
  readonly set: TrackedSet
}

/**
 * What a rule's memory says of the scan it is of, for the scan that has just completed (the last of `scans`); null where
 * it says nothing, because the two scans cannot be compared. Pass `then` where that scan was measured otherwise when it
 * was remembered: names that still exist keep what is known of them, unless the new measurement of that scan alone puts
 * them on the other side; of a name that is new, and after that, the scan itself says it. `threshold`: that of `sov_drop`.
 */
export const recall = (
  remembered: { readonly memory: RuleMemory; readonly scan: WatchedScan | undefined },
  current: WatchedScan,
  then: RememberedThen | null,
  now: TrackedSet,
  threshold: number | null
): Partial<AlertMemory> => {
  const { memory: { memory, rule }, scan } = remembered
  if (scan === undefined || memory === null || !comparable(scan, current)) return {}
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
