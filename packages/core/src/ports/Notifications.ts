/**
 * Notifications carry short messages between the processes that share a database. A process that does not listen misses
 * them.
 */
import { Context, type Effect, type Stream } from "effect"
import type { StoreError } from "./StoreError.ts"

/** The channel for new work; every worker listens to it. */
export const workChannel = "sov_work"

export class Notifications extends Context.Service<Notifications, {
  /**
   * Sends a message of at most 8,000 bytes as part of the caller's transaction: listeners receive it once the
   * transaction has committed.
   */
  readonly send: (channel: string, payload: string) => Effect.Effect<void, StoreError>
  /**
   * Listens from the first pull on, on a separate connection. Fails if that connection is lost. Messages sent before
   * the next `listen` are missed, so a process that listens again must also read the rows.
   */
  readonly listen: (channel: string) => Stream.Stream<string, StoreError>
}>()("@sov/core/ports/Notifications") {}
