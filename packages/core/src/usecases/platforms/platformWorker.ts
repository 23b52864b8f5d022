import { Cause, Clock, Deferred, Effect, Exit, Option, Result, type Scope } from "effect"
import type { CellId, OrganizationId, ScanId } from "../../domain/ids.ts"
import { concerns, type NewWork } from "../../domain/workers/NewWork.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import { type CellFailure, CellStore, type ClaimedCell, type NamedScan, type ScanQueue } from "../../ports/CellStore.ts"
import type { Judge } from "../../ports/SentimentJudge.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import { makeMeasurers } from "../measuring/measurers.ts"
import { archiveDeadline } from "../measuring/measureStored.ts"
import { askCell, type AskResult } from "../scanning/askCell.ts"
import { completeWhenDone } from "../scanning/completeWhenDone.ts"
import { makeFairScheduler } from "../workers/makeFairScheduler.ts"
import { makePollLoop, pollIntervalMs } from "../workers/pollLoop.ts"
import { ReadPlan } from "../workers/ReadPlan.ts"
import { WakeSignal } from "../workers/WakeSignal.ts"
import { makeBudget } from "./budget.ts"
import { type Call, makeCallLimiter } from "./callLimiter.ts"
import { makeHealthRecord } from "./healthRecord.ts"
import { makeRefusals } from "./refusals.ts"
import { reportEnded } from "./reportEnded.ts"

interface PlatformWorkerOptions {
  readonly platform: AnswerPlatform
  /** The judge of sentiment; null = the rules alone. */
  readonly judge: Judge | null
  /** Done when calls in flight must be aborted: the process has to end. */
  readonly abort: Deferred.Deferred<void>
  /** Notifies when there may be new work. */
  readonly newWork: WakeSignal<NewWork>
  /** Run before calls begin: succeeds while no other process may be calling the platform (`WorkerRegistration`). */
  readonly assertLease: Effect.Effect<void, StoreError>
}

/** One platform with its limits, budget, breaker and health: shared by everything in this process that calls it. */
export const makePlatformWorker = ({ abort, assertLease, judge, newWork, platform }: PlatformWorkerOptions) => {
  const callEnded = new WakeSignal()
  const calls = makeCallLimiter(platform, callEnded.notify)
  return {
    platform,
    judge,
    abort,
    assertLease,
    calls,
    health: makeHealthRecord(platform, calls),
    budget: makeBudget(platform),
    /** Calls one listener when there may be new work, the other when a call has ended, until the scope closes. */
    subscribe: (onNewWork: (work: NewWork) => void, onCallEnded: () => void): Effect.Effect<void, never, Scope.Scope> =>
      Effect.andThen(newWork.subscribe(onNewWork), callEnded.subscribe(onCallEnded))
  }
}
export type PlatformWorker = ReturnType<typeof makePlatformWorker>

/** Runs `work` with the platform's health as the last worker saved it, and saves it for the next one. */
export const withSavedHealth = <A, E, R>({ health }: PlatformWorker, work: Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.gen(function*() {
    yield* Effect.addFinalizer(() => health.save.pipe(Effect.interruptible, Effect.timeout("2 seconds"), Effect.ignore))
    yield* health.load.pipe(
      Effect.catch((error) => Effect.logDebug("the platform's health could not be loaded", error))
    )
    yield* health.save.pipe(
      Effect.catch((error) => Effect.logDebug("the platform's health could not be saved and is saved later", error)),
      Effect.delay(pollIntervalMs),
      Effect.forever,
      Effect.forkScoped
    )
    return yield* work
  }))

/**
 * Asks the open cells of all running scans on one platform, within its limits, until interrupted. One process at a time
 * may do this. Organizations take turns, and so do the scans of one organization: a small scan ends soon, however large
 * the others are. Interruption ends claiming; calls in flight are awaited.
 *
 * A platform that fails steadily is not called for a while, and its cells wait; those of a scan that has waited as long
 * as a cell is retried fail. They fail at once when the month's budget is spent, when the API or the model has ended,
 * or when key or request are refused again and again.
 */
