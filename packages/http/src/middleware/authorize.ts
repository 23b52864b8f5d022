import { Effect, Layer } from "effect"
import { Authorization, CurrentCaller } from "../contract/Authorization.ts"
import { Unavailable } from "../contract/problems.ts"
import { Gate } from "./Gate.ts"
import { RequestInfo } from "./RequestInfo.ts"

/** An operation that has not answered by then will not: its database says nothing. */
const patience = "15 seconds"

/** Key, plan and rate, in this order, before anything else of an operation is looked at. */
export const layerAuthorization = Layer.effect(
  Authorization,
  Effect.map(Gate, (gate) =>
    Authorization.of((operation) =>
      Effect.gen(function*() {
        const caller = yield* gate.identify
        const info = yield* RequestInfo
        info.responseHeaders["vary"] = "Authorization"
        yield* gate.count(caller)
        return yield* Effect.provideService(operation, CurrentCaller, caller)
      }).pipe(
        Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(new Unavailable({ retry_after: 5 })) })
      )
    ))
)
