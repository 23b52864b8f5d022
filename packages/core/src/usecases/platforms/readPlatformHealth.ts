import { Effect } from "effect"
import type { Prices } from "../../domain/platforms/Cost.ts"
import { type PlatformId, type Provider, providerDigest } from "../../domain/platforms/Platform.ts"
import { HealthStore, type PlatformHealth } from "../../ports/HealthStore.ts"
import { type RecentAnswers, UsageStore } from "../../ports/UsageStore.ts"
import { now } from "../now.ts"
import { readMonthSpending } from "./budget.ts"

/** A platform to report on. */
export interface PlatformBinding {
  readonly id: PlatformId
  readonly simulated: boolean
  /** The provider behind the platform; null if it is not configured, in which case any provider's health counts. */
  readonly provider: Provider | null
  readonly prices?: Prices
}

/** The state of a platform; null if unknown. */
export interface PlatformReport {
  readonly id: PlatformId
  /** Statistics of the last hundred answers. */
  readonly recent: RecentAnswers | null
  /** Health according to the last hundred calls. */
  readonly health: PlatformHealth | null
  /** US dollars spent in the current UTC month; null for a simulated platform. */
  readonly spentUsd: number | null
}

/**
 * The state of these platforms in the given order. Never mixes real and simulated answers, and ignores the health of
 * another provider of the same platform.
 */
export const readPlatformHealth = Effect.fn("readPlatformHealth")(
  function*(bindings: ReadonlyArray<PlatformBinding>) {
    const usage = yield* UsageStore
    const [real, simulated, healths] = yield* Effect.all([
      usage.recent(false),
      usage.recent(true),
      (yield* HealthStore).list
    ])
    const at = yield* now
    return yield* Effect.forEach(
      bindings,
      Effect.fnUntraced(function*(binding) {
        const { id, prices } = binding
        const provider = binding.provider === null ? null : providerDigest(binding.provider)
        const report: PlatformReport = {
          id,
          recent: (binding.simulated ? simulated : real).find(({ platform }) => platform === id) ?? null,
          health: healths.find((one) =>
            one.platform === id && one.simulated === binding.simulated && (provider ?? one.provider) === one.provider
          ) ?? null,
          spentUsd: binding.simulated
            ? null
            : yield* readMonthSpending({ id, ...prices === undefined ? {} : { prices } }, at)
        }
        return report
      })
    )
  }
)
