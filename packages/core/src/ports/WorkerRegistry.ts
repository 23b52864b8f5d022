/** WorkerRegistry keeps who works on this database. It belongs to no organization and holds nothing of one. */
import { Context, type Effect } from "effect"
import type { WorkerId } from "../domain/ids.ts"
import type { RegisteredWorker } from "../domain/Worker.ts"
import type { StoreError } from "./StoreError.ts"

export class WorkerRegistry extends Context.Service<WorkerRegistry, {
  /**
   * Adds the worker, or renews it, and deletes those not seen since `forgottenBefore`. Inside a transaction nobody else
   * enters until it ends: what `list` says then stays true.
   */
  readonly enter: (worker: RegisteredWorker, forgottenBefore: Date) => Effect.Effect<void, StoreError>
  /** The worker is there at `now` and works on `doing`; false when the registry does not know it any more. */
  readonly seen: (id: WorkerId, doing: ReadonlyArray<string>, now: Date) => Effect.Effect<boolean, StoreError>
  readonly leave: (id: WorkerId) => Effect.Effect<void, StoreError>
  /** Workers seen at `since` or later, oldest first. */
  readonly list: (since: Date) => Effect.Effect<ReadonlyArray<RegisteredWorker>, StoreError>
}>()("@sov/core/ports/WorkerRegistry") {}
