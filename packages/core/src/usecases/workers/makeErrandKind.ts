import { Clock, Effect } from "effect"
import type { NewWork } from "../../domain/workers/NewWork.ts"
import { concerns } from "../../domain/workers/NewWork.ts"
import { makeCountedSlots } from "./countedSlots.ts"
import type { Kind, Queue, Slot } from "./runKind.ts"

/** Work in which each queue is a single piece: a schedule's run, a digest, a scan to complete, a day's upkeep. */
interface Errands<Q extends Queue, LookError, LookNeeds, E, R> {
  /** The name of the work in warnings. */
  readonly name: string
  readonly of: NewWork["of"]
  /** Finds the queues that are due, or will be due before the next poll. */
  readonly look: Effect.Effect<ReadonlyArray<Q>, LookError, LookNeeds>
  /** Does the work in its own transaction; returns when it is due again, or null. */
  readonly run: (queue: Q) => Effect.Effect<Date | null, E, R>
  /** How long to wait after a failure, in milliseconds; default 2,000. */
  readonly retryMs?: number
}

/**
 * Creates a kind that runs four queues concurrently, so that a stuck session delays at most three others, and only for
 * a limited time. A failed errand is retried without delaying others; only its first failure is logged as a warning.
 */
export const makeErrandKind = <Q extends Queue, LookError, LookNeeds, E, R>(
  { look, name, of, retryMs = 2_000, run }: Errands<Q, LookError, LookNeeds, E, R>
): Kind<Q, "all", Q, Slot, LookError, LookNeeds | R> => {
  const retries = new Map<string, Date>()
  return {
    name,
    told: (work) => concerns(work, of) ? "all" : null,
    nameOf: () => "all",
    keyOf: (all) => all,
    look: (_, working) =>
      Effect.map(look, (found) => {
        const ids = new Set(found.map(({ id }) => id))
        for (const id of retries.keys()) if (!ids.has(id)) retries.delete(id)
        return found.filter(({ id }) => !working.has(id))
          .map((queue) => ({ ...queue, dueAt: retries.get(queue.id) ?? queue.dueAt }))
      }),
    slots: makeCountedSlots(({ all, queue }) => all < 4 && queue === 0),
    single: true,
    claimAtOnce: 4,
    claim: (turns) => Effect.succeed(turns.map(({ queue }) => [queue.id, queue] as const)),
    run: (queue) =>
      run(queue).pipe(
        Effect.tap(() => Effect.sync(() => retries.delete(queue.id))),
        Effect.catchCause(Effect.fnUntraced(function*(cause) {
          const warned = retries.has(queue.id)
          const retryAt = new Date((yield* Clock.currentTimeMillis) + retryMs)
          retries.set(queue.id, retryAt)
          const line = `${name} of organization ${queue.organizationId} failed and is tried again`
          yield* warned ? Effect.logDebug(line, cause) : Effect.logWarning(line, cause)
          return retryAt
        }))
      )
  }
}

/** Runs the errands that are due now, once, for a program without a worker. */
export const runErrands = Effect.fnUntraced(function*<Q extends Queue, E, R>(kind: Kind<Q, "all", Q, Slot, E, R>) {
  const nowMs = yield* Clock.currentTimeMillis
  const due = (yield* kind.look("all", new Map())).filter(({ dueAt }) => dueAt.getTime() <= nowMs)
  const slot: Slot = { markEnded: () => {} }
  yield* Effect.forEach(due, (queue) => kind.run(queue, queue, slot), { concurrency: 4, discard: true })
})
