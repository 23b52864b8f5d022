import { Effect } from "effect"
import { type PlatformId, type Provider, providerDigest } from "../../domain/platforms/Platform.ts"
import { HealthStore } from "../../ports/HealthStore.ts"

/** A platform whose API or model has ended, with the message and time of the last call. */
export interface ReportedEnd {
  readonly platform: PlatformId
  readonly message: string
  readonly at: Date
}

/**
 * Platforms whose API or model had ended at the last call. `providers` are the configured ones, so that a former
 * provider of the same platform does not count; null if the configuration is unknown, and all are reported.
 */
export const listEndedPlatforms = Effect.fn("listEndedPlatforms")(
  function*(providers: ReadonlyMap<PlatformId, Provider> | null) {
    const digests = providers === null
      ? null
      : new Set([...providers].map(([id, provider]) => `${id} ${providerDigest(provider)}`))
    const healths = yield* (yield* HealthStore).list
    return healths.flatMap(({ lastFailure, outcomes, platform, provider }): ReadonlyArray<ReportedEnd> =>
      lastFailure?.reason === "ended" && outcomes.at(-1) !== "answered" &&
        (digests === null || digests.has(`${platform} ${provider}`))
        ? [{ platform, message: lastFailure.message, at: new Date(lastFailure.at) }]
        : []
    )
  }
)
