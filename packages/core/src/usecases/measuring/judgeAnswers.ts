import { Clock, Deferred, Effect, Result, Schedule } from "effect"
import type { AnswerId, ScanId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import type { Sentiment } from "../../domain/measuring/Measurement.ts"
import { sentimentQuestion } from "../../domain/measuring/sentimentQuestion.ts"
import { breakerState } from "../../domain/platforms/Breaker.ts"
import type { Charge } from "../../domain/platforms/Cost.ts"
import type { AnalysisError } from "../../ports/AnswerAnalysis.ts"
import type { PlatformError } from "../../ports/AnswerPlatform.ts"
import type { Judge, Judgement } from "../../ports/Judge.ts"
import { MeasurementStore, type StoredMeasurement, type Unmeasured } from "../../ports/MeasurementStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import { UsageStore } from "../../ports/UsageStore.ts"
import type { Call } from "../platforms/callLimiter.ts"
import { newCharge } from "../platforms/newCharge.ts"
import { makeOrganizationBars } from "../platforms/organizationBars.ts"
import type { PlatformWorker } from "../platforms/platformWorker.ts"
import { completeWhenDone } from "../scanning/completeWhenDone.ts"
import { makeFairScheduler } from "../workers/makeFairScheduler.ts"
import { makePollLoop, pollIntervalMs } from "../workers/pollLoop.ts"
import { noteFailure } from "./measurePage.ts"
import { makeMeasurers, type TrackedSetKey } from "./measurers.ts"
import { completionDeadline } from "./measureStored.ts"

/** Longer answers are left to the rules, because a cut answer could lose the passage that decides. UTF-16 units. */
const maxAnswerChars = 60_000

/** An answer that waits for the judge, and the tracked set to measure it with. */
interface WaitingAnswer {
  readonly tracked: TrackedSetKey
  readonly scanId: ScanId
  readonly answer: Unmeasured
}

/**
 * Lets the judge decide the stance of unmeasured answers in running scans, within the limits of its platform, until
 * interrupted. Organizations take turns, and so do the scans of one organization. The rules decide where the judge
 * gives no stance, its budget is spent or its calls fail, and for an organization that is suspended or
 * whose own budget is spent. Calls in flight are awaited at the end.
 */
export const judgeAnswers = (
  judge: Judge,
  { abort, assertLease, budget, callEnded, calls, health, newWork, platform }: PlatformWorker
) =>
  Effect.scoped(Effect.gen(function*() {
    const [measurements, scans, usages] = yield* Effect.all([MeasurementStore, ScanStore, UsageStore])
    const scope = yield* Effect.scope
    const measurerOf = makeMeasurers(completionDeadline)
    const bars = makeOrganizationBars(platform)
    const scheduler = makeFairScheduler<WaitingAnswer>(({ tracked }) => tracked.organizationId, ({ scanId }) => scanId)
    const inFlight = new Set<AnswerId>()
    /** Answers of running scans that could not be measured. Without this list, each turn would try them again */
    const unmeasurable = new Map<AnswerId, ScanId>()
    const loop = makePollLoop()
    let waiting: ReadonlyArray<WaitingAnswer> = []
    let nextReadAt = 0
    yield* newWork.subscribe(() => {
      nextReadAt = 0
      loop.wake()
    })
    yield* callEnded.subscribe(loop.wake)

    const measureByRules = Effect.fnUntraced(function*({ answer, tracked }: WaitingAnswer) {
      const { measure, set } = yield* measurerOf(tracked)
      return { set, measurement: yield* measure(answer) }
    })

    const noteUnmeasurable = Effect.fnUntraced(
      function*({ answer: { answerId }, scanId, tracked }: WaitingAnswer, error: AnalysisError) {
        unmeasurable.set(answerId, scanId)
        yield* noteFailure(tracked, answerId, error)
        yield* completeWhenDone(tracked.organizationId, scanId)
      }
    )

    /** Repeats until it succeeds, or until the process must end */
    const retrying = {
      schedule: Schedule.spaced("1 second"),
      while: ({ reason }: StoreError) =>
        reason !== "constraint" && reason !== "internal" && !Deferred.isDoneUnsafe(abort)
    }

    /**
     * Stores a measurement, and retries because a judgement that is not stored would be requested, and paid for, again.
     */
    const keepMeasurement = Effect.fnUntraced(
      function*({ scanId, tracked }: WaitingAnswer, measurement: StoredMeasurement) {
        yield* Effect.retry(measurements.insert(tracked.organizationId, [measurement]), retrying)
        yield* completeWhenDone(tracked.organizationId, scanId)
      }
    )

    /** Stores a charge, and retries because a charge that is not stored would be missing from the budget. */
    const keepCharge = ({ tracked }: WaitingAnswer, charge: Charge) =>
      usages.charge(tracked.organizationId, charge).pipe(
        Effect.retry(retrying),
        Effect.catch(({ message }) =>
          Effect.logWarning(`what a judgement of ${platform.id} used is not kept: ${message}`)
        )
      )

    /** Records how the call ended and what it used. */
    const recordCallEnd = Effect.fnUntraced(function*(
      one: WaitingAnswer,
      call: Call,
      outcome: Result.Result<Judgement<Sentiment>, PlatformError>
    ) {
      const { usage } = Result.merge(outcome)
      const asked = Result.isFailure(outcome) || usage !== null
      if (usage != null) budget.record(usage.costUsd)
      const error = Result.isFailure(outcome) ? outcome.failure : null
      yield* health.recordCallEnd(call, asked ? error : undefined, yield* Clock.currentTimeMillis)
      if (usage == null) return
      yield* keepCharge(one, yield* newCharge({ scanId: one.scanId, platform: platform.id, kind: "judgement", usage }))
    })

    const judgeAnswer = Effect.fnUntraced(function*(one: WaitingAnswer, call: Call) {
      const { measurement, set } = yield* measureByRules(one)
      let sentiment: Sentiment | null = null
      // An answer that names no entity has no stance (M16), for whatever reason it is unmeasured
      const { answer: { rawResponse }, tracked: { organizationId } } = one
      const isAsked = measurement.brandMentioned && rawResponse.length <= maxAnswerChars
      if (isAsked && (yield* bars.find(organizationId, yield* Clock.currentTimeMillis)) === null) {
        call.markSent(yield* Clock.currentTimeMillis)
        const outcome = yield* Effect.result(judge.ask(sentimentQuestion(set.brand.name, rawResponse))).pipe(
          Effect.catchDefect(() => Effect.succeed(Result.succeed({ verdict: null, usage: null })))
        )
        yield* Effect.uninterruptible(recordCallEnd(one, call, outcome))
        sentiment = Result.isSuccess(outcome) ? outcome.success.verdict : null
      }
      yield* keepMeasurement(
        one,
        sentiment === null ? measurement : { ...measurement, sentiment, sentimentBy: judge.by }
      )
    })

    const forkJudgement = (one: WaitingAnswer, call: Call) => {
      inFlight.add(one.answer.answerId)
      return Effect.raceFirst(
        Effect.interruptible(
          Effect.catchTag(judgeAnswer(one, call), "AnalysisError", (error) => noteUnmeasurable(one, error))
        ),
        Effect.interruptible(Deferred.await(abort))
      ).pipe(
        Effect.catchCause((cause) => Effect.logDebug("a judgement is left for later", cause)),
        Effect.ensuring(Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
          Effect.sync(() => {
            inFlight.delete(one.answer.answerId)
            call.markEnded(null, nowMs)
          }))),
        Effect.forkIn(scope, { uninterruptible: true })
      )
    }

    const readWaitingAnswers = Effect.fnUntraced(function*(nowMs: number) {
      const running = yield* scans.listRunning
      const ids = new Set(running.map(({ scan }) => scan.id))
      for (const [answerId, scanId] of unmeasurable) if (!ids.has(scanId)) unmeasurable.delete(answerId)
      const limit = inFlight.size + unmeasurable.size + 2 * platform.concurrency
      const found: Array<WaitingAnswer> = []
      for (const { organizationId, scan } of running) {
        if (scan.simulated) continue
        const tracked = { organizationId, trackedSetVersion: scan.trackedSetVersion }
        const versions = { measureVersion, trackedSetVersion: scan.trackedSetVersion }
        const answers = yield* measurements.unmeasured(organizationId, scan.id, versions, limit)
        for (const answer of answers) {
          const { answerId } = answer
          if (!inFlight.has(answerId) && !unmeasurable.has(answerId)) found.push({ tracked, scanId: scan.id, answer })
        }
      }
      waiting = found
      scheduler.retain(found)
      nextReadAt = nowMs + pollIntervalMs
    })

    /** Removes and returns the next waiting answers, at most `limit`. */
    const takeNextAnswers = (limit: number): ReadonlyArray<WaitingAnswer> => {
      const lines = [...Map.groupBy(waiting, ({ scanId }) => scanId).values()]
      const taken: Array<WaitingAnswer> = []
      while (taken.length < limit) {
        const first = lines.flatMap((line) => line.slice(0, 1))
        if (first.length === 0) break
        const next = scheduler.next(first)
        taken.push(next)
        lines.find(([one]) => one === next)!.shift()
      }
      waiting = lines.flat()
      return taken
    }

    /** Begins as many judgements as the limits allow, and returns their number. */
    const startJudgements = Effect.fnUntraced(function*(free: number, nowMs: number) {
      const first = takeNextAnswers(free)
      if (first.length === 0) return 0
      const places = first.map(() => calls.begin())
      yield* Effect.interruptible(Effect.andThen(assertLease, health.saveBeforeCalls)).pipe(
        Effect.onError(() => Effect.sync(() => places.forEach((call) => call.markEnded(null, nowMs))))
      )
      yield* Effect.forEach(first, (one, n) => forkJudgement(one, places[n]!), { discard: true })
      return first.length
    }, Effect.uninterruptible)

    /**
     * Measures all waiting answers by the rules and returns their number, because the platform's calls are now needed
     * for questions.
     */
    const measureAllByRules = Effect.gen(function*() {
      const all = waiting
      for (const one of all) {
        yield* measureByRules(one).pipe(
          Effect.flatMap(({ measurement }) => keepMeasurement(one, measurement)),
          Effect.catchTag("AnalysisError", (error) => noteUnmeasurable(one, error))
        )
      }
      waiting = []
      return all.length
    })

    const canCallJudge = Effect.fnUntraced(function*(nowMs: number) {
      return breakerState(calls.readBreaker(), nowMs) === "closed" && (yield* budget.reached(nowMs)) === null &&
        (yield* health.noCreditReason(nowMs)) === null
    })

    const poll = Effect.fnUntraced(function*(nowMs: number) {
      if (nowMs >= nextReadAt) yield* readWaitingAnswers(nowMs)
      const served = yield* (yield* canCallJudge(nowMs))
        ? startJudgements(calls.countFree(nowMs), nowMs)
        : measureAllByRules
      if (served > 0 && waiting.length === 0) nextReadAt = 0
      return Math.min(nextReadAt, calls.findNextStart(nowMs) ?? Infinity) - nowMs
    })
    return yield* loop.run({ onFailure: "judging pauses", poll })
  }))
