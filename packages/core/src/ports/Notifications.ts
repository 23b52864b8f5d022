/**
 * Notifications carry short messages between the processes that share a database; a process that does not listen misses
 * them.
 */
import { Context, type Effect, type Stream } from "effect"
import type { StoreError } from "./StoreError.ts"

/** The channel for new work; every worker listens to it. */
export const workChannel = "sov_work"

export class Notifications extends Context.Service<Notifications, {
  /**
   * Sends as part of the caller's transaction: listeners receive the message once it has committed. At most 8,000
   * bytes.
   */
  readonly send: (channel: string, payload: string) => Effect.Effect<void, StoreError>
  /**
   * Listens from the first pull on, on a separate connection. Fails when that connection is lost. Messages sent until
   * the next `listen` are missed, so a process that listens again must read the rows, too.
   */
  readonly listen: (channel: string) => Stream.Stream<string, StoreError>
}>()("@sov/core/ports/Notifications") {}
