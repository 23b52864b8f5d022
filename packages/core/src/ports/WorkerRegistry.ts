/**
 * WorkerRegistry lists the workers of a database. It belongs to no organization and contains no data of any
 * organization. It uses its own clock, and callers pass ages instead of times, so the clocks of two machines are never
 * compared.
 */
import { Context, type Effect } from "effect"
import type { WorkerId } from "../domain/ids.ts"
import type { RegisteredWorker } from "../domain/workers/Worker.ts"
import type { StoreError } from "./StoreError.ts"

export class WorkerRegistry extends Context.Service<WorkerRegistry, {
  /**
   * Adds or replaces the worker with a heartbeat of now, deletes workers without a heartbeat for longer than
   * `pruneAfterMs`, and returns the registry's time. Inside a transaction, no other process can register until it ends,
   * so the result of `list` stays valid until then.
   */
  readonly register: (
    worker: Omit<RegisteredWorker, "seenAt">,
    pruneAfterMs: number
  ) => Effect.Effect<Date, StoreError>
  /** Records that the worker is alive and runs `doing`; false if the registry no longer contains it. */
  readonly heartbeat: (id: WorkerId, doing: ReadonlyArray<string>) => Effect.Effect<boolean, StoreError>
  readonly unregister: (id: WorkerId) => Effect.Effect<void, StoreError>
  /** Workers with a heartbeat within the last `withinMs` milliseconds, oldest first. */
  readonly list: (withinMs: number) => Effect.Effect<ReadonlyArray<RegisteredWorker>, StoreError>
}>()("@sov/core/ports/WorkerRegistry") {}
