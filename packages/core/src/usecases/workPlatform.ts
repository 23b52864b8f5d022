import { Clock, Deferred, Effect, Latch, type Scope } from "effect"
import type { CellId, OrganizationId, ScanId } from "../domain/ids.ts"
import type { AnswerPlatform } from "../ports/AnswerPlatform.ts"
import { CellStore, type ClaimedCell, type Lane } from "../ports/CellStore.ts"
import type { Judge } from "../ports/SentimentJudge.ts"
import { askCell } from "./askCell.ts"
import { Bell } from "./Bell.ts"
import { type CallLog, makeCallLog } from "./callLog.ts"
import { completeWhenDone } from "./completeWhenDone.ts"
import { makeMeasurers } from "./measurers.ts"
import { makeTurns } from "./turns.ts"

/** Work is looked for at least this often, also when nobody tells of any. */
export const lookEveryMs = 2_000

/** Where one platform is called from: its limits hold for all that is done here. */
export interface WorkPlace {
  readonly platform: AnswerPlatform
  readonly calls: CallLog
  /** Who judges the sentiment of answers; null: the rules alone. */
  readonly judge: Judge | null
  /** Done when calls in flight must be cut: the process has to end. */
  readonly cut: Deferred.Deferred<void>
  /** Hears of new work, and of calls that have ended, until the scope closes. */
  readonly heard: (news: () => void, freed: () => void) => Effect.Effect<void, never, Scope.Scope>
}

/** The place from which a platform is called; `news` rings when there may be new work. */
export const makeWorkPlace = (
  { cut, judge, news, platform }: Pick<WorkPlace, "platform" | "judge" | "cut"> & { readonly news: Bell }
): WorkPlace => {
  const freed = new Bell()
  return {
    platform,
    judge,
    cut,
    calls: makeCallLog(platform, freed.ring),
    heard: (onNews, onFreed) => Effect.andThen(news.hearing(onNews), freed.hearing(onFreed))
  }
}

/**
 * Asks the open cells of all running scans on one platform, within its limits, for ever. One process at a time may do
 * this. Organizations take turns, and so do the scans of one organization: whoever has little to ask is done soon,
 * whatever the others have. Interruption ends claiming; calls in flight are awaited.
 */
export const workPlatform = ({ calls, cut, heard, judge, platform }: WorkPlace) =>
  Effect.scoped(Effect.gen(function*() {
    const cells = yield* CellStore
    const scope = yield* Effect.scope
    const measurerOf = makeMeasurers()
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
      if (lanes.some((lane) => lane.scanId === scanId) || [...inFlight.values()].includes(scanId)) return
      yield* completeWhenDone(organizationId, scanId)
    })

    const ask = Effect.fnUntraced(function*(lane: Lane, claimed: ClaimedCell) {
      const { organizationId, scanId } = lane
      yield* Effect.gen(function*() {
        const { measure } = yield* measurerOf(lane)
        const judged = judge !== null && !platform.simulated
        const due = yield* askCell({ organizationId, platform, cut, judged, measure }, claimed)
        if (due !== null) lookAt = Math.min(lookAt, due.getTime())
      }).pipe(Effect.ensuring(Effect.sync(() => {
        inFlight.delete(claimed.cell.id)
        calls.end()
      })))
      yield* completeIfLast(organizationId, scanId)
    }, (asked) =>
      asked.pipe(
        Effect.catchCause((cause) => Effect.logDebug("a question is left for later", cause))
      ))

    /** Claims for one lane and begins its calls; the lane leaves the line when nothing more of it is due. */
    const serve = Effect.fnUntraced(function*(lane: Lane, limit: number, nowMs: number) {
      const claimed = yield* Effect.raceFirst(
        Effect.interruptible(
          cells.claim(lane, platform.id, { now: new Date(nowMs), limit, inFlight: [...inFlight.keys()] })
        ),
        Effect.as(Effect.interruptible(Deferred.await(cut)), [])
      )
      for (const one of claimed) {
        calls.begin(nowMs)
        inFlight.set(one.cell.id, lane.scanId)
      }
      // Born uninterruptible: one that is interrupted before its first step would keep its permit for ever
      yield* Effect.forEach(claimed, (one) => Effect.forkIn(ask(lane, one), scope, { uninterruptible: true }), {
        discard: true
      })
      if (claimed.length === limit) return
      lanes = lanes.filter((other) => other !== lane)
      yield* completeIfLast(lane.organizationId, lane.scanId)
    }, Effect.uninterruptible)

    const look = Effect.fnUntraced(function*(nowMs: number) {
      lanes = yield* cells.lanes(platform.id, platform.simulated, [...inFlight.keys()])
      const future = lanes.map(({ dueAt }) => dueAt.getTime()).filter((dueMs) => dueMs > nowMs)
      lookAt = Math.min(nowMs + lookEveryMs, ...future)
      turns.keep(lanes)
    })

    const dueAt = (nowMs: number) => lanes.filter((lane) => lane.dueAt.getTime() <= nowMs)

    const step = Effect.gen(function*() {
      awake.closeUnsafe()
      const nowMs = yield* Clock.currentTimeMillis
      if (nowMs >= lookAt) yield* look(nowMs)
      let due = dueAt(nowMs)
      const share = Math.ceil(calls.free(nowMs) / new Set(due.map(({ organizationId }) => organizationId)).size)
      while (due.length > 0 && calls.free(nowMs) > 0) {
        yield* serve(turns.next(due), Math.min(share, calls.free(nowMs)), nowMs)
        due = dueAt(nowMs)
      }
      const wakeAt = Math.min(lookAt, calls.next(nowMs) ?? Infinity)
      yield* Effect.raceFirst(awake.await, Effect.sleep(Math.max(0, wakeAt - nowMs)))
    }).pipe(
      Effect.catchCause((cause) => Effect.logDebug("work pauses", cause).pipe(Effect.andThen(Effect.sleep("1 second"))))
    )

    return yield* Effect.forever(step)
  }))
