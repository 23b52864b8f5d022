import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { Authorization, CurrentCaller } from "../contract/Authorization.ts"
import { Unavailable } from "../contract/problems.ts"
import { ServerSettings } from "../ServerSettings.ts"
import { Gate } from "./Gate.ts"
import { RequestInfo } from "./RequestInfo.ts"

/**
 * An operation that has not answered by then will not: its database says nothing. Milliseconds; giving the statement up
 * takes up to five seconds more.
 */
const patienceMs = 10_000

/** Key, plan and rate, in this order, before anything else of an operation is looked at. */
export const layerAuthorization = Layer.effect(
  Authorization,
  Effect.gen(function*() {
    const gate = yield* Gate
    const { patience } = yield* ServerSettings
    const duration = patience?.answerMs ?? patienceMs
    const timed = Effect.timeoutOrElse({
      duration,
      orElse: () => Effect.fail(new Unavailable({ retry_after: 5 }))
    })
    const admit = Effect.gen(function*() {
      const caller = yield* gate.identify
      const info = yield* RequestInfo
      info.responseHeaders["vary"] = "Authorization"
      yield* gate.count(caller)
      return caller
    })
    return Authorization.of((operation) =>
      Effect.gen(function*() {
        const caller = yield* timed(admit)
        // How long a body takes is the client's affair, and Node's limit; what is wrong with it, the operation says
        const request = yield* HttpServerRequest.HttpServerRequest
        if (request.method === "POST") yield* Effect.exit(request.arrayBuffer)
        return yield* timed(Effect.provideService(operation, CurrentCaller, caller))
      })
    )
  })
)
