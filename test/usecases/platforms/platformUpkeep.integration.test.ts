/**
 * What stops a platform's calls: its own failing, a refused key, a spent budget. On a real database, in a test's time.
 */
import {
  breakerState,
  CellStore,
  HealthStore,
  Placement,
  type PlatformError,
  readScan,
  startScan,
  startWorker,
  StoreError,
  WorkerRegistry
} from "@sov/core"
import { Clock, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { describeAtMonthEnd } from "../../support/platformSuite.ts"
import {
  type Ask,
  hasEnded,
  initializeOrganization,
  layerPlatforms,
  platformError,
  scanRequest,
  scriptedAnswer,
  scriptedPlatform
} from "../../support/scriptedPlatforms.ts"
import { advanceClockUntil, advanceMinutes } from "../../support/testClock.ts"

describeAtMonthEnd((run) => {
  it(
    "a platform that does not answer is tested from time to time, and given up after ten minutes",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        const asked: Array<number> = []
        const dead: Ask = () =>
          Effect.flatMap(Clock.currentTimeMillis, (ms) => {
            asked.push(ms)
            return Effect.fail(platformError("unavailable"))
          })
        const well: Ask = () => Effect.succeed(scriptedAnswer("Acme."))
        const [organizationId, later] = [yield* initializeOrganization(30), yield* initializeOrganization(2)]
        const layer = layerPlatforms(scriptedPlatform("assistant_a", dead, 1), scriptedPlatform("assistant_b", well))
        const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        const worker = yield* Effect.provide(startWorker(), layer)
        yield* advanceMinutes(8)
        const second = yield* Effect.provide(startScan(later, scanRequest), layer)
        const took = 480_000 +
          (yield* advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 2_000, maxSteps: 120 }))
        expect(took).toBeGreaterThanOrEqual(600_000)
        expect(took).toBeLessThan(675_000)
        const calls = asked.length
        // A scan that began when the platform had failed for long waits ten minutes of its own.
        yield* advanceMinutes(1)
        yield* worker.stop("1 second")
        expect(yield* hasEnded(later, second.id)).toBe(false)
        const { counts, scan: ended, score } = yield* readScan(organizationId, scan.id)
        expect(ended.status).toBe("completed")
        expect(Object.keys(score!.platformBreakdown)).toEqual(["assistant_b"])
        expect(counts).toMatchObject([{ failed: 30, answered: 0 }, { failed: 0, answered: 30 }])
        // 5 until it trips, then one after each pause of 5, 10, 20, 40, 60, 60, … seconds
        expect(calls).toBeGreaterThanOrEqual(14)
        expect(calls).toBeLessThanOrEqual(18)
        const failed = yield* (yield* CellStore).listFailed(organizationId, scan.id)
        expect(failed[0]).toMatchObject({
          reason: "unavailable",
          message: "the platform has given no answer for 10m; its last failure was: unavailable"
        })
        const [health] = (yield* (yield* HealthStore).list).filter((one) => one.platform === "assistant_a")
        expect(health?.outcomes.every((outcome) => outcome === "unavailable")).toBe(true)
        expect(breakerState(health!.breaker, health!.breaker.retryAt!)).toBe("half-open")
      }))),
    120_000
  )

  it(
    "time without a worker does not count as waiting, and the waits of several workers add up",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        const asked: Array<number> = []
        const dead: Ask = () =>
          Effect.flatMap(Clock.currentTimeMillis, (ms) => {
            asked.push(ms)
            return Effect.fail(platformError("unavailable"))
          })
        const organizationId = yield* initializeOrganization(12)
        const layer = layerPlatforms({ ...scriptedPlatform("assistant_a", dead, 1), model: "left alone" })
        const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        /** One process that works for two minutes. */
        const session = Effect.gen(function*() {
          const worker = yield* Effect.provide(startWorker(), layer)
          yield* advanceMinutes(2)
          yield* worker.stop("1 second")
        }).pipe(Effect.scoped)
        yield* session
        yield* TestClock.adjust("12 hours")
        const before = asked.length
        yield* session
        // The breaker is the earlier one: a call tries, then one after each pause of 40 and 60 seconds.
        expect(asked.length - before).toBeGreaterThanOrEqual(1)
        expect(asked.length - before).toBeLessThanOrEqual(3)
        expect((yield* readScan(organizationId, scan.id)).counts).toMatchObject([{ open: 12, failed: 0 }])
        let sessions = 2
        while (!(yield* hasEnded(organizationId, scan.id)) && sessions < 9) {
          yield* TestClock.adjust("1 hour")
          yield* session
          sessions++
        }
        expect(sessions).toBeGreaterThanOrEqual(5)
        expect(sessions).toBeLessThanOrEqual(7)
        expect((yield* readScan(organizationId, scan.id)).counts).toMatchObject([{ open: 0, failed: 12 }])
      }))),
    120_000
  )

  it(
    "a requested pause continues in the next process, but another provider starts without it",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        let calls = 0
        const throttled: Ask = () =>
          Effect.suspend(() => {
            calls++
            return Effect.fail(platformError("throttled", { retryAfterMs: 3_600_000 }))
          })
        const organizationId = yield* initializeOrganization(12)
        const bound = { ...scriptedPlatform("assistant_a", throttled, 1), model: "pausing" }
        const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layerPlatforms(bound))
        const session = (one: typeof bound & { readonly baseUrl?: string }) =>
          Effect.gen(function*() {
            const worker = yield* Effect.provide(startWorker(), layerPlatforms(one))
            yield* advanceMinutes(1)
            yield* worker.stop("1 second")
          }).pipe(Effect.scoped)
        yield* session(bound)
        expect(calls).toBe(5)
        yield* session(bound)
        expect(calls).toBe(5)
        const well: Ask = () => Effect.succeed({ ...scriptedAnswer("Acme."), endsOn: "2027-03-31" })
        yield* session({ ...bound, baseUrl: "https://elsewhere.example/v1", ask: well })
        // Cells that would have to wait for an hour have failed.
        expect((yield* readScan(organizationId, scan.id)).counts).toMatchObject([{ answered: 7, failed: 5 }])
        const [health] = (yield* (yield* HealthStore).list).filter((one) => one.platform === "assistant_a")
        expect(health).toMatchObject({
          outcomes: Array.from({ length: 7 }, () => "answered"),
          lastFailure: null,
          endsOn: "2027-03-31"
        })
      }))),
    120_000
  )

  it(
    "a worker checks the end of a model, and an answer that states no day does not change it",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        let looks = 0
        const findEnd = Effect.sync(() => {
          looks++
          return "2027-03-31"
        })
        const well: Ask = () => Effect.succeed(scriptedAnswer("Acme."))
        const organizationId = yield* initializeOrganization(1)
        const layer = layerPlatforms({ ...scriptedPlatform("assistant_d", well), findEnd })
        const worker = yield* Effect.provide(startWorker(), layer)
        const endsOn = Effect.map(
          Effect.flatMap(HealthStore, ({ list }) => list),
          (healths) => healths.find((one) => one.platform === "assistant_d")?.endsOn
        )
        yield* advanceClockUntil(Effect.map(endsOn, (day) => day === "2027-03-31"), { stepMs: 2_000, maxSteps: 60 })
        const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        yield* advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 1_000, maxSteps: 60 })
        yield* advanceMinutes(1)
        expect([looks, yield* endsOn]).toEqual([1, "2027-03-31"])
        yield* worker.stop("1 second")
      }))),
    120_000
  )

  it(
    "calls resume at full speed once the platform answers, and its questions keep their number of attempts",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        let [calls, down] = [0, true]
        const flaky: Ask = () =>
          Effect.suspend(() => {
            calls++
            return down ? Effect.fail(platformError("timeout")) : Effect.succeed(scriptedAnswer("Acme."))
          })
        const organizationId = yield* initializeOrganization(40)
        const layer = layerPlatforms(scriptedPlatform("assistant_c", flaky, 2))
        const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        const worker = yield* Effect.provide(startWorker(), layer)
        yield* advanceClockUntil(Effect.sync(() => calls >= 10), { stepMs: 1_000, maxSteps: 400 })
        down = false
        yield* advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 1_000, maxSteps: 200 })
        yield* worker.stop("1 second")
        const { archived, counts } = yield* readScan(organizationId, scan.id)
        expect(archived.answers).toBe(40)
        expect(counts[0]?.calls).toBe(calls)
        expect(calls).toBeLessThanOrEqual(52)
      }))),
    120_000
  )

  it.each(["auth", "rejected"] as const)(
    "a scan's other questions are not asked after five questions in a row failed with %s",
    (reason) =>
      run(Effect.scoped(Effect.gen(function*() {
        let calls = 0
        const refusing: Ask = () =>
          Effect.suspend((): Effect.Effect<never, PlatformError> => {
            calls++
            return Effect.fail(platformError(reason))
          })
        const organizationId = yield* initializeOrganization(100)
        const layer = layerPlatforms(scriptedPlatform("assistant_b", refusing, 3))
        const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        const worker = yield* Effect.provide(startWorker(), layer)
        yield* advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 1_000, maxSteps: 60 })
        yield* worker.stop("1 second")
        expect(calls).toBeLessThanOrEqual(5 + 2 * 3)
        const failed = yield* (yield* CellStore).listFailed(organizationId, scan.id)
        expect(failed).toHaveLength(100)
        expect(new Set(failed.map((cell) => cell.reason))).toEqual(new Set([reason]))
        expect(failed.find(({ attempts }) => attempts === 0)?.message).toBe("no (so for 5 questions in a row)")
      }))),
    120_000
  )

  it.each(["auth", "rejected"] as const)(
    "questions are still asked if failures with %s arrive faster than answers to other questions",
    (reason) =>
      run(Effect.scoped(Effect.gen(function*() {
        const picky: Ask = (prompt) =>
          /question (3|4|5|6|7|20|21|22|23|24)\?/.test(prompt)
            ? Effect.fail(platformError(reason))
            : Effect.as(Effect.sleep("3 seconds"), scriptedAnswer("Acme."))
        const organizationId = yield* initializeOrganization(60)
        const layer = layerPlatforms({ ...scriptedPlatform("assistant_b", picky, 8), model: "picky" })
        const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        const worker = yield* Effect.provide(startWorker(), layer)
        yield* advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 1_000, maxSteps: 90 })
        yield* worker.stop("1 second")
        expect((yield* readScan(organizationId, scan.id)).counts).toMatchObject([{ answered: 50, failed: 10 }])
      }))),
    120_000
  )

  it(
    "a request that was answered once never counts as wrong, even after a restart",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        let calls = 0
        const answer = scriptedAnswer("Acme.")
        const picky: Ask = (prompt) =>
          Effect.suspend(() => {
            calls++
            const n = Number(/\d+/.exec(prompt)?.[0])
            const reply: Effect.Effect<typeof answer, PlatformError> = n >= 3 && n < 15
              ? Effect.fail(platformError("rejected"))
              : Effect.succeed(answer)
            return Effect.andThen(Effect.sleep("1 second"), reply)
          })
        const organizationId = yield* initializeOrganization(20)
        const layer = layerPlatforms({ ...scriptedPlatform("assistant_b", picky, 1), model: "picky" })
        const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        const first = yield* Effect.provide(startWorker(), layer)
        const three = Effect.map(readScan(organizationId, scan.id), ({ archived }) => archived.answers === 3)
        yield* advanceClockUntil(three, { stepMs: 500, maxSteps: 60 })
        // The fourth call waits for the clock
        const stopping = yield* Effect.forkChild(first.stop("1 second"))
        yield* advanceClockUntil(Effect.sync(() => stopping.pollUnsafe() !== undefined), { stepMs: 100, maxSteps: 60 })
        const before = calls
        const second = yield* Effect.provide(startWorker(), layer)
        yield* advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 1_000, maxSteps: 60 })
        yield* second.stop("1 second")
        expect(before).toBeLessThan(6)
        expect((yield* readScan(organizationId, scan.id)).counts).toMatchObject([{ answered: 8, failed: 12 }])
      }))),
    120_000
  )

  it(
    "calls stop if the key is revoked during a scan",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        let calls = 0
        const revoked: Ask = () =>
          Effect.suspend(() =>
            ++calls > 10 ? Effect.fail(platformError("auth")) : Effect.succeed(scriptedAnswer("Acme."))
          )
        const organizationId = yield* initializeOrganization(60)
        const layer = layerPlatforms({ ...scriptedPlatform("assistant_b", revoked, 2), model: "revoked" })
        const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        const worker = yield* Effect.provide(startWorker(), layer)
        yield* advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 1_000, maxSteps: 60 })
        yield* worker.stop("1 second")
        expect(calls).toBeLessThanOrEqual(10 + 5 + 2 * 2)
        expect((yield* readScan(organizationId, scan.id)).counts).toMatchObject([{ answered: 10, failed: 50 }])
      }))),
    120_000
  )

  it(
    "calls continue if single questions are rejected, even several samples of one question",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        const picky: Ask = (prompt) =>
          /[35]\?/.test(prompt) ? Effect.fail(platformError("rejected")) : Effect.succeed(scriptedAnswer("Acme."))
        const organizationId = yield* initializeOrganization(8)
        const layer = layerPlatforms(scriptedPlatform("assistant_b", picky, 1))
        const scan = yield* Effect.provide(startScan(organizationId, { ...scanRequest, samples: 5 }), layer)
        const worker = yield* Effect.provide(startWorker(), layer)
        yield* advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 1_000, maxSteps: 60 })
        yield* worker.stop("1 second")
        const { counts } = yield* readScan(organizationId, scan.id)
        expect(counts).toMatchObject([{ answered: 30, failed: 10 }])
      }))),
    120_000
  )

  it(
    "a worker that the registry has lost saves no health, because another worker may have taken the platform",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        const [asked, ended]: [Array<number>, Array<number>] = [[], []]
        const slow: Ask = () =>
          Effect.gen(function*() {
            asked.push(1)
            yield* Effect.sleep("25 seconds")
            ended.push(1)
            return scriptedAnswer("Acme.")
          })
        const organizationId = yield* initializeOrganization(1)
        const [health, placement, registry] = [yield* HealthStore, yield* Placement, yield* WorkerRegistry]
        const saved: Array<number> = []
        let answers = true
        const cut = Layer.mergeAll(
          Layer.succeed(Placement, { ...placement, exclusive: false }),
          Layer.succeed(WorkerRegistry, {
            ...registry,
            heartbeat: (id, doing) =>
              answers
                ? registry.heartbeat(id, doing)
                : Effect.fail(new StoreError({ reason: "unavailable", message: "cut off" }))
          }),
          Layer.succeed(HealthStore, {
            ...health,
            save: (one) => Effect.tap(health.save(one), () => Effect.sync(() => saved.push(one.outcomes.length)))
          })
        )
        const layer = layerPlatforms({ ...scriptedPlatform("assistant_a", slow, 1), timeout: Duration.minutes(1) })
        yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        const worker = yield* Effect.provide(startWorker(), Layer.merge(layer, cut))
        yield* advanceClockUntil(Effect.sync(() => asked.length > 0), { stepMs: 250, maxSteps: 200 })
        answers = false
        yield* advanceMinutes(0.5)
        expect(ended).toEqual([1])
        yield* worker.stop("1 second")
        expect(saved.filter((outcomes) => outcomes > 0)).toEqual([])
      }))),
    120_000
  )

  it.each(["stopped", "killed"])(
    "the limit per minute applies across consecutive processes, even if one was %s",
    (end) =>
      run(Effect.scoped(Effect.gen(function*() {
        const sent: Array<number> = []
        const ask: Ask = () =>
          Effect.map(Clock.currentTimeMillis, (ms) => {
            sent.push(ms)
            return scriptedAnswer("Acme.")
          })
        const organizationId = yield* initializeOrganization(20)
        const limited = { ...scriptedPlatform("assistant_e", ask, 8), model: end, requestsPerMinute: 5 }
        const layer = layerPlatforms(limited)
        const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        const health = yield* HealthStore
        let alive = true
        // What is killed writes nothing any more.
        const until = Layer.succeed(HealthStore, { ...health, save: (one) => alive ? health.save(one) : Effect.void })
        const first = yield* Effect.provide(startWorker(), Layer.merge(layer, until))
        yield* advanceClockUntil(Effect.sync(() => sent.length === 5), { stepMs: 100, maxSteps: 900 })
        alive = end === "stopped"
        yield* first.stop("1 second")
        const second = yield* Effect.provide(startWorker(), layer)
        yield* advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 2_000, maxSteps: 200 })
        yield* second.stop("1 second")
        expect(sent).toHaveLength(20)
        const inAMinute = sent.map((from) => sent.filter((ms) => ms >= from && ms < from + 60_000).length)
        expect(Math.max(...inAMinute)).toBe(5)
        // Three minutes after the first five, and what was not known of the one that was killed
        expect(sent.at(-1)! - sent[0]!).toBeLessThan(3 * 66_000 + 12_000)
      }))),
    120_000
  )
})
