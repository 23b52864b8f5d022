/**
 * WorkerRegistry keeps who works on this database. It belongs to no organization and holds nothing of one. Times are
 * those of its own clock, and callers speak of ages: the clocks of two machines never meet.
 */
import { Context, type Effect } from "effect"
import type { WorkerId } from "../domain/ids.ts"
import type { RegisteredWorker } from "../domain/workers/Worker.ts"
import type { StoreError } from "./StoreError.ts"

export class WorkerRegistry extends Context.Service<WorkerRegistry, {
  /**
   * Adds the worker, or renews it, as seen now, deletes those not seen for longer than `forgottenAfterMs`, and gives the
   * registry's time. Inside a transaction nobody else enters until it ends: what `list` says then stays true.
   */
  readonly enter: (
    worker: Omit<RegisteredWorker, "seenAt">,
    forgottenAfterMs: number
  ) => Effect.Effect<Date, StoreError>
  /** The worker is there now and works on `doing`; false when the registry does not know it any more. */
  readonly seen: (id: WorkerId, doing: ReadonlyArray<string>) => Effect.Effect<boolean, StoreError>
  readonly leave: (id: WorkerId) => Effect.Effect<void, StoreError>
  /** Workers seen within the last `withinMs` milliseconds, oldest first. */
  readonly list: (withinMs: number) => Effect.Effect<ReadonlyArray<RegisteredWorker>, StoreError>
}>()("@sov/core/ports/WorkerRegistry") {}
