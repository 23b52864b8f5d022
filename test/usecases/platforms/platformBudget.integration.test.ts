/**
 * What a platform's budget counts and stops: questions, calls without an answer, judgements; and whose judgements go
 * first. On a real database, in a test's time.
 */
import {
  ArchiveStore,
  cancelScan,
  CellStore,
  ConfiguredJudge,
  HealthStore,
  type Judge,
  type PlatformId,
  readScan,
  startScan,
  startWorker,
  StoreError,
  UsageStore
} from "@sov/core"
import { Clock, Effect, Layer } from "effect"
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
import { advanceClockUntil } from "../../support/testClock.ts"

describeAtMonthEnd((run) => {
  /** Spent in the month so far by the tests before, where each reply without a cost counts so much. */
  const spentSupposing = (id: PlatformId, eachUsd: number) =>
    Effect.flatMap(UsageStore, (usage) => usage.spentSince(id, new Date(Date.UTC(2026, 9, 1)))).pipe(
      Effect.map(({ costUsd, unpriced }) => costUsd + eachUsd * unpriced)
    )

  it(
    "calls stop at the monthly budget of all organizations, never during a call, and resume next month",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        let calls = 0
        const costly: Ask = () =>
          Effect.sync(() => calls++).pipe(
            Effect.andThen(Effect.sleep("1 second")),
            Effect.as({ ...scriptedAnswer("Acme."), usage: { inputTokens: 1, outputTokens: 1, costUsd: 0.3 } })
          )
        const [first, second] = [yield* initializeOrganization(20), yield* initializeOrganization(20)]
        const layer = layerPlatforms({ ...scriptedPlatform("assistant_d", costly, 4), monthlyBudgetUsd: 3 })
        const scans = yield* Effect.provide(
          Effect.forEach([first, second], (organizationId) => startScan(organizationId, scanRequest)),
          layer
        )
        const worker = yield* Effect.provide(startWorker(), layer)
        for (const [n, organizationId] of [first, second].entries()) {
          yield* advanceClockUntil(hasEnded(organizationId, scans[n]!.id), { stepMs: 1_000, maxSteps: 60 })
        }
        // 3 $ at 0.3 $ are ten answers; of four at once at most three more are in flight.
        expect(calls).toBeGreaterThanOrEqual(10)
        expect(calls).toBeLessThanOrEqual(13)
        const answers = yield* Effect.forEach(
          [first, second],
          (organizationId) => Effect.flatMap(ArchiveStore, (archive) => archive.stats(organizationId))
        )
        expect(answers.flat().reduce((sum, one) => sum + one.answers, 0)).toBe(calls)
        // What is in flight when the budget is reached is answered, not failed.
        const counts = yield* Effect.forEach([first, second], (organizationId, n) =>
          Effect.map(readScan(organizationId, scans[n]!.id), (report) => report.counts))
        expect(
          counts.flat().reduce((sum, one) =>
            sum + one.answered, 0)
        ).toBe(calls)
        const failed = yield* (yield* CellStore).listFailed(first, scans[0]!.id)
        expect(failed[0]).toMatchObject({ reason: "budget", attempts: 0 })
        expect(failed[0]!.message).toMatch(
          /^assistant_d: the monthly budget is reached; it resets at 2026-11-01T00:00:00\.000Z$/
        )
        yield* advanceClockUntil(Effect.map(Clock.currentTimeMillis, (ms) => ms >= Date.UTC(2026, 10, 1)), {
          stepMs: 1_000,
          maxSteps: 200
        })
        const before = calls
        const next = yield* Effect.provide(startScan(first, scanRequest), layer)
        yield* advanceClockUntil(hasEnded(first, next.id), { stepMs: 1_000, maxSteps: 60 })
        yield* worker.stop("1 second")
        expect(calls - before).toBeGreaterThanOrEqual(10)
      }))),
    120_000
  )

  it(
    "calls without an answer count towards the budget and the cost of the scan",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        let calls = 0
        const wasted: Ask = () =>
          Effect.suspend(() => {
            calls++
            const usage = { inputTokens: 10, outputTokens: 1_000, costUsd: 0.25 }
            return Effect.fail(platformError("empty", { final: true, usage }))
          })
        const organizationId = yield* initializeOrganization(30)
        const before = yield* spentSupposing("assistant_c", 0.25)
        const layer = layerPlatforms({
          ...scriptedPlatform("assistant_c", wasted, 2),
          model: "wasteful",
          prices: { perRequest: 0.25 },
          monthlyBudgetUsd: before + 1
        })
        const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        const worker = yield* Effect.provide(startWorker(), layer)
        yield* advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 1_000, maxSteps: 60 })
        yield* worker.stop("1 second")
        expect(calls).toBeGreaterThanOrEqual(4)
        expect(calls).toBeLessThanOrEqual(5)
        const { counts, spending } = yield* readScan(organizationId, scan.id)
        expect(counts).toMatchObject([{ failed: 30, calls }])
        expect(spending).toMatchObject([
          { platform: "assistant_c", answers: 0, charges: calls, outputTokens: 1_000 * calls, costUsd: 0.25 * calls }
        ])
        // The next process knows of it.
        const next = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        const second = yield* Effect.provide(startWorker(), layer)
        yield* advanceClockUntil(hasEnded(organizationId, next.id), { stepMs: 1_000, maxSteps: 60 })
        yield* second.stop("1 second")
        expect((yield* readScan(organizationId, next.id)).counts).toMatchObject([{ failed: 30, calls: 0 }])
      }))),
    120_000
  )

  it("a charge is stored only together with the end of its cell", () =>
    run(Effect.scoped(Effect.gen(function*() {
      let calls = 0
      const usage = { inputTokens: 10, outputTokens: 1_000, costUsd: 0.25 }
      const wasted: Ask = () =>
        Effect.suspend(() => (calls++, Effect.fail(platformError("empty", { final: true, usage }))))
      const organizationId = yield* initializeOrganization(1)
      const layer = layerPlatforms(scriptedPlatform("assistant_c", wasted, 1))
      const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
      const refused = new StoreError({ reason: "constraint", message: "no (23503)" })
      const cells = Effect.map(CellStore, (store) => ({ ...store, fail: () => Effect.fail(refused) }))
      const worker = yield* Effect.provide(startWorker(), Layer.merge(layer, Layer.effect(CellStore, cells)))
      yield* advanceClockUntil(Effect.sync(() => calls > 0), { stepMs: 1_000, maxSteps: 60 })
      yield* worker.stop("1 second")
      expect((yield* readScan(organizationId, scan.id)).spending).toEqual([])
      yield* cancelScan(organizationId, scan.id)
    }))))

  it.each([
    [
      "counts what is expected of a reply that names no cost",
      { prices: { perRequest: 0.5 } },
      3,
      /the monthly budget is reached/
    ],
    [
      "stops where nothing tells the cost",
      {},
      1,
      /cannot be kept: replies name no cost, and no prices are set$/
    ]
  ])(
    "a budget with replies that state no cost: it %s",
    (_, fields, expected, message) =>
      run(Effect.scoped(Effect.gen(function*() {
        let calls = 0
        const silent: Ask = () => Effect.sync(() => (calls++, scriptedAnswer("Acme.")))
        const organizationId = yield* initializeOrganization(20)
        const id = expected === 1 ? "assistant_e" : "assistant_b"
        const monthlyBudgetUsd = 1.5 + (yield* spentSupposing(id, 0.5))
        const layer = layerPlatforms({
          ...scriptedPlatform(id, silent, 1),
          ...fields,
          model: "silent",
          monthlyBudgetUsd
        })
        const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        const worker = yield* Effect.provide(startWorker(), layer)
        yield* advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 1_000, maxSteps: 60 })
        yield* worker.stop("1 second")
        expect(calls).toBe(expected)
        const failed = yield* (yield* CellStore).listFailed(organizationId, scan.id)
        expect(failed).toHaveLength(20 - expected)
        expect(failed[0]!.message).toMatch(message)
      })))
  )

  it.each([
    ["what it used", 0.5],
    ["what it is supposed to have used where it does not say so", null]
  ])(
    "the judge is asked only while the platform works and its budget lasts, and the budget counts %s",
    (_, costUsd) =>
      run(Effect.scoped(Effect.gen(function*() {
        let [calls, judged, refused] = [0, 0, 0]
        const used = { inputTokens: 1, outputTokens: 1, costUsd: 0.5 }
        const said = costUsd === null ? { inputTokens: null, outputTokens: null, costUsd } : used
        const judge: Judge = {
          platform: "assistant_d",
          by: "the judge",
          ask: ({ read }) =>
            Effect.as(Effect.sleep("2 seconds"), (judged++, { verdict: read("negative"), usage: said }))
        }
        const costly: Ask = () =>
          Effect.sync(() => calls++).pipe(
            Effect.andThen(Effect.sleep("1 second")),
            Effect.as({ ...scriptedAnswer("Acme."), usage: used })
          )
        const prices = { perRequest: 0.5 }
        const before = yield* spentSupposing("assistant_d", 0.5)
        const bound = {
          ...scriptedPlatform("assistant_d", costly, 1),
          model: "judge",
          prices,
          monthlyBudgetUsd: before + 6
        }
        const usages = yield* UsageStore
        // The database is away when the first charge is to be kept
        const away = UsageStore.of({
          ...usages,
          charge: (organizationId, charge) =>
            Effect.suspend(() =>
              refused++ === 0
                ? Effect.fail(new StoreError({ reason: "unavailable", message: "away" }))
                : usages.charge(organizationId, charge)
            )
        })
        const layer = Layer.mergeAll(
          layerPlatforms(bound),
          Layer.succeed(ConfiguredJudge, judge),
          Layer.succeed(UsageStore, away)
        )
        const organizationId = yield* initializeOrganization(20)
        const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        const worker = yield* Effect.provide(startWorker(), layer)
        yield* advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 1_000, maxSteps: 60 })
        yield* worker.stop("1 second")
        // 12 calls at 0.5 $, of questions and judgements together; one of each may be in flight at the end, or be held
        // back for what the other is supposed to cost.
        expect(judged).toBeGreaterThan(2)
        expect(calls + judged).toBeGreaterThanOrEqual(11)
        expect(calls + judged).toBeLessThanOrEqual(13)
        const { archived, spending } = yield* readScan(organizationId, scan.id)
        expect(archived).toEqual({ answers: calls, mentioned: calls })
        const unpriced = costUsd === null ? judged : 0
        expect(spending).toMatchObject([
          { answers: calls, charges: judged, costUsd: 0.5 * (calls + judged - unpriced), unpriced }
        ])
      }))),
    120_000
  )

  it(
    "the call that tests a failing platform is a question, never a judgement",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        let [calls, judged, down] = [0, 0, true]
        const judge: Judge = {
          platform: "assistant_c",
          by: "the judge",
          ask: () =>
            Effect.suspend(() => {
              judged++
              return Effect.fail(platformError("unavailable"))
            })
        }
        const dead: Ask = () =>
          Effect.suspend(() => {
            calls++
            return down ? Effect.fail(platformError("unavailable")) : Effect.succeed(scriptedAnswer("Nobody."))
          })
        const slow: Ask = () => Effect.as(Effect.sleep("20 seconds"), scriptedAnswer("Acme is excellent."))
        const layer = Layer.merge(
          layerPlatforms(
            { ...scriptedPlatform("assistant_c", dead, 1), model: "dead judge" },
            scriptedPlatform("assistant_d", slow, 20)
          ),
          Layer.succeed(ConfiguredJudge, judge)
        )
        const organizationId = yield* initializeOrganization(12)
        const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        const worker = yield* Effect.provide(startWorker(), layer)
        const archive = yield* ArchiveStore
        const byRules = Effect.map(
          archive.page(organizationId, {}, { limit: 50 }),
          (rows) => rows.filter(({ sentimentBy }) => sentimentBy === "rules").length === 12
        )
        yield* advanceClockUntil(byRules, { stepMs: 1_000, maxSteps: 200 })
        expect({ judged, tried: calls > 5 }).toEqual({ judged: 0, tried: true })
        down = false
        yield* advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 1_000, maxSteps: 120 })
        // A judge that fails counts like a question that does: it trips the breaker of its platform.
        const other = yield* initializeOrganization(12)
        const text: Ask = () => Effect.succeed(scriptedAnswer("Acme is excellent."))
        const failing = layerPlatforms({ ...scriptedPlatform("assistant_c", text, 1), model: "dead judge" })
        yield* worker.stop("1 second")
        const next = yield* Effect.provide(startWorker(), Layer.merge(failing, Layer.succeed(ConfiguredJudge, judge)))
        const second = yield* Effect.provide(startScan(other, scanRequest), failing)
        yield* advanceClockUntil(hasEnded(other, second.id), { stepMs: 1_000, maxSteps: 120 })
        yield* next.stop("1 second")
        const [health] = (yield* (yield* HealthStore).list).filter((one) => one.platform === "assistant_c")
        expect(health!.outcomes.filter((outcome) => outcome === "unavailable").length).toBe(calls - 12 + judged)
        expect(judged).toBeGreaterThan(0)
      }))),
    120_000
  )

  it(
    "organizations take turns at the judge, and so do the scans of one organization",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        let judged = 0
        const judge: Judge = {
          platform: "assistant_e",
          by: "the judge",
          ask: ({ read }) =>
            Effect.sleep("1200 millis").pipe(
              Effect.andThen(Effect.sync(() => judged++)),
              Effect.as({ verdict: read("neutral"), usage: null })
            )
        }
        const at: Ask = () => Effect.succeed(scriptedAnswer("Acme."))
        const layer = Layer.merge(
          layerPlatforms(
            { ...scriptedPlatform("assistant_e", at, 2), model: "slow judge" },
            scriptedPlatform("assistant_d", at, 30)
          ),
          Layer.succeed(ConfiguredJudge, judge)
        )
        const [many, few] = [yield* initializeOrganization(24), yield* initializeOrganization(1)]
        const onlyD = { ...scanRequest, platforms: ["assistant_d"] } as const
        const start = (organizationId: typeof many) => Effect.provide(startScan(organizationId, onlyD), layer)
        const scans = [[many, yield* start(many)], [few, yield* start(few)], [many, yield* start(many)]] as const
        const worker = yield* Effect.provide(startWorker(), layer)
        /** How many were judged when each scan had ended. */
        const over = new Map<number, number>()
        const watch = Effect.gen(function*() {
          for (const [n, [organizationId, { id }]] of scans.entries()) {
            if (over.has(n) || !(yield* hasEnded(organizationId, id))) continue
            over.set(n, judged)
          }
          return over.size === scans.length
        })
        yield* advanceClockUntil(watch, { stepMs: 300, maxSteps: 1_000 })
        yield* worker.stop("1 second")
        // 24 + 1 + 24 judgements, two at a time. Counted, since on a busy machine the clock runs ahead of the work
        expect(over.get(1)!).toBeLessThan(15)
        expect(over.get(0)!).toBeGreaterThan(33)
        expect(Math.abs(over.get(2)! - over.get(0)!)).toBeLessThan(15)
      }))),
    120_000
  )
})
