import { Clock, Effect, Semaphore } from "effect"
import type { AnswerPlatform } from "../ports/AnswerPlatform.ts"

const minuteMs = 60_000

/**
 * Lets calls to one platform through: at most `concurrency` at once and, where set, at most `requestsPerMinute` begun in
 * any 60 seconds (a sliding log, so that no minute, wherever it starts, holds more).
 */
export const makeCallGate = (platform: Pick<AnswerPlatform, "concurrency" | "requestsPerMinute">) => {
  const permits = Semaphore.makeUnsafe(platform.concurrency)
  const turn = Semaphore.makeUnsafe(1)
  const limit = platform.requestsPerMinute
  const begun: Array<number> = []

  const wait = limit === null ? Effect.void : turn.withPermits(1)(Effect.gen(function*() {
    if (begun.length >= limit) {
      const oldest = begun.shift()!
      const left = oldest + minuteMs - (yield* Clock.currentTimeMillis)
      if (left > 0) yield* Effect.sleep(left)
    }
    begun.push(yield* Clock.currentTimeMillis)
  }))

  return <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    permits.withPermits(1)(Effect.andThen(wait, call))
}
