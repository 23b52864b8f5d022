/** A digest says what held at the end of its days, however late it is read. */
import { closedBreaker, HealthStore, readDigest, renderDigest, shiftedClock } from "@sov/core"
import { at, seedOrganization } from "@sov/core/testing"
import { Clock, Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { scanWith, seed } from "../../support/completedScans.ts"
import { oneHome } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const { close, run } = openStorage(oneHome[0]!)
afterAll(close)

const day = 86_400

it("a digest excludes scans that began or completed after its days", () =>
  run(Effect.gen(function*() {
    const id = yield* seed
    const scanOf = (begun: number, completed: number, answer: (keyword: number) => string) =>
      Effect.gen(function*() {
        const clock = yield* Clock.Clock
        const then = shiftedClock(clock, at(completed).getTime() - (yield* clock.currentTimeMillis))
        return yield* Effect.provideService(scanWith(id, begun, answer), Clock.Clock, then)
      })
    const before = yield* scanOf(day, day + 60, () => "Acme Forge.")
    const inWeek = yield* scanOf(9 * day, 9 * day + 60, (keyword) => keyword < 3 ? "Acme Forge." : "Globex.")
    yield* scanOf(10 * day - 60, 10 * day + 60, () => "Globex.")
    yield* scanOf(11 * day, 11 * day + 60, () => "Initech.")
    const digest = yield* readDigest(id, at(10 * day))
    expect(digest).toMatchObject({
      from: at(3 * day),
      scans: 1,
      score: { scanId: inWeek.id, sov: 50, answers: 12, mentioned: 6 },
      comparison: { beforeStartedAt: before.startedAt, trend: { before: 100, after: 50 } }
    })
    expect(yield* readDigest(id, at(17 * day))).toMatchObject({ scans: 2, score: { sov: 0 } })
  })))

it("a digest does not compare a platform whose answers come from another model, and names both models", () =>
  run(Effect.gen(function*() {
    const id = yield* seed
    const { completedAt } = yield* scanWith(id, day, () => "Acme Forge.", { model: "vendor-4" })
    const clock = yield* Clock.Clock
    const laterClock = shiftedClock(clock, 8 * 1000 * day)
    yield* Effect.provideService(scanWith(id, 9 * day, () => "Globex.", { model: "vendor-5" }), Clock.Clock, laterClock)
    const digest = yield* readDigest(id, new Date(completedAt!.getTime() + 8 * 1000 * day + 60_000))
    const change = { reason: "model", before: "vendor-4", after: "vendor-5" }
    expect(digest).toMatchObject({
      scans: 1,
      comparison: {
        trend: null,
        breaks: [{ platform: "assistant_a", ...change }, { platform: "assistant_b", ...change }],
        moved: []
      }
    })
    expect(renderDigest(digest).text).toContain(
      "Not compared with the last scan before this week: other models answered"
    )
  })))

it("a digest names the models of its scan that will end within 30 days", () =>
  run(Effect.gen(function*() {
    const id = yield* seed
    const { completedAt, simulated } = yield* scanWith(id, day, () => "Acme Forge.")
    const to = new Date(completedAt!.getTime() + 1000)
    const dayAfter = (days: number) => new Date(to.getTime() + 1000 * days * day).toISOString().slice(0, 10)
    const store = yield* HealthStore
    const endOn = (platform: "assistant_a" | "assistant_b", endsOn: string) =>
      store.save({
        platform,
        simulated,
        provider: "a provider",
        attendance: [],
        sent: { bySecond: [], unsent: 0 },
        breaker: closedBreaker,
        outcomes: ["answered"],
        lastFailure: null,
        endsOn,
        seenAt: at(2 * day)
      })
    const namesEnds = Effect.map(readDigest(id, to), ({ ends }) => ends)
    expect(yield* namesEnds).toEqual([])
    yield* endOn("assistant_a", dayAfter(30))
    yield* endOn("assistant_b", dayAfter(32))
    expect(yield* namesEnds).toEqual([{ platform: "assistant_a", endsOn: dayAfter(30) }])
  })))

it.each([
  ["2026-10-26T07:00:00Z", "2026-10-19T06:00:00Z"],
  ["2026-03-30T06:00:00Z", "2026-03-23T07:00:00Z"],
  ["2026-11-23T07:00:00Z", "2026-11-16T07:00:00Z"]
])(
  "the week until %s begins a calendar week earlier in the organization's time zone",
  (to, from) =>
    run(Effect.gen(function*() {
      const { id } = yield* seedOrganization({ timeZone: "Europe/Berlin" })
      expect((yield* readDigest(id, new Date(to))).from).toEqual(new Date(from))
    }))
)
