/**
 * Runs every kind of background work, from due to done:
 *
 * - look: finds which queues have work, and from when: all queues at each poll, announced ones when a notification
 * arrives
 * - turn: organizations take turns, and so do the queues of an organization, for each slot that the kind's limits leave
 * free
 * - claim: claims pieces of these queues, unless another process considers this one dead (`fence`)
 * - run: works on a piece in its slot; the piece updates its own row: done, due again, or failed
 * - after: frees the slot and wakes the loop, which looks again when a piece is due again
 */
import { Cause, Clock, Deferred, Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { NewWork } from "../../domain/workers/NewWork.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import { makeFairScheduler } from "./makeFairScheduler.ts"
import { makePollLoop } from "./pollLoop.ts"
import { ReadPlan } from "./ReadPlan.ts"
import type { WakeSignal } from "./WakeSignal.ts"

/**
 * A line of pieces of one organization: a scan's cells, an endpoint's deliveries, the organization's e-mails or its
 * schedule.
 */
export interface Queue {
  readonly organizationId: OrganizationId
  readonly id: string
  /** When the first piece is due that this process is not already working on. */
  readonly dueAt: Date
}
/** A slot under the kind's limits; the first call of `markEnded` frees it. */
export interface Slot {
  readonly markEnded: (end: null, nowMs: number) => void
}
export interface Slots<Q, S extends Slot> {
  readonly countFree: (queue: Q, nowMs: number) => number
  readonly take: (queue: Q) => S
  /** When time alone will free a slot (limit per minute, breaker); Infinity if time does not. */
  readonly findNextStart: (nowMs: number) => number
}
export interface Turn<Q, S> {
  readonly queue: Q
  readonly slots: Array<S>
}
/** The pieces that this process is working on, by id, with their queues. */
export type Working<Q, P extends { readonly id: string }> = ReadonlyMap<P["id"], Q>

/** The parts in which the kinds of work differ. `N` is the name by which a look can be limited to some queues. */
export interface Kind<Q extends Queue, N, P extends { readonly id: string }, S extends Slot, E, R> {
  readonly name: string
  readonly told: (work: NewWork) => "all" | N | null
  readonly nameOf: (queue: Q) => N
  readonly keyOf: (name: N) => string
  readonly look: (which: "all" | ReadonlyArray<N>, working: Working<Q, P>) => Effect.Effect<ReadonlyArray<Q>, E, R>
  /** Ends the queues that must be given up, and returns the others. */
  readonly giveUp?: (
    queues: ReadonlyArray<Q>,
    nowMs: number,
    working: Working<Q, P>
  ) => Effect.Effect<ReadonlyArray<Q>, E, R>
  readonly slots: Slots<Q, S>
  /** Each queue is a single piece, so that a claimed queue has no more pieces before the next look. */
  readonly single?: true
  /** Number of turns that one claim covers. */
  readonly claimAtOnce: number
  /** Claims at most as many pieces of each queue as it has slots, and returns each with its queue's id. */
  readonly claim: (
    turns: ReadonlyArray<Turn<Q, S>>,
    now: Date,
    working: Working<Q, P>
  ) => Effect.Effect<ReadonlyArray<readonly [queueId: string, piece: P]>, E, R>
  /** Works on the piece and updates its row; returns when it is due again, or null if it has ended. Uninterruptible. */
  readonly run: (queue: Q, piece: P, slot: S) => Effect.Effect<Date | null, E, R>
  /** Runs after each piece; `drained` tells that nothing of the queue is due or being worked on here. */
  readonly after?: (queue: Q, drained: boolean) => Effect.Effect<void, E, R>
  readonly retain?: (queues: ReadonlySet<Q["id"]>) => void
}
export interface Engine {
  readonly newWork: Pick<WakeSignal<NewWork>, "subscribe">
  /** Completes when the process must end and the pieces in progress must be aborted. */
  readonly abort: Deferred.Deferred<void>
  /** Succeeds only while no other process may be doing this kind of work. */
  readonly fence: Effect.Effect<void, StoreError>
  /** Notifies that another kind that shares the slots has freed one. */
  readonly freed?: Pick<WakeSignal, "subscribe">
}

/** A look or a claim that takes longer is given up and repeated, because its session may be stuck. */
const maxWait = "10 seconds"

/** Works on a kind until interrupted; then no further piece begins, and the pieces in progress are awaited. */
export const runKind = <Q extends Queue, N, P extends { readonly id: string }, S extends Slot, E, R>(
  kind: Kind<Q, N, P, S, E, R>,
  { abort, fence, freed, newWork }: Engine
) =>
  Effect.scoped(Effect.gen(function*() {
    const scope = yield* Effect.scope
    const loop = makePollLoop()
    const plan = new ReadPlan<N>(kind.keyOf)
    const fair = makeFairScheduler<Q>(({ organizationId }) => organizationId, ({ id }) => id)
    const working = new Map<P["id"], Q>()
    let queues: ReadonlyArray<Q> = []

    yield* newWork.subscribe((work) => {
      const told = kind.told(work)
      if (told === null) return
      if (told === "all") plan.readAll()
      else plan.readAt(told, 0)
      loop.wake()
    })
    if (freed !== undefined) yield* freed.subscribe(loop.wake)

    const look = Effect.fnUntraced(function*(nowMs: number, isBusy: boolean) {
      const which = plan.take(nowMs, isBusy)
      if (which === null) return
      const found = yield* kind.look(which, working).pipe(
        Effect.timeout(maxWait),
        Effect.onError(() => Effect.sync(() => plan.recordFailure()))
      )
      plan.recordRead(nowMs, yield* Clock.currentTimeMillis)
      const named = which === "all" ? null : new Set(which.map(kind.keyOf))
      queues = [...named === null ? [] : queues.filter((one) => !named.has(kind.keyOf(kind.nameOf(one)))), ...found]
      if (named !== null) return
      fair.retain(queues)
      kind.retain?.(new Set([...queues, ...working.values()].map(({ id }) => id)))
    })
    const after = (queue: Q) => {
      const has = ({ id }: Q) => id === queue.id
      return kind.after?.(queue, !queues.some(has) && ![...working.values()].some(has)) ?? Effect.void
    }
    const drop = (ended: ReadonlyArray<Q>) => {
      queues = queues.filter(({ id }) => !ended.some((queue) => queue.id === id))
      return Effect.forEach(ended, after, { discard: true })
    }
    const takeTurns = (due: ReadonlyArray<Q>, share: number, nowMs: number): ReadonlyArray<Turn<Q, S>> => {
      const turns = new Map<string, Turn<Q, S>>()
      while (turns.size < kind.claimAtOnce) {
        const ready = due.filter((queue) => kind.slots.countFree(queue, nowMs) > 0)
        if (ready.length === 0) break
        const queue = fair.next(ready)
        const turn = turns.get(queue.id) ?? { queue, slots: [] }
        turns.set(queue.id, turn)
        const count = Math.min(share, kind.slots.countFree(queue, nowMs))
        for (let n = 0; n < count; n++) turn.slots.push(kind.slots.take(queue))
      }
      return [...turns.values()]
    }
    const runPiece = (queue: Q, piece: P, slot: S) =>
      kind.run(queue, piece, slot).pipe(
        Effect.onExit(() =>
          Effect.map(Clock.currentTimeMillis, (nowMs) => {
            working.delete(piece.id)
            slot.markEnded(null, nowMs)
            loop.wake()
          })
        ),
        Effect.tap((again) => Effect.sync(() => again !== null && plan.readAt(kind.nameOf(queue), again.getTime()))),
        Effect.exit,
        Effect.tap(() => after(queue)),
        Effect.flatten,
        Effect.catchCause((cause) =>
          (Cause.hasDies(cause) ? Effect.logError : Effect.logDebug)(`${kind.name}: a piece is tried later`, cause)
        )
      )
    const begin = Effect.fnUntraced(function*(turns: ReadonlyArray<Turn<Q, S>>, nowMs: number) {
      const free = (slots: ReadonlyArray<S>) => slots.forEach((slot) => slot.markEnded(null, nowMs))
      const claimed = yield* Effect.raceFirst(
        Effect.interruptible(
          // Checked again, because a process that was frozen before its claim was answered has lost its pieces
          Effect.andThen(fence, kind.claim(turns, new Date(nowMs), working)).pipe(
            Effect.tap(() => fence),
            Effect.timeout(maxWait)
          )
        ),
        Effect.as(Effect.interruptible(Deferred.await(abort)), [])
      ).pipe(Effect.onError(() => Effect.sync(() => turns.forEach(({ slots }) => free(slots)))))
      const pieces = Map.groupBy(claimed, ([queueId]) => queueId)
      const begun = turns.flatMap(({ queue, slots }) => {
        const own = pieces.get(queue.id) ?? []
        free(slots.slice(own.length))
        for (const [, piece] of own) working.set(piece.id, queue)
        return own.map(([, piece], n) => ({ n, run: runPiece(queue, piece, slots[n]!) }))
      }).toSorted((a, b) => a.n - b.n)
      // Forked uninterruptibly: a fiber that is interrupted before its first step would never free its slot
      yield* Effect.forEach(begun, ({ run }) => Effect.forkIn(run, scope, { uninterruptible: true }), { discard: true })
      const isEmptied = ({ queue, slots }: Turn<Q, S>) => kind.single || pieces.get(queue.id)?.length !== slots.length
      yield* drop(turns.filter(isEmptied).map(({ queue }) => queue))
    }, Effect.uninterruptible)

    const poll = Effect.fnUntraced(function*(nowMs: number) {
      const findDue = () => queues.filter(({ dueAt }) => dueAt.getTime() <= nowMs)
      yield* look(nowMs, findDue().length > 0)
      const organizations = new Set(findDue().map(({ organizationId }) => organizationId)).size
      const free = Math.max(0, ...findDue().map((queue) => kind.slots.countFree(queue, nowMs)))
      while (true) {
        const left = new Set(yield* kind.giveUp?.(queues, nowMs, working) ?? Effect.succeed(queues))
        yield* drop(queues.filter((queue) => !left.has(queue)))
        const turns = takeTurns(findDue(), Math.ceil(free / organizations), nowMs)
        if (turns.length === 0) break
        yield* begin(turns, nowMs)
      }
      const waiting = queues.map(({ dueAt }) => dueAt.getTime()).filter((ms) => ms > nowMs)
      return Math.min(plan.findNext(findDue().length > 0), kind.slots.findNextStart(nowMs), ...waiting) - nowMs
    })
    return yield* loop.run({ onFailure: `${kind.name} pauses`, poll })
  }))
