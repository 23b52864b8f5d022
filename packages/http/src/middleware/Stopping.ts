import { Context, Deferred, type Effect, Layer } from "effect"

/**
 * Completes when the server begins to stop. An answer that would go on, such as a stream of events, ends with it:
 * requests in flight are awaited.
 */
export class Stopping extends Context.Service<Stopping, {
  readonly begun: Effect.Effect<void>
  readonly begin: Effect.Effect<unknown>
}>()("@sov/http/middleware/Stopping") {
  static readonly layer = Layer.sync(Stopping, () => {
    const begun = Deferred.makeUnsafe<void>()
    return { begun: Deferred.await(begun), begin: Deferred.succeed(begun, undefined) }
  })
}
