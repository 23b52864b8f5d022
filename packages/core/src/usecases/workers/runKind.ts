/**
 * The way of every piece of background work from due to done:
 *
 * look  which queues have work, and from when: all at each poll, the named ones when a notification says so
 * turn  organizations take turns, and so do the queues of one, for each slot that the limits of the kind leave
 * claim pieces of these queues, unless another process has taken this one for dead (`fence`)
 * run   the piece in its slot; it settles its own row: done, due again, or failed
 * after the slot is free and the loop awake; what is due again is looked at then
 */
import { Cause, Clock, Deferred, Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { NewWork } from "../../domain/workers/NewWork.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import { makeFairScheduler } from "./makeFairScheduler.ts"
import { makePollLoop } from "./pollLoop.ts"
import { ReadPlan } from "./ReadPlan.ts"
import type { WakeSignal } from "./WakeSignal.ts"

/** Pieces of one organization in one line: a scan's cells, an endpoint's deliveries, its e-mails, its schedule. */
export interface Queue {
  readonly organizationId: OrganizationId
  readonly id: string
  /** When the first piece is due that nobody here works on. */
  readonly dueAt: Date
}
/** A place under the kind's limits; the first `markEnded` frees it. */
export interface Slot {
  readonly markEnded: (end: null, nowMs: number) => void
}
export interface Slots<Q, S extends Slot> {
  readonly countFree: (queue: Q, nowMs: number) => number
  readonly take: (queue: Q) => S
  /** When time alone frees a slot (limit per minute, breaker); Infinity = not by itself. */
  readonly findNextStart: (nowMs: number) => number
}
export interface Turn<Q, S> {
  readonly queue: Q
  readonly slots: Array<S>
}
/** The pieces that are in work here, by id, with their queues. */
export type Working<Q, P extends { readonly id: string }> = ReadonlyMap<P["id"], Q>

/** What differs from kind to kind. `N` names what a look may be narrowed to. */
export interface Kind<Q extends Queue, N, P extends { readonly id: string }, S extends Slot, E, R> {
  readonly name: string
  readonly told: (work: NewWork) => "all" | N | null
  readonly nameOf: (queue: Q) => N
  readonly keyOf: (name: N) => string
  readonly look: (which: "all" | ReadonlyArray<N>, working: Working<Q, P>) => Effect.Effect<ReadonlyArray<Q>, E, R>
  /** Ends queues that are given up, and returns the others. */
  readonly giveUp?: (
    queues: ReadonlyArray<Q>,
    nowMs: number,
    working: Working<Q, P>
  ) => Effect.Effect<ReadonlyArray<Q>, E, R>
  readonly slots: Slots<Q, S>
  /** A queue is one piece: once claimed it has no more before the next look. */
  readonly single?: true
  /** Turns that one claim takes. */
  readonly claimAtOnce: number
  /** At most as many pieces of each queue as it has slots, each with its queue's id. */
  readonly claim: (
    turns: ReadonlyArray<Turn<Q, S>>,
    now: Date,
    working: Working<Q, P>
  ) => Effect.Effect<ReadonlyArray<readonly [queueId: string, piece: P]>, E, R>
  /** Does it and settles its row; returns when it is due again, null = it has ended. Uninterruptible. */
  readonly run: (queue: Q, piece: P, slot: S) => Effect.Effect<Date | null, E, R>
  /** Follows each end; `drained`: nothing of the queue is due or in work here. */
  readonly after?: (queue: Q, drained: boolean) => Effect.Effect<void, E, R>
  readonly retain?: (queues: ReadonlySet<Q["id"]>) => void
}
export interface Engine {
  readonly newWork: Pick<WakeSignal<NewWork>, "subscribe">
  /** Done when what is in work must be broken off: the process has to end. */
  readonly abort: Deferred.Deferred<void>
  /** Succeeds while no other process may be at this kind's work. */
  readonly fence: Effect.Effect<void, StoreError>
  /** A slot was freed by another kind that shares them. */
  readonly freed?: Pick<WakeSignal, "subscribe">
}

/** A look or a claim that takes longer is given up and made again: its session may be stuck. */
const maxWait = "10 seconds"

/** Works on a kind until interrupted; then no piece begins any more, and those in work are awaited. */
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
          // Asked again: a process that was frozen before its claim was answered has lost its pieces meanwhile
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
      // Forked uninterruptible: interrupted before its first step, it would never give its slot back
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
