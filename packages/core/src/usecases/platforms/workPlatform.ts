import { Clock, Deferred, Effect, Exit, Latch, Option, Result, type Scope } from "effect"
import type { CellId, OrganizationId, ScanId } from "../../domain/ids.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import { type CellFailure, CellStore, type ClaimedCell, type Lane } from "../../ports/CellStore.ts"
import type { Judge } from "../../ports/SentimentJudge.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import { makeMeasurers } from "../measuring/measurers.ts"
import { askCell, type Asked } from "../scanning/askCell.ts"
import { completeWhenDone } from "../scanning/completeWhenDone.ts"
import { Bell } from "../workers/Bell.ts"
import { makeTurns } from "../workers/turns.ts"
import { makeBudget } from "./budget.ts"
import { type Call, makeCallLog } from "./callLog.ts"
import { makeHealthRecord } from "./healthRecord.ts"
import { makeRefusals } from "./refusals.ts"

/** Work is looked for at least this often, also when nobody tells of any. */
export const lookEveryMs = 2_000

interface Working {
  readonly platform: AnswerPlatform
  /** Who judges the sentiment of answers; null: the rules alone. */
  readonly judge: Judge | null
  /** Done when calls in flight must be cut: the process has to end. */
  readonly cut: Deferred.Deferred<void>
  /** Rings when there may be new work. */
  readonly news: Bell
  /** Before calls are begun: succeeds while no other process may be calling the platform (`EnteredWorker.present`). */
  readonly present: Effect.Effect<void, StoreError>
}

/** The place from which one platform is called: its limits, budget and breaker hold for all that is done here. */
export const makeWorkPlace = ({ cut, judge, news, platform, present }: Working) => {
  const freed = new Bell()
  const calls = makeCallLog(platform, freed.ring)
  return {
    platform,
    judge,
    cut,
    present,
    calls,
    health: makeHealthRecord(platform, calls),
    budget: makeBudget(platform),
    /** Hears of new work, and of calls that have ended, until the scope closes. */
    heard: (onNews: () => void, onFreed: () => void): Effect.Effect<void, never, Scope.Scope> =>
      Effect.andThen(news.hearing(onNews), freed.hearing(onFreed))
  }
}
export type WorkPlace = ReturnType<typeof makeWorkPlace>

/** Works at the place from where the last worker left it, and keeps how the platform does for the next. */
export const attend = <A, E, R>({ health }: WorkPlace, work: Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.gen(function*() {
    yield* Effect.addFinalizer(() => health.save.pipe(Effect.interruptible, Effect.timeout("2 seconds"), Effect.ignore))
    yield* health.load.pipe(
      Effect.catch((error) => Effect.logDebug("the platform's health is not known", error))
    )
    yield* health.save.pipe(
      Effect.catch((error) => Effect.logDebug("the platform's health is kept later", error)),
      Effect.delay(lookEveryMs),
      Effect.forever,
      Effect.forkScoped
    )
    return yield* work
  }))

/**
 * Asks the open cells of all running scans on one platform, within its limits, for ever. One process at a time may do
 * this. Organizations take turns, and so do the scans of one organization: whoever has little to ask is done soon,
 * whatever the others have. Interruption ends claiming; calls in flight are awaited.
 *
 * A platform that fails steadily is left alone for a while, and its cells wait; those of a scan that has waited as long
 * as a cell is retried fail. They fail at once when the month's budget is spent, or key or request are refused again and
 * again.
 */
