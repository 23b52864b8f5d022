import { Effect } from "effect"
import { periodEnd, quotaPeriod } from "../domain/Quota.ts"
import type { AnswerPlatform } from "../ports/AnswerPlatform.ts"
import type { CellFailure } from "../ports/CellStore.ts"
import { UsageStore } from "../ports/UsageStore.ts"

/** The database is asked again this often; in between, the answers that come here are added. */
const readEveryMs = 10_000

/** First instant of the UTC month of `at`. */
export const monthStart = (at: Date): Date => new Date(`${quotaPeriod(at)}-01T00:00:00Z`)

/** Sums of binary fractions may fall this short of what they are: ten times 0.3 is a little less than 3. */
const roundingUsd = 1e-9

/** `12.3` → "$12.30". */
const dollars = (amount: number): string => `$${amount.toFixed(2)}`

/**
 * Watches what is spent on a platform in the present UTC month, by all organizations. Whoever asks before each call
 * overspends at most by the calls that are in flight when the budget is reached.
 */
export const makeBudget = ({ id, monthlyBudgetUsd, simulated }: AnswerPlatform) => {
  const limit = simulated ? undefined : monthlyBudgetUsd
  let period = ""
  let readAt = 0
  let spent = 0
  let warned = false
  /** Costs noted since the last reading began. */
  let noted = 0

  const read = Effect.fnUntraced(function*(nowMs: number) {
    const month = quotaPeriod(new Date(nowMs))
    if (month === period && nowMs - readAt < readEveryMs) return
    const before = noted
    spent = yield* (yield* UsageStore).spentSince(id, monthStart(new Date(nowMs)))
    noted -= before
    period = month
    readAt = nowMs
  })

  return {
    /** Why nothing may be asked now; null = it may. */
    reached: Effect.fnUntraced(function*(nowMs: number) {
      if (limit === undefined) return null
      yield* read(nowMs)
      if (spent + noted < limit - roundingUsd) return null
      const failure: CellFailure = {
        reason: "budget",
        message: `${id}: the monthly budget of ${dollars(limit)} is reached (${dollars(spent + noted)} spent in ` +
          `${period}); it resets at ${periodEnd(period).toISOString()}`,
        excerpt: null,
        status: null
      }
      return failure
    }),
    /** Notes what an answer cost. */
    note: (costUsd: number | null): Effect.Effect<void> => {
      noted += costUsd ?? 0
      if (limit === undefined || costUsd !== null || warned) return Effect.void
      warned = true
      return Effect.logWarning(`${id}: an answer's cost is not known, so its budget does not count it; set prices`)
    }
  }
}