export const runPlatformWorker = (
  { abort, assertLease, budget, calls, health, judge, platform, subscribe }: PlatformWorker
) =>
  Effect.scoped(Effect.gen(function*() {
    const cells = yield* CellStore
    const scope = yield* Effect.scope
    const measurerOf = makeMeasurers(archiveDeadline)
    const refusals = makeRefusals()
    const reported = new Set<ScanId>()
    const scheduler = makeFairScheduler<ScanQueue>(({ organizationId }) => organizationId, ({ scanId }) => scanId)
    const inFlight = new Map<CellId, ScanId>()
    const loop = makePollLoop()
    let queues: ReadonlyArray<ScanQueue> = []
    const reads = new ReadPlan<NamedScan>(({ scanId }) => scanId)

    yield* subscribe((work) => {
      if (!concerns(work, "scan")) return
      if (work.of === "scan") reads.readAt(work, 0)
      else reads.readAll()
      loop.wake()
    }, loop.wake)

    /** Completes the scan if this platform has nothing left to do in it and no other one has. */
    const completeIfLast = Effect.fnUntraced(function*(organizationId: OrganizationId, scanId: ScanId) {
      if (queues.some((queue) => queue.scanId === scanId) || isInFlight(scanId)) return
      yield* completeWhenDone(organizationId, scanId)
    })

    const isInFlight = (scanId: ScanId) => [...inFlight.values()].includes(scanId)

    /**
     * Fails what is open of a scan beside what is in flight. Runs in the claiming loop: nothing is claimed meanwhile.
     */
    const giveUpScan = Effect.fnUntraced(function*(queue: ScanQueue, failure: CellFailure) {
      yield* cells.failOpen(queue, platform.id, [...inFlight.keys()], failure)
      queues = queues.filter(({ scanId }) => scanId !== queue.scanId)
      yield* completeIfLast(queue.organizationId, queue.scanId)
    })

    /** Records a call's end, what it cost and what it shows of the platform; then another call may begin. */
    const recordCallEnd = Effect.fnUntraced(
      function*(claimed: ClaimedCell, call: Call, outcome: AskResult["outcome"]) {
        inFlight.delete(claimed.cell.id)
        const nowMs = yield* Clock.currentTimeMillis
        if (outcome === null) return yield* health.recordCallEnd(call, undefined, nowMs)
        const { usage } = Result.merge(outcome)
        if (usage !== undefined) budget.record(usage.costUsd)
        yield* health.recordCallEnd(call, Option.getOrNull(Result.getFailure(outcome)), nowMs)
      }
    )

    /** Reports once a scan that API or model have ended. Trouble with it costs no cell. */
    const reportIfEnded = Effect.fnUntraced(
      function*(organizationId: OrganizationId, scanId: ScanId) {
        const failure = refusals.giveUpReason(scanId)
        if (failure?.reason !== "ended" || reported.has(scanId)) return
        reported.add(scanId)
        yield* reportEnded(organizationId, platform, failure.message)
      },
      Effect.catchCause((cause) => Effect.logWarning("the end of a platform could not be reported by e-mail", cause))
    )

    const askClaimedCell = Effect.fnUntraced(
      function*(queue: ScanQueue, claimed: ClaimedCell, call: Call) {
        const { organizationId, scanId } = queue
        const exit = yield* Effect.exit(Effect.gen(function*() {
          const measurer = yield* measurerOf(queue)
          const judged = judge !== null && !platform.simulated
          const sent = Effect.map(Clock.currentTimeMillis, call.markSent)
          const sending = { ...platform, ask: (prompt: string) => Effect.andThen(sent, platform.ask(prompt)) }
          return yield* askCell({ organizationId, platform: sending, abort, judged, measurer }, claimed)
        }))
        const outcome = Exit.isSuccess(exit) ? exit.value.outcome : null
        // Before another call may begin: it must not be of a scan that has just been refused
        if (outcome !== null) {
          refusals.record(scanId, claimed.cell.keywordId, Option.getOrNull(Result.getFailure(outcome)))
        }
        yield* recordCallEnd(claimed, call, outcome)
        yield* reportIfEnded(organizationId, scanId)
        const { due } = yield* exit
        if (due !== null) {
          reads.readAt(queue, due.getTime())
          loop.wake()
        }
        yield* completeIfLast(organizationId, scanId)
      },
      (asked) =>
        asked.pipe(
          Effect.catchCause((cause) =>
            Cause.hasDies(cause)
              ? Effect.logError("a question meets a fault and is asked later", cause)
              : Effect.logDebug("a question is asked later", cause)
          )
        )
    )

    /**
     * Claims up to `limit` cells of one scan and begins their calls; drops the queue when nothing more of it is due.
     */
    const startCalls = Effect.fnUntraced(function*(queue: ScanQueue, limit: number, nowMs: number) {
      const begun = Array.from({ length: limit }, () => calls.begin())
      const releaseCalls = (unused: ReadonlyArray<Call>) =>
        Effect.sync(() => unused.forEach((call) => call.markEnded(null, nowMs)))
      const claimCells = Effect.suspend(() =>
        cells.claim(queue, platform.id, { now: new Date(nowMs), limit, inFlight: [...inFlight.keys()] })
      )
      const claimed = yield* Effect.raceFirst(
        Effect.interruptible(Effect.andThen(assertLease, Effect.andThen(health.saveBeforeCalls, claimCells))),
        Effect.as(Effect.interruptible(Deferred.await(abort)), [])
      ).pipe(Effect.onError(() => releaseCalls(begun)))
      yield* releaseCalls(begun.slice(claimed.length))
      const asking = claimed.map((one, n) => {
        inFlight.set(one.cell.id, queue.scanId)
        return askClaimedCell(queue, one, begun[n]!)
      })
      // Forked uninterruptible: interrupted before its first step, it would never give its slot back
      yield* Effect.forEach(asking, (one) => Effect.forkIn(one, scope, { uninterruptible: true }), { discard: true })
      if (claimed.length === limit) return
      queues = queues.filter((other) => other !== queue)
      yield* completeIfLast(queue.organizationId, queue.scanId)
    }, Effect.uninterruptible)

    /** Forgets scans that have nothing left to do; for when all of them have just been read. */
    const forgetOthers = () => {
      scheduler.retain(queues)
      const known = new Set([...inFlight.values(), ...queues.map(({ scanId }) => scanId)])
      refusals.retain(known)
      for (const scanId of reported) if (!known.has(scanId)) reported.delete(scanId)
    }

    const readQueues = Effect.fnUntraced(function*(nowMs: number, which: "all" | ReadonlyArray<NamedScan>) {
      health.recordPoll(nowMs)
      const found = yield* cells.queues(platform.id, platform.simulated, [...inFlight.keys()], which).pipe(
        Effect.onError(() => Effect.sync(() => reads.recordFailure()))
      )
      reads.recordRead(nowMs, yield* Clock.currentTimeMillis)
      if (which === "all") {
        queues = found
        forgetOthers()
      } else {
        const named = new Set(which.map(({ scanId }) => scanId))
        queues = [...queues.filter(({ scanId }) => !named.has(scanId)), ...found]
      }
      for (const queue of queues) {
        const failure = health.giveUpReason(queue.startedAt, nowMs)
        if (failure !== null) yield* giveUpScan(queue, failure)
      }
    })

    /** Gives up scans that are refused again and again, once no call is in flight that may still be answered. */
    const giveUpRefusedScans = Effect.fnUntraced(function*() {
      for (const queue of queues) {
        const failure = refusals.giveUpReason(queue.scanId)
        if (failure === null || isInFlight(queue.scanId)) continue
        const unproven = failure.reason === "rejected" || (failure.reason === "ended" && failure.status === 404)
        const counts = unproven ? yield* cells.counts(queue.organizationId, queue.scanId) : []
        if (counts.some((one) => one.platform === platform.id && one.answered > 0)) refusals.recordAnswer(queue.scanId)
        else yield* giveUpScan(queue, failure)
      }
    })

    /** When the next queue that waits is due. */
    const findNextDue = (nowMs: number) =>
      queues.reduce((next, { dueAt }) => dueAt.getTime() > nowMs ? Math.min(next, dueAt.getTime()) : next, Infinity)

    const findDueQueues = (nowMs: number) =>
      queues.filter((queue) => queue.dueAt.getTime() <= nowMs && refusals.giveUpReason(queue.scanId) === null)

    const poll = Effect.fnUntraced(function*(nowMs: number) {
      const which = reads.take(nowMs, findDueQueues(nowMs).length > 0)
      if (which !== null) yield* readQueues(nowMs, which)
      yield* giveUpRefusedScans()
      let due = findDueQueues(nowMs)
      const share = Math.ceil(calls.countFree(nowMs) / new Set(due.map(({ organizationId }) => organizationId)).size)
      while (due.length > 0 && calls.countFree(nowMs) > 0) {
        const overspent = yield* budget.reached(nowMs)
        if (overspent === null) yield* startCalls(scheduler.next(due), Math.min(share, calls.countFree(nowMs)), nowMs)
        else yield* Effect.forEach(queues, (queue) => giveUpScan(queue, overspent), { discard: true })
        due = findDueQueues(nowMs)
      }
      const nextRead = reads.findNext(due.length > 0)
      return Math.min(nextRead, findNextDue(nowMs), calls.findNextStart(nowMs) ?? Infinity) - nowMs
    })
    return yield* loop.run({ onFailure: "asking the platform pauses", poll })
  }))
