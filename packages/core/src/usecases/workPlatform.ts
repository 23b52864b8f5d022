import { Clock, Deferred, Effect, Latch } from "effect"
import type { CellId, OrganizationId, ScanId } from "../domain/ids.ts"
import type { AnswerPlatform } from "../ports/AnswerPlatform.ts"
import { CellStore, type ClaimedCell, type Lane } from "../ports/CellStore.ts"
import { TrackedSetStore } from "../ports/TrackedSetStore.ts"
import { askCell } from "./askCell.ts"
import { makeCallLog } from "./callLog.ts"
import { completeScan } from "./completeScan.ts"
import { measurerFor } from "./measureStored.ts"
import { makeTurns } from "./turns.ts"

/** Open work is looked for at least this often, also when nobody tells of any. */
const lookEveryMs = 2_000

/** Wakes workers: there may be new work. */
export class Bell {
  readonly #ears = new Set<() => void>()
  readonly ring = (): void => {
    for (const hear of this.#ears) hear()
  }
  readonly hearing = (hear: () => void) =>
    Effect.acquireRelease(
      Effect.sync(() => this.#ears.add(hear)),
      () => Effect.sync(() => this.#ears.delete(hear))
    )
}

/**
 * Asks the open cells of all running scans on one platform, within its limits, for ever. One process at a time may do
 * this. Organizations take turns, and so do the scans of one organization: whoever has little to ask is done soon,
 * whatever the others have. Interruption ends claiming; calls in flight are awaited.
 */
export const workPlatform = (platform: AnswerPlatform, bell: Bell, cut: Deferred.Deferred<void>) =>
  Effect.scoped(Effect.gen(function*() {
    const cells = yield* CellStore
    const scope = yield* Effect.scope
    const callLog = makeCallLog(platform)
    const turns = makeTurns<Lane>(({ organizationId }) => organizationId, ({ scanId }) => scanId)
    const inFlight = new Map<CellId, ScanId>()
    const measurers = new Map<string, Effect.Success<ReturnType<typeof measurerFor>>>()
    const awake = Latch.makeUnsafe(true)
    let lanes: ReadonlyArray<Lane> = []
    let lookAt = 0

    yield* bell.hearing(() => {
      lookAt = 0
      awake.openUnsafe()
    })

    const measurer = Effect.fnUntraced(function*({ organizationId, trackedSetVersion }: Lane) {
      const key = `${organizationId}/${trackedSetVersion}`
      const known = measurers.get(key)
      if (known !== undefined) return known
      const set = yield* (yield* TrackedSetStore).find(organizationId, trackedSetVersion)
      const measure = yield* measurerFor(set!)
      measurers.set(key, measure)
      return measure
    })

    /** Completes the scan if this platform has nothing left to do in it and no other one has. */
    const completeIfLast = Effect.fnUntraced(function*(organizationId: OrganizationId, scanId: ScanId) {
      if (lanes.some((lane) => lane.scanId === scanId) || [...inFlight.values()].includes(scanId)) return
      if (!(yield* cells.anyOpen(organizationId, scanId))) yield* completeScan(organizationId, scanId)
    })

    const ask = Effect.fnUntraced(function*(lane: Lane, claimed: ClaimedCell) {
      const { organizationId, scanId } = lane
      yield* Effect.gen(function*() {
        const asking = { organizationId, platform, cut, measure: yield* measurer(lane) }
        const due = yield* askCell(asking, claimed)
        if (due !== null) lookAt = Math.min(lookAt, due.getTime())
      }).pipe(Effect.ensuring(Effect.sync(() => inFlight.delete(claimed.cell.id))))
      yield* completeIfLast(organizationId, scanId)
    }, (asked) =>
      asked.pipe(
        Effect.catchCause((cause) => Effect.logDebug("a question is left for later", cause)),
        Effect.ensuring(Effect.sync(() => awake.openUnsafe())),
        Effect.uninterruptible
      ))

    /** Claims for one lane and begins its calls; the lane leaves the line when nothing more of it is due. */
    const serve = Effect.fnUntraced(function*(lane: Lane, limit: number, nowMs: number) {
      const claimed = yield* Effect.raceFirst(
        Effect.interruptible(
          cells.claim(lane, platform.id, { now: new Date(nowMs), limit, inFlight: [...inFlight.keys()] })
        ),
        Effect.as(Effect.interruptible(Deferred.await(cut)), [])
      )
      callLog.begin(nowMs, claimed.filter(({ exhausted }) => !exhausted).length)
      for (const one of claimed) inFlight.set(one.cell.id, lane.scanId)
      yield* Effect.forEach(claimed, (one) => Effect.forkIn(ask(lane, one), scope), { discard: true })
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

    const step = Effect.gen(function*() {
      awake.closeUnsafe()
      const nowMs = yield* Clock.currentTimeMillis
      if (nowMs >= lookAt) yield* look(nowMs)
      for (;;) {
        const due = lanes.filter(({ dueAt }) => dueAt.getTime() <= nowMs)
        const free = callLog.free(nowMs, inFlight.size)
        if (due.length === 0 || free <= 0) break
        const organizations = new Set(due.map(({ organizationId }) => organizationId)).size
        yield* serve(turns.next(due), Math.ceil(free / organizations), nowMs)
      }
      const wakeAt = lanes.length === 0 ? lookAt : Math.min(lookAt, Math.max(callLog.next(nowMs), nowMs + 1))
      yield* Effect.raceFirst(awake.await, Effect.sleep(Math.max(0, wakeAt - nowMs)))
    }).pipe(
      Effect.catchCause((cause) => Effect.logDebug("work pauses", cause).pipe(Effect.andThen(Effect.sleep("1 second"))))
    )

    return yield* Effect.forever(step)
  }))
