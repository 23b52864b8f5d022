/**
 * Compares the answers to one question in two scans. A difference counts only if it is larger than the differences
 * between scans without any change.
 */

/** The items of each sample of a cell: mentioned names or cited sources. */
export type Samples = ReadonlyArray<ReadonlySet<string>>

/** In how many of a scan's samples an item occurs. */
export interface SeenIn {
  readonly seen: number
  readonly samples: number
}

/** An item that occurs more often in the answers of one scan than in those of the other. */
export interface PresenceChange {
  readonly item: string
  readonly kind: "in" | "out"
  readonly before: SeenIn
  readonly after: SeenIn
  /**
   * Whether chance alone causes this difference in more than 5 % of cases (Fisher's exact test, two-sided).
   */
  readonly withinNoise: boolean
}

const maxChance = 0.05

/** ln(n!) */
const logFactorial = (n: number): number => {
  let log = 0
  for (let i = 2; i <= n; i++) log += Math.log(i)
  return log
}

/**
 * The hypergeometric probability that `seen` of `samples` have an item, if `all` of `samples` and `others` together
 * have it.
 */
const chanceOf = (seen: number, samples: number, others: number, all: number): number => {
  const choose = (n: number, k: number) =>
    k < 0 || k > n ? -Infinity : logFactorial(n) - logFactorial(k) - logFactorial(n - k)
  return Math.exp(choose(samples, seen) + choose(others, all - seen) - choose(samples + others, all))
}

/**
 * Fisher's exact test of two counts, two-sided: the probability of all tables that are not more likely than the
 * observed.
 */
export const fisherTest = (then: SeenIn, now: SeenIn): number => {
  const all = then.seen + now.seen
  const found = chanceOf(then.seen, then.samples, now.samples, all)
  let chance = 0
  for (let seen = 0; seen <= Math.min(all, then.samples); seen++) {
    const one = chanceOf(seen, then.samples, now.samples, all)
    // Probabilities that are equal may differ by rounding
    if (one <= found * (1 + 1e-9)) chance += one
  }
  return Math.min(1, chance)
}

const countSeen = (samples: Samples, item: string): SeenIn => ({
  seen: samples.filter((one) => one.has(item)).length,
  samples: samples.length
})

const itemsOf = (samples: Samples): ReadonlySet<string> => new Set(samples.flatMap((one) => [...one]))

const shareOf = ({ samples, seen }: SeenIn): number => samples === 0 ? 0 : seen / samples

const differenceOf = ({ after, before }: PresenceChange): number => Math.abs(shareOf(after) - shareOf(before))

/** The items that occur in more or fewer samples now than before, sorted by descending difference. */
export const comparePresence = (before: Samples, after: Samples): ReadonlyArray<PresenceChange> =>
  [...itemsOf([...before, ...after])].flatMap((item): ReadonlyArray<PresenceChange> => {
    const [then, now] = [countSeen(before, item), countSeen(after, item)]
    const difference = shareOf(now) - shareOf(then)
    if (difference === 0) return []
    const kind = difference > 0 ? "in" : "out"
    return [{ item, kind, before: then, after: now, withinNoise: fisherTest(then, now) > maxChance }]
  }).toSorted((a, b) =>
    differenceOf(b) - differenceOf(a) ||
    (a.item < b.item ? -1 : 1)
  )

/** The distance of the samples of two scans: 0 if all are the same, 1 if they have nothing in common. */
export const measureDistance = (before: Samples, after: Samples): number => {
  const items = [...itemsOf([...before, ...after])]
  if (items.length === 0) return 0
  return items.reduce(
    (sum, item) => sum + Math.abs(shareOf(countSeen(before, item)) - shareOf(countSeen(after, item))),
    0
  ) /
    items.length
}

/** Minimum number of unchanged cells for a test at the 5 % level. */
const minUnchanged = 19

/**
 * Whether a cell has changed beyond noise: at most 5 % of unchanged cells have such a distance. Null if there are too
 * few unchanged cells.
 */
export const isBeyondNoise = (distance: number, unchanged: ReadonlyArray<number>): boolean | null => {
  if (unchanged.length < minUnchanged) return null
  const asFar = unchanged.filter((one) => one >= distance - 1e-9).length
  return (asFar + 1) / (unchanged.length + 1) <= maxChance
}

/**
 * Counts the items of either scan, and those whose share differs, over pairs of samples without a known change.
 */
export const countTurnover = (
  pairs: ReadonlyArray<{ readonly before: Samples; readonly after: Samples }>
): { readonly changed: number; readonly of: number } => {
  let changed = 0
  let of = 0
  for (const { after, before } of pairs) {
    for (const item of itemsOf([...before, ...after])) {
      of++
      if (shareOf(countSeen(before, item)) !== shareOf(countSeen(after, item))) changed++
    }
  }
  return { changed, of }
}
