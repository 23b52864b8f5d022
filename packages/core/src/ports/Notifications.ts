/** Notifications carry short messages between the processes that share a database; who does not listen misses them. */
import { Context, type Effect, type Stream } from "effect"
import type { StoreError } from "./StoreError.ts"

/** The channel that tells of new work: every worker listens. */
export const workChannel = "sov_work"

export class Notifications extends Context.Service<Notifications, {
  /** Sends as part of the caller's transaction: listeners hear it once that has committed. At most 8,000 bytes. */
  readonly send: (channel: string, payload: string) => Effect.Effect<void, StoreError>
  /**
   * Listens from the first pull on, on a connection of its own. Fails when that connection is lost: what was sent
   * meanwhile is missed, so whoever listens again must look at the rows, too.
   */
  readonly listen: (channel: string) => Stream.Stream<string, StoreError>
}>()("@sov/core/ports/Notifications") {}
