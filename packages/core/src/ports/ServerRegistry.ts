/**
 * ServerRegistry lists the processes that answer API requests. Each of them caches keys briefly, so a change of access
 * waits until all of them have confirmed it. It belongs to no organization and contains no data of any organization.
 */
import { Context, type Effect } from "effect"
import type { ServerId } from "../domain/ids.ts"
import type { StoreError } from "./StoreError.ts"

export class ServerRegistry extends Context.Service<ServerRegistry, {
  /** Records that the server was alive at `now`; deletes servers without a heartbeat since `pruneBefore`. */
  readonly heartbeat: (id: ServerId, now: Date, pruneBefore: Date) => Effect.Effect<void, StoreError>
  readonly unregister: (id: ServerId) => Effect.Effect<void, StoreError>
  /** Servers with a heartbeat at `since` or later. */
  readonly list: (since: Date) => Effect.Effect<ReadonlyArray<ServerId>, StoreError>
}>()("@sov/core/ports/ServerRegistry") {}
