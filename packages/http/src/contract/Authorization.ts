import type { Caller, KeyScope, OperatorKey } from "@sov/core/access"
import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import {
  HeadersTooLarge,
  InsufficientScope,
  Internal,
  InvalidKey,
  InvalidRequest,
  MisdirectedRequest,
  MissingKey,
  NotImplemented,
  PlanRequired,
  RateLimited,
  RequestTimeout,
  Unavailable
} from "./problems.ts"

/** The caller of an operation, identified by its API key. */
export class CurrentCaller
  extends Context.Service<CurrentCaller, Caller>()("@sov/http/contract/Authorization/CurrentCaller")
{}

/** The operator's key that an operation was called with. */
export class CurrentOperator
  extends Context.Service<CurrentOperator, OperatorKey>()("@sov/http/contract/Authorization/CurrentOperator")
{}

/** The scope that an operation requires, as an annotation of its endpoint. */
export const RequiredScope = Context.Reference<KeyScope>("@sov/http/contract/Authorization/RequiredScope", {
  defaultValue: () => "read"
})

const anyError = [
  InvalidRequest,
  MissingKey,
  InvalidKey,
  RequestTimeout,
  MisdirectedRequest,
  RateLimited,
  HeadersTooLarge,
  Internal,
  NotImplemented,
  Unavailable
] as const

/**
 * Every operation of an organization requires `Authorization: Bearer <API_KEY>`. Any operation may return these errors;
 * the server checks some of them before the key.
 */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: CurrentCaller }>()(
  "@sov/http/contract/Authorization",
  {
    error: [...anyError, PlanRequired, InsufficientScope]
  }
) {}

/** The same as `Authorization`, but with an operator key: `Authorization: Bearer sov_oper_…`. */
export class OperatorAuthorization
  extends HttpApiMiddleware.Service<OperatorAuthorization, { provides: CurrentOperator }>()(
    "@sov/http/contract/Authorization/OperatorAuthorization",
    { error: [...anyError] }
  )
{}
