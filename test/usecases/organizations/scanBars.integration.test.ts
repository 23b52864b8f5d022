/**
 * What keeps one organization from scanning, and no other: its suspension and the budget of its month. On a real
 * database, in a test's time.
 */
import {
  CellStore,
  ConfiguredJudge,
  estimateScan,
  type Judge,
  type OrganizationId,
  readScan,
  resumeOrganization,
  ScheduleStore,
  setOrganizationLimits,
  setSchedule,
  startScan,
  startWorker,
  suspendOrganization
} from "@sov/core"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { describeAtMonthEnd } from "../../support/platformSuite.ts"
import {
  type Ask,
  hasEnded,
  initializeOrganization,
  layerPlatforms,
  scanRequest,
  scriptedAnswer,
  scriptedPlatform
} from "../../support/scriptedPlatforms.ts"
import { advanceClockUntil } from "../../support/testClock.ts"

const slow = (costUsd: number | null): Ask => () =>
  Effect.sleep("1 second").pipe(
    Effect.as({ ...scriptedAnswer("Acme."), usage: { inputTokens: 1, outputTokens: 1, costUsd } })
  )

const answeredOf = (organizationId: OrganizationId, scanId: Parameters<typeof readScan>[1]) =>
  Effect.map(
    readScan(organizationId, scanId),
    ({ counts }) => counts.reduce((sum, { answered }) => sum + answered, 0)
  )

/** A worker while `effect` advances the clock: at its end a worker awaits its calls, which no clock would end later. */
const withWorker = <A, E, R>(platforms: ReturnType<typeof layerPlatforms>, effect: Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.andThen(Effect.provide(startWorker(), platforms), effect))

