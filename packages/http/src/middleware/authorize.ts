import { type Caller, type KeyScope, requireScope } from "@sov/core/access"
import { actorOfCaller, CurrentActor } from "@sov/core/audit"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { Authorization, CurrentCaller, RequiredScope } from "../contract/Authorization.ts"
import { InsufficientScope, Unavailable } from "../contract/problems.ts"
import { withDeadline } from "../deadline.ts"
import { ServerSettings } from "../ServerSettings.ts"
import { Gate } from "./Gate.ts"
import { RequestInfo } from "./RequestInfo.ts"

/**
 * Milliseconds after which an operation is given up, because its database does not answer. Cancelling the statement
 * takes up to five seconds more.
 */
const defaultAnswerMs = 10_000

/** Checks key, plan, scope and rate, in this order, before anything else of an operation. */
export const layerAuthorization = Layer.effect(
  Authorization,
  Effect.gen(function*() {
    const gate = yield* Gate
    const { timeouts } = yield* ServerSettings
    const timed = withDeadline(
      timeouts?.answerMs ?? defaultAnswerMs,
      () => Effect.fail(new Unavailable({ retry_after: 5 }))
    )
    const admit = Effect.fnUntraced(function*(scope: KeyScope) {
      const caller = yield* gate.identify
      const info = yield* RequestInfo
      info.responseHeaders["vary"] = "Authorization"
      yield* Effect.mapError(
        requireScope(caller, scope),
        ({ message }) => new InsufficientScope({ scope, detail: message })
      )
      yield* gate.count(caller)
      return caller
    })
    return Authorization.of((operation, { endpoint }) => {
      const admitted = admit(Context.get(endpoint.annotations, RequiredScope))
      const operate = (caller: Caller) =>
        operation.pipe(
          Effect.provideService(CurrentCaller, caller),
          Effect.provideService(CurrentActor, actorOfCaller(caller))
        )
      return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        request.method === "POST"
          // Reading the body has Node's own time limit; the operation reports what is wrong with the body
          ? timed(admitted).pipe(
            Effect.tap(Effect.exit(request.arrayBuffer)),
            Effect.flatMap((caller) => timed(operate(caller)))
          )
          : timed(Effect.flatMap(admitted, operate)))
    })
  })
)
