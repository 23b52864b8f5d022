/** Duty: looking for the measurements that hold leaves the others that a process serves their turns. */
import { it } from "@effect/vitest"
import {
  AnswerAnalysis,
  AnswerId,
  makeDirectAnalysis,
  makeKeeper,
  makeMeasurer,
  type MeasuredByRules,
  MeasurementStore,
  OrganizationId,
  rescoreDeadline,
  TrackedSetStore
} from "@sov/core"
import { newId, trackedSet } from "@sov/core/testing"
import { Effect, Fiber, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { expect } from "vitest"

/** How many answers of a page are kept after a competitor has gone, and how many turns another fiber has meanwhile. */
const keepPage = Effect.fnUntraced(function*(answers: number, rawResponse: string) {
  const before = yield* trackedSet()
  const after = { ...before, version: 2, competitors: before.competitors.slice(0, 1) }
  const organizationId = yield* newId(OrganizationId)
  const ids = yield* Effect.all(Array.from({ length: answers }, () => newId(AnswerId)))
  const stored = ids.map((answerId): MeasuredByRules => ({
    answerId,
    trackedSetVersion: 1,
    brandMentioned: false,
    mentionCount: 0,
    mentionPosition: null,
    sentiment: null,
    mentions: []
  }))
  const stores = Layer.mergeAll(
    Layer.succeed(AnswerAnalysis, makeDirectAnalysis()),
    Layer.mock(MeasurementStore, { newestByRules: () => Effect.succeed(stored) }),
    Layer.mock(TrackedSetStore, { find: () => Effect.succeed(before) })
  )
  let turns = 0
  const turn = Effect.andThen(Effect.yieldNow, Effect.sync(() => turns++))
  const other = yield* Effect.forkChild(Effect.forever(turn, { disableYield: true }))
  const kept = yield* Effect.gen(function*() {
    const findKept = yield* makeKeeper(organizationId, yield* makeMeasurer(after, rescoreDeadline))
    return yield* findKept(ids.map((answerId) => ({ answerId, promptUsed: "which?", rawResponse })))
  }).pipe(Effect.provide(stores))
  const had = turns
  yield* Fiber.interrupt(other)
  return { kept: kept.size, turns: had }
})

it.effect("other work runs between long answers", () =>
  Effect.gen(function*() {
    // 60,000 characters, where invisible text may begin and end at each second one
    const { kept, turns } = yield* keepPage(32, "q<q>".repeat(15_000))
    expect(kept).toBe(32)
    expect(turns).toBeGreaterThanOrEqual(31)
  }).pipe(Effect.provide(SecureRandom.layerWebCrypto)))

it.effect("many short answers are searched without pausing for other work", () =>
  Effect.gen(function*() {
    const { kept, turns } = yield* keepPage(256, "Take Velora.")
    expect(kept).toBe(256)
    expect(turns).toBeLessThan(31)
  }).pipe(Effect.provide(SecureRandom.layerWebCrypto)))
