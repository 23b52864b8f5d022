/**
 * WorkerRegistry lists the workers of a database. It belongs to no organization and holds no data of one. Times are by
 * its own clock, and callers pass ages instead of times: the clocks of two machines are never compared.
 */
import { Context, type Effect } from "effect"
import type { WorkerId } from "../domain/ids.ts"
import type { RegisteredWorker } from "../domain/workers/Worker.ts"
import type { StoreError } from "./StoreError.ts"

export class WorkerRegistry extends Context.Service<WorkerRegistry, {
  /**
   * Adds the worker, or replaces it, with a heartbeat of now, deletes those without a heartbeat for longer than
   * `pruneAfterMs`, and returns the registry's time. Inside a transaction no other process registers until it ends:
   * what `list` returned then stays true.
   */
  readonly register: (
    worker: Omit<RegisteredWorker, "seenAt">,
    pruneAfterMs: number
  ) => Effect.Effect<Date, StoreError>
  /** Notes that the worker lives now and runs `doing`; false when the registry does not know it any more. */
  readonly heartbeat: (id: WorkerId, doing: ReadonlyArray<string>) => Effect.Effect<boolean, StoreError>
  readonly unregister: (id: WorkerId) => Effect.Effect<void, StoreError>
  /** Workers with a heartbeat within the last `withinMs` milliseconds, oldest first. */
  readonly list: (withinMs: number) => Effect.Effect<ReadonlyArray<RegisteredWorker>, StoreError>
}>()("@sov/core/ports/WorkerRegistry") {}
