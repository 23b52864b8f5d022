import { Effect } from "effect"
import { periodEnd, quotaPeriod } from "../../domain/organizations/Quota.ts"
import { expectedCost } from "../../domain/platforms/Cost.ts"
import type { PlatformId } from "../../domain/platforms/Platform.ts"
import { type AnswerPlatform, AnswerPlatforms } from "../../ports/AnswerPlatform.ts"
import { UsageStore } from "../../ports/UsageStore.ts"
import { now } from "../now.ts"
import { readMonthSpending } from "./budget.ts"

/** The likely cost of asking a platform, and its budget for the month, in US dollars. */
export interface CostEstimate {
  readonly platform: PlatformId
  /** Null if unknown: there are no prices, and no answer states its cost. */
  readonly costUsd: number | null
  /** Number of answers behind the estimate, at most 100; 0 if an ordinary answer was assumed. */
  readonly basedOn: number
  /** Null if there is no budget. */
  readonly budget: { readonly limitUsd: number; readonly spentUsd: number; readonly resetsAt: Date } | null
}

/**
 * Estimates the cost of `calls` answers from each platform, based on its last hundred answers. A simulated answer costs
 * nothing.
 */
export const estimateCost = Effect.fn("estimateCost")(
  function*(platforms: ReadonlyArray<AnswerPlatform>, calls: number) {
    const usage = yield* UsageStore
    const at = yield* now
    const recent = yield* usage.recent(false)
    return yield* Effect.forEach(
      platforms.filter(({ simulated }) => !simulated),
      Effect.fnUntraced(function*(platform) {
        const { id, monthlyBudgetUsd, prices } = platform
        const known = recent.find(({ platform }) => platform === id)
        const each = expectedCost(prices, known?.mean ?? null)
        const estimate: CostEstimate = {
          platform: id,
          costUsd: each === null ? null : each * calls,
          basedOn: known?.answers ?? 0,
          budget: monthlyBudgetUsd === undefined
            ? null
            : {
              limitUsd: monthlyBudgetUsd,
              spentUsd: yield* readMonthSpending(platform, at),
              resetsAt: periodEnd(quotaPeriod(at))
            }
        }
        return estimate
      })
    )
  }
)

/**
 * Estimates the cost of one answer of a configured platform, in US dollars: the mean over platforms. Null if unknown;
 * simulated answers cost nothing.
 */
export const readAnswerCost = Effect.gen(function*() {
  const configured = [...(yield* AnswerPlatforms).all.values()]
  const costs = yield* estimateCost(configured, 1)
  if (costs.length === 0) return configured.length > 0 ? 0 : null
  return costs.some(({ costUsd }) => costUsd === null)
    ? null
    : costs.reduce((sum, { costUsd }) => sum + costUsd!, 0) / costs.length
})
