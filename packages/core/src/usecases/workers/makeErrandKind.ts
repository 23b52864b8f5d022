import { Effect } from "effect"
import type { NewWork } from "../../domain/workers/NewWork.ts"
import { concerns } from "../../domain/workers/NewWork.ts"
import { makeCountedSlots } from "./countedSlots.ts"
import type { Kind, Queue, Slot } from "./runKind.ts"

/** Work that is one piece a queue: a schedule's run, a digest, a scan to complete, an upkeep. */
interface Errands<Q extends Queue, E, R> {
  readonly name: string
  readonly of: NewWork["of"]
  readonly look: Effect.Effect<ReadonlyArray<Q>, E, R>
  /** Does it, in its own transaction; returns when it is due again. */
  readonly run: (queue: Q) => Effect.Effect<Date | null, E, R>
}

/** Four at once, of different queues: one whose session is stuck holds up three others at most, and none for ever. */
export const makeErrandKind = <Q extends Queue, E, R>(
  { look, name, of, run }: Errands<Q, E, R>
): Kind<Q, "all", Q, Slot, E, R> => ({
  name,
  told: (work) => concerns(work, of) ? "all" : null,
  nameOf: () => "all",
  keyOf: (all) => all,
  look: (_, working) => Effect.map(look, (found) => found.filter(({ id }) => !working.has(id))),
  slots: makeCountedSlots(({ all, queue }) => all < 4 && queue === 0),
  single: true,
  claimAtOnce: 4,
  claim: (turns) => Effect.succeed(turns.map(({ queue }) => [queue.id, queue] as const)),
  run
})