export const workPlatform = ({ budget, calls, cut, health, heard, judge, platform, present }: WorkPlace) =>
  Effect.scoped(Effect.gen(function*() {
    const cells = yield* CellStore
    const scope = yield* Effect.scope
    const measurerOf = makeMeasurers()
    const refusals = makeRefusals()
    const turns = makeTurns<Lane>(({ organizationId }) => organizationId, ({ scanId }) => scanId)
    const inFlight = new Map<CellId, ScanId>()
    const awake = Latch.makeUnsafe(true)
    let lanes: ReadonlyArray<Lane> = []
    let lookAt = 0

    yield* heard(() => {
      lookAt = 0
      awake.openUnsafe()
    }, () => awake.openUnsafe())

    /** Completes the scan if this platform has nothing left to do in it and no other one has. */
    const completeIfLast = Effect.fnUntraced(function*(organizationId: OrganizationId, scanId: ScanId) {
      if (lanes.some((lane) => lane.scanId === scanId) || isInFlight(scanId)) return
      yield* completeWhenDone(organizationId, scanId)
    })

    const isInFlight = (scanId: ScanId) => [...inFlight.values()].includes(scanId)

    /** Fails what is open of a scan beside what is in flight. Only who claims does it: nothing is claimed meanwhile. */
    const giveUp = Effect.fnUntraced(function*(lane: Lane, failure: CellFailure) {
      yield* cells.failOpen(lane, platform.id, [...inFlight.keys()], failure)
      lanes = lanes.filter(({ scanId }) => scanId !== lane.scanId)
      yield* completeIfLast(lane.organizationId, lane.scanId)
    })

    /** Frees the call's place after its end was noted: what it cost, and what it says of the platform. */
    const ended = Effect.fnUntraced(
      function*(claimed: ClaimedCell, call: Call, outcome: Asked["outcome"]) {
        inFlight.delete(claimed.cell.id)
        const nowMs = yield* Clock.currentTimeMillis
        if (outcome === null) return yield* health.ended(call, undefined, nowMs)
        const { usage } = Result.merge(outcome)
        if (usage !== undefined) budget.note(usage.costUsd)
        yield* health.ended(call, Option.getOrNull(Result.getFailure(outcome)), nowMs)
      }
    )

    const ask = Effect.fnUntraced(
      function*(lane: Lane, claimed: ClaimedCell, call: Call) {
        const { organizationId, scanId } = lane
        const exit = yield* Effect.exit(Effect.gen(function*() {
          const { measure } = yield* measurerOf(lane)
          const judged = judge !== null && !platform.simulated
          const sent = Effect.map(Clock.currentTimeMillis, call.sent)
          const sending = { ...platform, ask: (prompt: string) => Effect.andThen(sent, platform.ask(prompt)) }
          return yield* askCell({ organizationId, platform: sending, cut, judged, measure }, claimed)
        }))
        const outcome = Exit.isSuccess(exit) ? exit.value.outcome : null
        // Before the place is free: nothing more of a refused scan is to begin.
        if (outcome !== null) {
          refusals.note(scanId, claimed.cell.keywordId, Option.getOrNull(Result.getFailure(outcome)))
        }
        yield* ended(claimed, call, outcome)
        const { due } = yield* exit
        if (due !== null) lookAt = Math.min(lookAt, due.getTime())
        yield* completeIfLast(organizationId, scanId)
      },
      (asked) =>
        asked.pipe(
          Effect.catchCause((cause) => Effect.logDebug("a question is left for later", cause))
        )
    )

    /** Claims for one lane and begins its calls; the lane leaves the line when nothing more of it is due. */
    const serve = Effect.fnUntraced(function*(lane: Lane, limit: number, nowMs: number) {
      const places = Array.from({ length: limit }, () => calls.begin())
      const leave = (unused: ReadonlyArray<Call>) =>
        Effect.sync(() => unused.forEach((call) => call.ended(null, nowMs)))
      const claim = Effect.suspend(() =>
        cells.claim(lane, platform.id, { now: new Date(nowMs), limit, inFlight: [...inFlight.keys()] })
      )
      const claimed = yield* Effect.raceFirst(
        Effect.interruptible(Effect.andThen(present, Effect.andThen(health.announce, claim))),
        Effect.as(Effect.interruptible(Deferred.await(cut)), [])
      ).pipe(Effect.onError(() => leave(places)))
      yield* leave(places.slice(claimed.length))
      const begun = claimed.map((one, n) => {
        inFlight.set(one.cell.id, lane.scanId)
        return ask(lane, one, places[n]!)
      })
      // Born uninterruptible: one that is interrupted before its first step would keep its permit for ever
      yield* Effect.forEach(begun, (one) => Effect.forkIn(one, scope, { uninterruptible: true }), { discard: true })
      if (claimed.length === limit) return
      lanes = lanes.filter((other) => other !== lane)
      yield* completeIfLast(lane.organizationId, lane.scanId)
    }, Effect.uninterruptible)

    const look = Effect.fnUntraced(function*(nowMs: number) {
      health.looked(nowMs)
      lanes = yield* cells.lanes(platform.id, platform.simulated, [...inFlight.keys()])
      const future = lanes.map(({ dueAt }) => dueAt.getTime()).filter((dueMs) => dueMs > nowMs)
      lookAt = Math.min(nowMs + lookEveryMs, ...future)
      turns.keep(lanes)
      refusals.keep(new Set([...inFlight.values(), ...lanes.map(({ scanId }) => scanId)]))
      for (const lane of lanes) {
        const failure = health.givenUp(lane.startedAt, nowMs)
        if (failure !== null) yield* giveUp(lane, failure)
      }
    })

    /** Gives up what is refused again and again, once no call is in flight that may still be answered. */
    const giveUpRefused = Effect.fnUntraced(function*() {
      for (const lane of lanes) {
        const failure = refusals.of(lane.scanId)
        if (failure === null || isInFlight(lane.scanId)) continue
        const counts = failure.reason === "rejected" ? yield* cells.counts(lane.organizationId, lane.scanId) : []
        if (counts.some((one) => one.platform === platform.id && one.answered > 0)) refusals.absolve(lane.scanId)
        else yield* giveUp(lane, failure)
      }
    })

    const dueAt = (nowMs: number) =>
      lanes.filter((lane) => lane.dueAt.getTime() <= nowMs && refusals.of(lane.scanId) === null)

    const step = Effect.gen(function*() {
      awake.closeUnsafe()
      const nowMs = yield* Clock.currentTimeMillis
      if (nowMs >= lookAt) yield* look(nowMs)
      yield* giveUpRefused()
      let due = dueAt(nowMs)
      const share = Math.ceil(calls.free(nowMs) / new Set(due.map(({ organizationId }) => organizationId)).size)
      while (due.length > 0 && calls.free(nowMs) > 0) {
        const overspent = yield* budget.reached(nowMs)
        if (overspent === null) yield* serve(turns.next(due), Math.min(share, calls.free(nowMs)), nowMs)
        else yield* Effect.forEach(lanes, (lane) => giveUp(lane, overspent), { discard: true })
        due = dueAt(nowMs)
      }
      const wakeAt = Math.min(lookAt, calls.next(nowMs) ?? Infinity)
      yield* Effect.raceFirst(awake.await, Effect.sleep(Math.max(0, wakeAt - nowMs)))
    }).pipe(
      Effect.catchCause((cause) => Effect.logDebug("work pauses", cause).pipe(Effect.andThen(Effect.sleep("1 second"))))
    )
    return yield* Effect.forever(step)
  }))
