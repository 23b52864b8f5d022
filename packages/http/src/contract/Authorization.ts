import type { Caller } from "@sov/core"
import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import {
  HeadersTooLarge,
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

/** Who calls, known inside every operation. */
export class CurrentCaller
  extends Context.Service<CurrentCaller, Caller>()("@sov/http/contract/Authorization/CurrentCaller")
{}

/**
 * Every operation asks for `Authorization: Bearer <API_KEY>` first. Its errors are those that any operation may answer
 * with; some of them the server gives before the key is looked at.
 */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: CurrentCaller }>()(
  "@sov/http/contract/Authorization",
  {
    error: [
      InvalidRequest,
      MissingKey,
      InvalidKey,
      PlanRequired,
      RequestTimeout,
      MisdirectedRequest,
      RateLimited,
      HeadersTooLarge,
      Internal,
      NotImplemented,
      Unavailable
    ]
  }
) {}
