/** What stops a platform's calls: its own failing, a refused key, a spent budget. On a real database, in a test's time. */
import {
  ArchiveStore,
  breakerState,
  CellStore,
  HealthStore,
  type Placement,
  type PlatformError,
  readScan,
  type ScanId,
  ScanStore,
  startScan,
  startWorker
} from "@sov/core"
import type { Stores } from "@sov/core/testing"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../support/homes.ts"
import {
  answer,
  type Ask,
  organizationOf,
  placement,
  platform,
  platforms,
  refusal,
  request
} from "../support/scripted.ts"
import { openStorage } from "../support/storage.ts"
import { passTime } from "../support/testTime.ts"

describe.each(homes)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)
  const run = <A, E>(program: Effect.Effect<A, E, Stores | Placement>): Promise<A> =>
    storage.run(
      Effect.andThen(TestClock.setTime(Date.UTC(2026, 9, 31, 23, 57)), program).pipe(
        Effect.provide(Layer.merge(placement, TestClock.layer()))
      )
    )

  const over = (organizationId: Parameters<typeof readScan>[0], scanId: ScanId) =>
    Effect.map(
      Effect.flatMap(ScanStore, (scans) => scans.find(organizationId, scanId)),
      (scan) => scan?.status !== "running"
    )

  it(
    "leaves a dead platform alone, tries it now and then, and gives it up after ten minutes",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        const asked: Array<number> = []
        const dead: Ask = () =>
          Effect.flatMap(Clock.currentTimeMillis, (ms) => {
            asked.push(ms)
            return Effect.fail(refusal("unavailable"))
          })
        const well: Ask = () => Effect.succeed(answer("Acme."))
        const organizationId = yield* organizationOf(30)
        const layer = platforms(platform("assistant_a", dead, 1), platform("assistant_b", well))
        const scan = yield* Effect.provide(startScan(organizationId, request), layer)
        const worker = yield* Effect.provide(startWorker(), layer)
        const took = yield* passTime(over(organizationId, scan.id), { stepMs: 1_000, most: 700 })
        yield* worker.stop("1 second")
        expect(took).toBeGreaterThanOrEqual(600_000)
        expect(took).toBeLessThan(665_000)
        const { counts, scan: ended, score } = yield* readScan(organizationId, scan.id)
        expect(ended.status).toBe("completed")
        expect(Object.keys(score!.platformBreakdown)).toEqual(["assistant_b"])
        expect(counts).toMatchObject([{ failed: 30, answered: 0 }, { failed: 0, answered: 30 }])
        // 5 until it trips, then one after each pause of 5, 10, 20, 40, 60, 60, … seconds
        expect(asked.length).toBeGreaterThanOrEqual(14)
        expect(asked.length).toBeLessThanOrEqual(18)
        const failed = yield* (yield* CellStore).listFailed(organizationId, scan.id)
        expect(failed[0]).toMatchObject({ reason: "unavailable", message: "no (no answer for 10m)" })
        const [health] = (yield* (yield* HealthStore).list).filter((one) => one.platform === "assistant_a")
        expect(health?.outcomes.every((outcome) => outcome === "unavailable")).toBe(true)
        expect(breakerState(health!.breaker, health!.breaker.retryAt!)).toBe("half-open")
      }))),
    60_000
  )

  it(
    "goes on at full speed once the platform answers again, with its questions' attempts kept",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        let [calls, down] = [0, true]
        const flaky: Ask = () =>
          Effect.suspend(() => {
            calls++
            return down ? Effect.fail(refusal("timeout")) : Effect.succeed(answer("Acme."))
          })
        const organizationId = yield* organizationOf(40)
        const layer = platforms(platform("assistant_c", flaky, 2))
        const scan = yield* Effect.provide(startScan(organizationId, request), layer)
        const worker = yield* Effect.provide(startWorker(), layer)
        yield* passTime(Effect.sync(() => calls >= 10), { stepMs: 1_000, most: 400 })
        down = false
        yield* passTime(over(organizationId, scan.id), { stepMs: 1_000, most: 200 })
        yield* worker.stop("1 second")
        const { archived, counts } = yield* readScan(organizationId, scan.id)
        expect(archived.answers).toBe(40)
        expect(counts[0]?.calls).toBe(calls)
        expect(calls).toBeLessThanOrEqual(52)
      }))),
    60_000
  )

  it.each(["auth", "rejected"] as const)(
    "asks no more of a scan once five questions in a row were met with %s",
    (reason) =>
      run(Effect.scoped(Effect.gen(function*() {
        let calls = 0
        const refusing: Ask = () =>
          Effect.suspend((): Effect.Effect<never, PlatformError> => {
            calls++
            return Effect.fail(refusal(reason))
          })
        const organizationId = yield* organizationOf(100)
        const layer = platforms(platform("assistant_b", refusing, 3))
        const scan = yield* Effect.provide(startScan(organizationId, request), layer)
        const worker = yield* Effect.provide(startWorker(), layer)
        yield* passTime(over(organizationId, scan.id), { stepMs: 1_000, most: 60 })
        yield* worker.stop("1 second")
        expect(calls).toBeLessThanOrEqual(5 + 2 * 3)
        const failed = yield* (yield* CellStore).listFailed(organizationId, scan.id)
        expect(failed).toHaveLength(100)
        expect(new Set(failed.map((cell) => cell.reason))).toEqual(new Set([reason]))
        expect(failed.find(({ attempts }) => attempts === 0)?.message).toBe("no (so for 5 questions in a row)")
      }))),
    60_000
  )

  it(
    "asks on where single questions are rejected, also several samples of one",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        const picky: Ask = (prompt) =>
          /[35]\?/.test(prompt) ? Effect.fail(refusal("rejected")) : Effect.succeed(answer("Acme."))
        const organizationId = yield* organizationOf(8)
        const layer = platforms(platform("assistant_b", picky, 1))
        const scan = yield* Effect.provide(startScan(organizationId, { ...request, samples: 5 }), layer)
        const worker = yield* Effect.provide(startWorker(), layer)
        yield* passTime(over(organizationId, scan.id), { stepMs: 1_000, most: 60 })
        yield* worker.stop("1 second")
        const { counts } = yield* readScan(organizationId, scan.id)
        expect(counts).toMatchObject([{ answered: 30, failed: 10 }])
      }))),
    60_000
  )

  it(
    "stops at the monthly budget of all organizations, never within a call, and goes on in the next month",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        let calls = 0
        const costly: Ask = () =>
          Effect.sync(() => {
            calls++
            return { ...answer("Acme."), usage: { inputTokens: 1, outputTokens: 1, costUsd: 0.3 } }
          })
        const [first, second] = [yield* organizationOf(20), yield* organizationOf(20)]
        const layer = platforms({ ...platform("assistant_d", costly, 4), monthlyBudgetUsd: 3 })
        const scans = yield* Effect.provide(
          Effect.forEach([first, second], (organizationId) => startScan(organizationId, request)),
          layer
        )
        const worker = yield* Effect.provide(startWorker(), layer)
        for (const [n, organizationId] of [first, second].entries()) {
          yield* passTime(over(organizationId, scans[n]!.id), { stepMs: 1_000, most: 60 })
        }
        // 3 $ at 0.3 $ are ten answers; of four at once at most three more are in flight.
        expect(calls).toBeGreaterThanOrEqual(10)
        expect(calls).toBeLessThanOrEqual(13)
        const answers = yield* Effect.forEach(
          [first, second],
          (organizationId) => Effect.flatMap(ArchiveStore, (archive) => archive.stats(organizationId))
        )
        expect(answers.flat().reduce((sum, one) => sum + one.answers, 0)).toBe(calls)
        const failed = yield* (yield* CellStore).listFailed(first, scans[0]!.id)
        expect(failed[0]).toMatchObject({ reason: "budget", attempts: 0 })
        expect(failed[0]!.message).toMatch(
          /^assistant_d: the monthly budget of \$3\.00 is reached \(\$3\.\d0 spent in 2026-10\); it resets at 2026-11-01T00:00:00\.000Z$/
        )
        yield* passTime(Effect.map(Clock.currentTimeMillis, (ms) => ms >= Date.UTC(2026, 10, 1)), {
          stepMs: 1_000,
          most: 200
        })
        const before = calls
        const next = yield* Effect.provide(startScan(first, request), layer)
        yield* passTime(over(first, next.id), { stepMs: 1_000, most: 60 })
        yield* worker.stop("1 second")
        expect(calls - before).toBeGreaterThanOrEqual(10)
      }))),
    60_000
  )
})
