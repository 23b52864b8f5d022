/** The daily look for the end of a model, in a test's time. */
import { followEnd } from "@sov/core"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { platformError, scriptedPlatform } from "../../support/scriptedPlatforms.ts"

const bound = scriptedPlatform("assistant_a", () => Effect.fail(platformError("auth")))

it("a worker checks the end date of a model one minute after its start and then daily, and a failed check records nothing", () =>
  Effect.runPromise(
    Effect.scoped(Effect.gen(function*() {
      const found: Array<string | null> = []
      const ends: Array<string | null> = ["2027-03-31", "fails", null]
      let looks = 0
      const findEnd = Effect.suspend(() => {
        const end = ends[looks++] ?? null
        return end === "fails" ? Effect.fail(platformError("auth")) : Effect.succeed(end)
      })
      const health = { recordEnd: (day: string | null) => void found.push(day) }
      yield* Effect.forkScoped(followEnd({ platform: { ...bound, findEnd }, health }))
      yield* TestClock.adjust("59 seconds")
      expect(looks).toBe(0)
      yield* TestClock.adjust("1 second")
      expect([looks, found]).toEqual([1, ["2027-03-31"]])
      yield* TestClock.adjust("1 day")
      expect([looks, found]).toEqual([2, ["2027-03-31"]])
      yield* TestClock.adjust("1 day")
      expect([looks, found]).toEqual([3, ["2027-03-31", null]])
    })).pipe(Effect.provide(TestClock.layer()))
  ))
