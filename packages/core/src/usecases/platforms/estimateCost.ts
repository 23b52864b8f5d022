import { Effect } from "effect"
import { periodEnd, quotaPeriod } from "../../domain/organizations/Quota.ts"
import { expectedCost } from "../../domain/platforms/Cost.ts"
import type { PlatformId } from "../../domain/platforms/Platform.ts"
import { type AnswerPlatform, AnswerPlatforms } from "../../ports/AnswerPlatform.ts"
import { UsageStore } from "../../ports/UsageStore.ts"
import { now } from "../now.ts"
import { readMonthSpending } from "./budget.ts"

/** Likely cost of asking a platform, with its month's budget. US dollars. */
export interface CostEstimate {
  readonly platform: PlatformId
  /** Null = unknown: there are no prices, and no answer states its cost. */
  readonly costUsd: number | null
  /** Number of answers behind the estimate, at most 100; 0 = an ordinary answer is assumed. */
  readonly basedOn: number
  /** Null without a budget. */
  readonly budget: { readonly limitUsd: number; readonly spentUsd: number; readonly resetsAt: Date } | null
}

/** Estimates `calls` answers of each platform from its last hundred. A simulated answer costs nothing. */
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
 * Estimates one answer of a configured platform, in US dollars: the mean over platforms. Null = not known; simulated
 * answers cost nothing.
 */
export const readAnswerCost = Effect.gen(function*() {
  const configured = [...(yield* AnswerPlatforms).all.values()]
  const costs = yield* estimateCost(configured, 1)
  if (costs.length === 0) return configured.length > 0 ? 0 : null
  return costs.some(({ costUsd }) => costUsd === null)
    ? null
    : costs.reduce((sum, { costUsd }) => sum + costUsd!, 0) / costs.length
})
