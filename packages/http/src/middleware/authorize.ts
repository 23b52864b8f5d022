import { Effect, Layer } from "effect"
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
    return Authorization.of((operation) =>
      Effect.gen(function*() {
        const caller = yield* gate.identify
        const info = yield* RequestInfo
        info.responseHeaders["vary"] = "Authorization"
        yield* gate.count(caller)
        return yield* Effect.provideService(operation, CurrentCaller, caller)
      }).pipe(
        Effect.timeoutOrElse({ duration, orElse: () => Effect.fail(new Unavailable({ retry_after: 5 })) })
      )
    )
  })
)
