/**
 * Spans of time in which a worker looked after a platform, oldest first: `[from, to]` in milliseconds since 1970. Time
 * without any worker is in none of them: who waits for a platform cannot have waited in it.
 */
export type Watch = ReadonlyArray<readonly [from: number, to: number]>

/** Looks that come sooner after the last one that counted do not: each that does is kept. */
const shortestStepMs = 5_000
/** Two looks that are further apart than this had nobody between them. */
const longestGapMs = 30_000
const mostSpans = 50

/** With a look at `now`: it goes on from the last one, or begins a span. */
export const lookedAt = (watch: Watch, now: number): Watch => {
  const last = watch.at(-1)
  if (last === undefined || now < last[0]) return [[now, now]]
  if (now - last[1] < shortestStepMs) return watch
  if (now - last[1] <= longestGapMs) return [...watch.slice(0, -1), [last[0], now]]
  const [first, second, ...others] = watch
  // Of many spans the two oldest become one, as long as both: nothing that was waited is forgotten
  const kept = watch.length < mostSpans || first === undefined || second === undefined
    ? watch
    : [[second[0] - (first[1] - first[0]), second[1]] as const, ...others]
  return [...kept, [now, now]]
}

/** How much of the time since `since` somebody looked, in milliseconds. */
export const watchedMs = (watch: Watch, since: number): number =>
  watch.reduce((sum, [from, to]) => sum + Math.max(0, to - Math.max(from, since)), 0)
