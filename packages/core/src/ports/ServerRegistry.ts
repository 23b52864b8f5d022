/**
 * ServerRegistry keeps which processes answer API requests: they remember keys for a moment, so who changes access waits
 * until each of them has heard of it. It belongs to no organization and holds nothing of one.
 */
import { Context, type Effect } from "effect"
import type { ServerId } from "../domain/ids.ts"
import type { StoreError } from "./StoreError.ts"

export class ServerRegistry extends Context.Service<ServerRegistry, {
  /** The server is there at `now`; forgets those not seen since `forgottenBefore`. */
  readonly seen: (id: ServerId, now: Date, forgottenBefore: Date) => Effect.Effect<void, StoreError>
  readonly leave: (id: ServerId) => Effect.Effect<void, StoreError>
  /** Servers seen at `since` or later. */
  readonly list: (since: Date) => Effect.Effect<ReadonlyArray<ServerId>, StoreError>
}>()("@sov/core/ports/ServerRegistry") {}
