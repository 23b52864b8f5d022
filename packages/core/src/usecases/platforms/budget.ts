import { Effect, Semaphore } from "effect"
import { periodEnd, periodStart, quotaPeriod } from "../../domain/organizations/Quota.ts"
import { assumedCost } from "../../domain/platforms/Cost.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import type { CellFailure } from "../../ports/CellStore.ts"
import { UsageStore } from "../../ports/UsageStore.ts"

/** How often the sum is read from the database, in milliseconds. In between, this process adds its own replies. */
const readEveryMs = 10_000

/** Tolerance for sums of binary fractions: ten times 0.3 is a little less than 3. */
const roundingUsd = 1e-9

/** `12.3` → "$12.30". */
const formatUsd = (amount: number): string => `$${amount.toFixed(2)}`

type PricedPlatform = Pick<AnswerPlatform, "id" | "prices">

/** The cost of the UTC month of `at` on a platform, and the cost assumed for a reply that states none. */
const readMonthUsage = Effect.fnUntraced(function*({ id, prices }: PricedPlatform, at: Date) {
  const usage = yield* UsageStore
  const spent = yield* usage.spentSince(id, periodStart(quotaPeriod(at)))
  const recent = (yield* usage.recent(false)).find(({ platform }) => platform === id)
  return { ...spent, eachUsd: assumedCost(prices, recent?.mean ?? null) }
})

/**
 * US dollars spent on a platform in the UTC month of `at`, as its budget counts them: a reply of unknown cost counts
 * with the expected cost, if prices or other answers provide one.
 */
export const readMonthSpending = Effect.fn("readMonthSpending")(function*(platform: PricedPlatform, at: Date) {
  const { costUsd, eachUsd, unpriced } = yield* readMonthUsage(platform, at)
  return costUsd + unpriced * (eachUsd ?? 0)
})

/**
 * Tracks the spending of all organizations on a platform in the current UTC month. If the caller checks `reached`
 * before each call, only the calls in flight can exceed the budget.
 */
export const makeBudget = (platform: AnswerPlatform) => {
  const { id, monthlyBudgetUsd, simulated } = platform
  const limit = simulated ? undefined : monthlyBudgetUsd
  const mutex = Semaphore.makeUnsafe(1)
  let period = ""
  let readAt = 0
  let spent: Effect.Success<ReturnType<typeof readMonthUsage>> = { costUsd: 0, unpriced: 0, eachUsd: null }
  /** Recorded since the last read began. */
  let recorded = { costUsd: 0, unpriced: 0 }

  const refreshSpending = Effect.fnUntraced(function*(nowMs: number) {
    const month = quotaPeriod(new Date(nowMs))
    if (month === period && nowMs - readAt < readEveryMs) return
    const before = recorded
    spent = yield* readMonthUsage(platform, new Date(nowMs))
    recorded = { costUsd: recorded.costUsd - before.costUsd, unpriced: recorded.unpriced - before.unpriced }
    period = month
    readAt = nowMs
  }, mutex.withPermits(1))

  let warned = ""

  /**
   * The failure of cells that the budget stops. The amounts are sums over all organizations, which only the operator
   * may see, so they are logged once a month instead.
   */
  const makeBudgetFailure = Effect.fnUntraced(function*(message: string, amounts: string) {
    if (warned !== period) yield* Effect.logWarning(`${id}: ${message} (${amounts})`)
    warned = period
    const failure: CellFailure = { reason: "budget", message: `${id}: ${message}`, excerpt: null, status: null }
    return failure
  })

  return {
    /** The reason why no call may begin now; null if a call may begin. */
    reached: Effect.fnUntraced(function*(nowMs: number) {
      if (limit === undefined) return null
      // The cost of a reply may have become known since the last read
      if (recorded.unpriced > 0 && spent.eachUsd === null) readAt = 0
      yield* refreshSpending(nowMs)
      const unpriced = spent.unpriced + recorded.unpriced
      if (unpriced > 0 && spent.eachUsd === null) {
        return yield* makeBudgetFailure(
          "the monthly budget cannot be kept: replies name no cost, and no prices are set",
          `${unpriced} replies in ${period}, a budget of ${formatUsd(limit)}`
        )
      }
      const supposed = unpriced * (spent.eachUsd ?? 0)
      const total = spent.costUsd + recorded.costUsd + supposed
      if (total < limit - roundingUsd) return null
      const guess = supposed === 0 ? "" : `, ${formatUsd(supposed)} of it supposed: ${unpriced} replies name no cost`
      return yield* makeBudgetFailure(
        `the monthly budget is reached; it resets at ${periodEnd(period).toISOString()}`,
        `${formatUsd(total)} of ${formatUsd(limit)} spent in ${period}${guess}`
      )
    }),
    /** Records the cost of a reply; null if the reply states no cost. */
    record: (costUsd: number | null): void => {
      recorded = costUsd === null
        ? { ...recorded, unpriced: recorded.unpriced + 1 }
        : { ...recorded, costUsd: recorded.costUsd + costUsd }
    }
  }
}
