/**
 * What changed between the answers to one question in two scans, and how often the same happens where nothing has
 * changed.
 */

/** What each sample of a cell has: names that it mentions, or sources that it cites. */
export type Samples = ReadonlyArray<ReadonlySet<string>>

/** In how many of a scan's samples something is. */
export interface SeenIn {
  readonly seen: number
  readonly samples: number
}

/** Something that the answers of one scan have more often than those of the other. */
export interface PresenceChange {
  readonly item: string
  readonly kind: "in" | "out"
  readonly before: SeenIn
  readonly after: SeenIn
  /**
   * Whether samples of one unchanged world differ as much in more than 5 % of cases (Fisher's exact test, two-sided).
   */
  readonly withinNoise: boolean
}

const maxChance = 0.05

/** ln n! */
const logFactorial = (n: number): number => {
  let log = 0
  for (let i = 2; i <= n; i++) log += Math.log(i)
  return log
}

/**
 * The probability that `seen` of the `samples` then have it, where `all` of those of both scans do (hypergeometric).
 */
const chanceOf = (seen: number, samples: number, others: number, all: number): number => {
  const choose = (n: number, k: number) =>
    k < 0 || k > n ? -Infinity : logFactorial(n) - logFactorial(k) - logFactorial(n - k)
  return Math.exp(choose(samples, seen) + choose(others, all - seen) - choose(samples + others, all))
}

/** Fisher's exact test of two counts, two-sided: the chance of tables that are no more likely than this one. */
export const fisherTest = (then: SeenIn, now: SeenIn): number => {
  const all = then.seen + now.seen
  const found = chanceOf(then.seen, then.samples, now.samples, all)
  let chance = 0
  for (let seen = 0; seen <= Math.min(all, then.samples); seen++) {
    const one = chanceOf(seen, then.samples, now.samples, all)
    // Equal ones differ by rounding
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

/** What is in more, or fewer, of the samples now than then; the largest difference first. */
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

/** How much the samples of two scans differ: 0 where all have the same, 1 where they have nothing in common. */
export const measureDistance = (before: Samples, after: Samples): number => {
  const items = [...itemsOf([...before, ...after])]
  if (items.length === 0) return 0
  return items.reduce(
    (sum, item) => sum + Math.abs(shareOf(countSeen(before, item)) - shareOf(countSeen(after, item))),
    0
  ) /
    items.length
}

/** Fewer unchanged cells than this say nothing at the 5 % level. */
const minUnchanged = 19

/**
 * Whether a cell has changed by more than noise: whether at most 5 % of unchanged cells differ as much, by the rank of
 * its distance among theirs. Null where there are too few of them.
 */
export const isBeyondNoise = (distance: number, unchanged: ReadonlyArray<number>): boolean | null => {
  if (unchanged.length < minUnchanged) return null
  const asFar = unchanged.filter((one) => one >= distance - 1e-9).length
  return (asFar + 1) / (unchanged.length + 1) <= maxChance
}

/**
 * How many of the items of either scan came or went, over pairs of samples between which nothing is known to have
 * changed.
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
