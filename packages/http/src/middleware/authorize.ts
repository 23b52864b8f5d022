import { type Caller, type KeyScope, requireScope } from "@sov/core/access"
import { actorOfCaller, actorOfOperator, CurrentActor } from "@sov/core/audit"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import {
  Authorization,
  CurrentCaller,
  CurrentOperator,
  OperatorAuthorization,
  RequiredScope
} from "../contract/Authorization.ts"
import { InsufficientScope, Unavailable } from "../contract/problems.ts"
import { withDeadline } from "../deadline.ts"
import { ServerSettings } from "../ServerSettings.ts"
import { Gate } from "./Gate.ts"
import { RequestInfo } from "./RequestInfo.ts"

/**
 * An operation is abandoned if its database does not answer within this number of milliseconds. Cancelling the
 * statement takes up to five seconds more.
 */
const defaultAnswerMs = 10_000

/** Checks and services that an operation needs once its key is accepted. */
const makeAdmission = Effect.fnUntraced(function*() {
  const gate = yield* Gate
  const { timeouts } = yield* ServerSettings
  const timed = withDeadline(
    timeouts?.answerMs ?? defaultAnswerMs,
    () => Effect.fail(new Unavailable({ retry_after: 5 }))
  )
  const noteVary = Effect.map(RequestInfo, (info) => {
    info.responseHeaders["vary"] = "Authorization"
  })
  /** Runs the operation for a caller whose key was accepted. Each operation has its own deadline. */
  const run = <Caller, E, R, A, E2, R2>(
    admitted: Effect.Effect<Caller, E, R>,
    operate: (caller: Caller) => Effect.Effect<A, E2, R2>
  ) =>
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request) =>
        request.method === "POST" || request.method === "PATCH"
          // Node's own time limit covers reading the body; the operation reports what is wrong with the body
          ? timed(admitted).pipe(
            Effect.tap(Effect.exit(request.arrayBuffer)),
            Effect.flatMap((caller) => timed(operate(caller)))
          )
          : timed(Effect.flatMap(admitted, operate))
    )
  return { gate, noteVary, run }
})

/** Checks key, plan, scope and rate, in this order, before an operation starts. */
export const layerAuthorization = Layer.effect(
  Authorization,
  Effect.gen(function*() {
    const { gate, noteVary, run } = yield* makeAdmission()
    const admit = Effect.fnUntraced(function*(scope: KeyScope) {
      const caller = yield* gate.identify
      yield* noteVary
      yield* Effect.mapError(
        requireScope(caller, scope),
        ({ message }) => new InsufficientScope({ scope, detail: message })
      )
      yield* gate.count(caller)
      return caller
    })
    return Authorization.of((operation, { endpoint }) =>
      run(admit(Context.get(endpoint.annotations, RequiredScope)), (caller: Caller) =>
        operation.pipe(
          Effect.provideService(CurrentCaller, caller),
          Effect.provideService(CurrentActor, actorOfCaller(caller))
        ))
    )
  })
)

/** Checks the operator's key and its rate limit. */
export const layerOperatorAuthorization = Layer.effect(
  OperatorAuthorization,
  Effect.gen(function*() {
    const { gate, noteVary, run } = yield* makeAdmission()
    const admitted = Effect.gen(function*() {
      const key = yield* gate.identifyOperator
      yield* noteVary
      yield* gate.count(key)
      return key
    })
    return OperatorAuthorization.of((operation) =>
      run(admitted, (key) =>
        operation.pipe(
          Effect.provideService(CurrentOperator, key),
          Effect.provideService(CurrentActor, actorOfOperator(key))
        ))
    )
  })
)
