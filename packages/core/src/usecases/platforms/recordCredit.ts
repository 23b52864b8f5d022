import { Effect } from "effect"
import { providerDigest } from "../../domain/platforms/Platform.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import { HealthStore } from "../../ports/HealthStore.ts"

/** Ends the pause of a platform whose account had no credit, after a successful test of the platform. */
export const recordCredit = Effect.fn("recordCredit")(function*(platform: AnswerPlatform) {
  const healths = yield* HealthStore
  const health = (yield* healths.list).find((one) => one.platform === platform.id && !one.simulated)
  if (health?.lastFailure?.reason !== "no_credit" || health.provider !== providerDigest(platform)) return
  yield* healths.save({ ...health, lastFailure: null, outcomes: [...health.outcomes, "answered"] })
})
