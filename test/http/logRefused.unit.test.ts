/** Refused connections are logged at once, and after that in one line a minute. */
import { Effect, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { makeRefusedConnections } from "../../packages/http/src/middleware/logRefused.ts"

it("the first refusal is logged at once, and later ones once a minute in one line", () =>
  Effect.runPromise(
    Effect.scoped(Effect.gen(function*() {
      const lines: Array<string> = []
      const { log, note } = makeRefusedConnections(200)
      const logging = yield* Effect.forkScoped(
        Effect.provide(log, Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))]))
      )
      const after = (minutes: number) => TestClock.adjust(`${minutes} minutes`)
      yield* after(5)
      expect(lines).toEqual([])
      note()
      yield* after(0)
      expect(lines).toEqual([expect.stringMatching(/^1 connection refused: their network had 200 open/)])
      for (let n = 0; n < 450; n++) note()
      yield* TestClock.adjust("59 seconds")
      expect(lines).toHaveLength(1)
      yield* TestClock.adjust("1 seconds")
      expect(lines.slice(1)).toEqual([expect.stringMatching(/^450 connections refused: .*SOV_MAX_CONNECTIONS/)])
      yield* after(5)
      expect(lines).toHaveLength(2)
      yield* Fiber.interrupt(logging)
    })).pipe(Effect.provide(TestClock.layer()))
  ))
