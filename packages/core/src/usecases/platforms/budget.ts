import { Effect, Semaphore } from "effect"
import { periodEnd, quotaPeriod } from "../../domain/organizations/Quota.ts"
import { supposedCost } from "../../domain/platforms/Cost.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import type { CellFailure } from "../../ports/CellStore.ts"
import { UsageStore } from "../../ports/UsageStore.ts"

/** The database is asked again this often; in between, the replies that come here are added. */
const readEveryMs = 10_000

/** First instant of the UTC month of `at`. */
const monthStart = (at: Date): Date => new Date(`${quotaPeriod(at)}-01T00:00:00Z`)

/** Sums of binary fractions may fall this short of what they are: ten times 0.3 is a little less than 3. */
const roundingUsd = 1e-9

/** `12.3` → "$12.30". */
const dollars = (amount: number): string => `$${amount.toFixed(2)}`

type Priced = Pick<AnswerPlatform, "id" | "prices">

/** What the UTC month of `at` has cost on a platform, and the cost that is supposed of a reply that names none. */
const readMonth = Effect.fnUntraced(function*({ id, prices }: Priced, at: Date) {
  const usage = yield* UsageStore
  const spent = yield* usage.spentSince(id, monthStart(at))
  const recent = (yield* usage.recent(false)).find(({ platform }) => platform === id)
  return { ...spent, eachUsd: supposedCost(prices, recent?.mean ?? null) }
})

/**
 * US dollars spent on a platform in the UTC month of `at`, as its budget counts them: a reply whose cost is not known
 * counts with the cost that is expected of one, if there are prices or other answers to tell it from.
 */
export const monthSpending = Effect.fn("monthSpending")(function*(platform: Priced, at: Date) {
  const { costUsd, eachUsd, unpriced } = yield* readMonth(platform, at)
  return costUsd + unpriced * (eachUsd ?? 0)
})

/**
 * Watches what is spent on a platform in the present UTC month, by all organizations. Whoever asks before each call
 * overspends at most by the calls that are in flight when the budget is reached.
 */
export const makeBudget = (platform: AnswerPlatform) => {
  const { id, monthlyBudgetUsd, simulated } = platform
  const limit = simulated ? undefined : monthlyBudgetUsd
  const alone = Semaphore.makeUnsafe(1)
  let period = ""
  let readAt = 0
  let spent: Effect.Success<ReturnType<typeof readMonth>> = { costUsd: 0, unpriced: 0, eachUsd: null }
  /** Noted since the last reading began. */
  let noted = { costUsd: 0, unpriced: 0 }

  const read = Effect.fnUntraced(function*(nowMs: number) {
    const month = quotaPeriod(new Date(nowMs))
    if (month === period && nowMs - readAt < readEveryMs) return
    const before = noted
    spent = yield* readMonth(platform, new Date(nowMs))
    noted = { costUsd: noted.costUsd - before.costUsd, unpriced: noted.unpriced - before.unpriced }
    period = month
    readAt = nowMs
  }, alone.withPermits(1))

  const failure = (message: string): CellFailure => ({
    reason: "budget",
    message: `${id}: ${message}`,
    excerpt: null,
    status: null
  })

  return {
    /** Why nothing may be asked now; null = it may. */
    reached: Effect.fnUntraced(function*(nowMs: number) {
      if (limit === undefined) return null
      // What a reply costs may be known since the last reading
      if (noted.unpriced > 0 && spent.eachUsd === null) readAt = 0
      yield* read(nowMs)
      const unpriced = spent.unpriced + noted.unpriced
      if (unpriced > 0 && spent.eachUsd === null) {
        return failure(
          `the monthly budget of ${
            dollars(limit)
          } cannot be kept: ${unpriced} replies of ${period} name no cost, and ` +
            "no prices are set"
        )
      }
      const supposed = unpriced * (spent.eachUsd ?? 0)
      const total = spent.costUsd + noted.costUsd + supposed
      if (total < limit - roundingUsd) return null
      const guess = supposed === 0 ? "" : `, ${dollars(supposed)} of it supposed: ${unpriced} replies name no cost`
      return failure(
        `the monthly budget of ${dollars(limit)} is reached (${
          dollars(total)
        } spent in ${period}${guess}); it resets at ${periodEnd(period).toISOString()}`
      )
    }),
    /** Notes what a reply cost; null = it does not say. */
    note: (costUsd: number | null): void => {
      noted = costUsd === null
        ? { ...noted, unpriced: noted.unpriced + 1 }
        : { ...noted, costUsd: noted.costUsd + costUsd }
    }
  }
}
