/** Combines several views into one number by weights that the user chose. Without weights, views are never combined. */
import type { Interval } from "./intervals.ts"

/** A view's share, and the weight that the user gives it. */
export interface WeighedShare {
  readonly weight: number
  readonly sov: number
  readonly interval: Interval | null
}

/**
 * The weighted mean of shares, 0–100; weights are positive and need not add up to 1. Its bounds are the weighted means
 * of the bounds: the standard deviation of a weighted sum is at most the weighted sum of the deviations (Minkowski),
 * however the views are correlated, so the interval is rather too wide than too narrow. Null if a view has no interval.
 */
export const poolShares = (
  shares: ReadonlyArray<WeighedShare>
): { readonly sov: number; readonly interval: Interval | null } => {
  const total = shares.reduce((sum, { weight }) => sum + weight, 0)
  const mean = (of: (share: WeighedShare) => number) =>
    shares.reduce((sum, share) => sum + share.weight * of(share), 0) / total
  return {
    sov: mean(({ sov }) => sov),
    interval: shares.some(({ interval }) => interval === null)
      ? null
      : { low: mean(({ interval }) => interval!.low), high: mean(({ interval }) => interval!.high) }
  }
}