describeAtMonthEnd((run) => {
  it("a spent budget of one organization ends its own scan and prevents others until the next month", () =>
    run(Effect.gen(function*() {
      const [poor, free] = [yield* initializeOrganization(20), yield* initializeOrganization(20)]
      yield* setOrganizationLimits(poor, { monthlyBudgetUsd: 1.2 })
      const layer = layerPlatforms(scriptedPlatform("assistant_b", slow(0.3), 2))
      const [its, other] = yield* Effect.provide(
        Effect.forEach([poor, free], (organizationId) => startScan(organizationId, scanRequest)),
        layer
      )
      yield* withWorker(
        layer,
        Effect.forEach(
          [[poor, its!], [free, other!]] as const,
          ([organizationId, scan]) =>
            advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 1_000, maxSteps: 120 })
        )
      )
      // 1.2 $ at 0.3 $ are four answers; what begins within two seconds of reading the sum can exceed them
      const answered = yield* answeredOf(poor, its!.id)
      expect(answered).toBeGreaterThanOrEqual(4)
      expect(answered).toBeLessThanOrEqual(10)
      expect(yield* answeredOf(free, other!.id)).toBe(20)
      const [failed] = yield* (yield* CellStore).listFailed(poor, its!.id)
      expect(failed).toMatchObject({ reason: "budget", attempts: 0 })
      expect(failed!.message).toContain("budget of $1.20 for 2026-10 is spent")
      const refused = yield* Effect.flip(Effect.provide(startScan(poor, scanRequest), layer))
      expect(refused).toMatchObject({ _tag: "BudgetSpent", period: "2026-10", budgetUsd: 1.2 })
      expect(yield* Effect.flip(Effect.provide(estimateScan(poor, scanRequest), layer))).toMatchObject({
        _tag: "BudgetSpent"
      })
      yield* setOrganizationLimits(poor, { monthlyBudgetUsd: 100 })
      expect((yield* Effect.provide(startScan(poor, scanRequest), layer)).status).toBe("running")
    })))

  it("questions stop if the budget cannot be checked because replies state no cost", () =>
    run(Effect.gen(function*() {
      const id = yield* initializeOrganization(12)
      yield* setOrganizationLimits(id, { monthlyBudgetUsd: 50 })
      const layer = layerPlatforms(scriptedPlatform("assistant_e", slow(null), 1))
      const scan = yield* Effect.provide(startScan(id, scanRequest), layer)
      yield* withWorker(layer, advanceClockUntil(hasEnded(id, scan.id), { stepMs: 1_000, maxSteps: 120 }))
      expect(yield* answeredOf(id, scan.id)).toBeLessThan(12)
      expect(yield* Effect.flip(Effect.provide(startScan(id, scanRequest), layer))).toMatchObject({ spentUsd: null })
    })))

  it.each([
    ["a suspension", (id: OrganizationId) => suspendOrganization(id, "unpaid")],
    ["a spent budget", (id: OrganizationId) => setOrganizationLimits(id, { monthlyBudgetUsd: 0.01 })]
  ])(
    "%s stops the judge only for its organization, and the rules decide instead",
    (_, bar) =>
      run(Effect.gen(function*() {
        const [own, other] = [yield* initializeOrganization(10), yield* initializeOrganization(10, "other")]
        const judged = { own: 0, other: 0 }
        const usage = { inputTokens: 1, outputTokens: 1, costUsd: 0.1 }
        const judge: Judge = {
          platform: "assistant_d",
          by: "the judge",
          ask: ({ prompt, read }) =>
            Effect.sync(() => judged[prompt("|").includes("Acme: other") ? "other" : "own"]++).pipe(
              Effect.andThen(Effect.sleep("5 seconds")),
              Effect.as({ verdict: read("negative"), usage })
            )
        }
        const ask: Ask = (prompt) => Effect.succeed(scriptedAnswer(`Acme: ${prompt}`))
        const layer = Layer.merge(
          layerPlatforms(scriptedPlatform("assistant_a", ask), scriptedPlatform("assistant_d", ask, 1)),
          Layer.succeed(ConfiguredJudge, judge)
        )
        const request = { ...scanRequest, platforms: ["assistant_a"] } as const
        const [its, theirs] = yield* Effect.provide(
          Effect.forEach([own, other], (organizationId) => startScan(organizationId, request)),
          layer
        )
        yield* withWorker(
          layer,
          Effect.gen(function*() {
            yield* advanceClockUntil(
              Effect.map(answeredOf(own, its!.id), (answered) => answered === 10 && judged.own > 1),
              { stepMs: 1_000, maxSteps: 60 }
            )
            yield* bar(own)
            yield* advanceClockUntil(hasEnded(own, its!.id), { stepMs: 1_000, maxSteps: 120 })
            yield* advanceClockUntil(hasEnded(other, theirs!.id), { stepMs: 1_000, maxSteps: 120 })
          })
        )
        expect(judged.other).toBe(10)
        expect(judged.own).toBeGreaterThan(1)
        expect(judged.own).toBeLessThan(7)
        const ended = yield* readScan(own, its!.id)
        expect([ended.scan.status, ended.archived]).toEqual(["completed", { answers: 10, mentioned: 10 }])
      }))
  )

  it("a suspension ends a running scan with its answers and prevents new scans, and the schedule states the reason", () =>
    run(Effect.gen(function*() {
      const [own, other] = [yield* initializeOrganization(20), yield* initializeOrganization(20)]
      const layer = layerPlatforms(scriptedPlatform("assistant_c", slow(0), 2))
      const [its, theirs] = yield* Effect.provide(
        Effect.forEach([own, other], (organizationId) => startScan(organizationId, scanRequest)),
        layer
      )
      yield* Effect.provide(
        setSchedule(own, { cron: "* * * * *", timeZone: "UTC", samples: 1 }),
        layer
      )
      const schedules = yield* ScheduleStore
      yield* withWorker(
        layer,
        Effect.gen(function*() {
          yield* advanceClockUntil(
            Effect.map(answeredOf(own, its!.id), (answered) => answered >= 2),
            { stepMs: 1_000, maxSteps: 60 }
          )
          yield* suspendOrganization(own, "unpaid")
          yield* advanceClockUntil(hasEnded(own, its!.id), { stepMs: 1_000, maxSteps: 60 })
          yield* advanceClockUntil(hasEnded(other, theirs!.id), { stepMs: 1_000, maxSteps: 120 })
          const answered = yield* answeredOf(own, its!.id)
          expect(answered).toBeGreaterThanOrEqual(2)
          expect(answered).toBeLessThan(20)
          expect((yield* readScan(own, its!.id)).scan.status).toBe("completed")
          expect((yield* (yield* CellStore).listFailed(own, its!.id))[0]).toMatchObject({
            reason: "suspended",
            attempts: 0
          })
          expect(yield* answeredOf(other, theirs!.id)).toBe(20)
          const refused = yield* Effect.flip(Effect.provide(startScan(own, scanRequest), layer))
          expect(refused).toMatchObject({ _tag: "OrganizationSuspended", reason: "unpaid" })
          yield* advanceClockUntil(
            Effect.map(schedules.lastRun(own), (run) => run?.skipped?.reason === "suspended"),
            { stepMs: 10_000, maxSteps: 60 }
          )
        })
      )
      expect((yield* schedules.lastRun(own))?.skipped?.message).toContain("(unpaid)")
      yield* resumeOrganization(own)
      expect((yield* Effect.provide(startScan(own, scanRequest), layer)).status).toBe("running")
    })))
})
