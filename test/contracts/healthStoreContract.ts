import { closedBreaker, HealthStore, type PlatformHealth } from "@sov/core"
import { at } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

const health: PlatformHealth = {
  platform: "assistant_d",
  simulated: false,
  provider: "adapter model",
  attendance: [[at(1).getTime(), at(2).getTime()], [at(5).getTime(), at(8).getTime()]],
  sent: { bySecond: [[at(7).getTime() / 1000, 2], [at(8).getTime() / 1000, 30]], unsent: 4 },
  breaker: { failures: 7, failingSince: at(1).getTime(), retryAt: at(9).getTime(), pauseMs: 20_000, closedAt: 0 },
  outcomes: ["answered", "timeout", "unavailable"],
  lastFailure: { reason: "unavailable", message: "assistant_d: \"down\" \u{1F6E0}", at: at(8).getTime() },
  endsOn: "2027-03-31",
  seenAt: at(8)
}

/** There is one row for each platform in the database: the test looks at its own. */
const listed = Effect.gen(function*() {
  return (yield* (yield* HealthStore).list).filter(({ platform }) => platform === "assistant_d")
})

/** What every HealthStore must keep. */
export const healthStoreContract = storeContract("HealthStore", {
  "keeps the last that was said of a platform, real and simulated apart": Effect.fnUntraced(function*() {
    const store = yield* HealthStore
    yield* store.save(health)
    assert.deepEqual(yield* listed, [health])
    const madeUp: PlatformHealth = {
      ...health,
      simulated: true,
      breaker: closedBreaker,
      outcomes: [],
      lastFailure: null,
      endsOn: null,
      attendance: [],
      sent: { bySecond: [], unsent: 0 }
    }
    yield* store.save(madeUp)
    const better: PlatformHealth = {
      ...madeUp,
      simulated: false,
      provider: "another",
      outcomes: ["answered"],
      seenAt: at(99)
    }
    yield* store.save(better)
    assert.deepEqual(yield* listed, [better, madeUp])
  }),

  "takes whatever a failure says": Effect.fnUntraced(function*() {
    yield* (yield* HealthStore).save({
      ...health,
      lastFailure: { ...health.lastFailure!, message: "nul \u0000 \uD800" }
    })
    assert.equal((yield* listed)[0]?.lastFailure?.message, "nul \uFFFD \uFFFD")
  })
})
