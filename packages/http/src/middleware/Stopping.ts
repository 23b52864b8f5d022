import { Context, Deferred, type Effect, Layer } from "effect"

/**
 * Completes when the server begins to stop. Endless responses, such as event streams, must then end, because the server
 * waits for requests in progress.
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
