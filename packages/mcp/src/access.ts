/** Access to the MCP server: checks the origin, key and plan of a request, and its rate limit. */
import { type Caller, countOrganizationRequests, countRequests, requireScope } from "@sov/core/access"
import { monotonicMs, type StoreError } from "@sov/core/common"
import { Gate, RequestInfo, ServerSettings, withDeadline } from "@sov/http"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { makeOriginCheck } from "./origins.ts"

/** Default limit of JSON-RPC requests per minute for each key. */
export const defaultMcpRate = 60

const windowMs = 60_000
/** Maximum number of keys for which a waiting time is kept in memory. */
const maxRemembered = 10_000

/** Error codes from the range that JSON-RPC reserves for servers. */
const errorCodes = { key: -32_010, origin: -32_011, rate: -32_012, unavailable: -32_013 }

interface RefusalOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Id of the refused request; null if it has no id, or if the body contains several requests. */
  readonly id?: string | number | null
}

/** A response that consists of one JSON-RPC error. */
export const makeRefusal = (
  status: number,
  code: number,
  message: string,
  { headers = {}, id = null }: RefusalOptions = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }), {
    status,
    contentType: "application/json",
    headers
  })

const challenge = "Bearer realm=\"sov\""
/**
 * Responds with 401, without `resource_metadata`: it would make clients look for an OAuth login, which does not exist.
 */
const makeUnauthorized = (message: string, invalid: boolean) =>
  makeRefusal(401, errorCodes.key, message, {
    headers: { "www-authenticate": invalid ? `${challenge}, error="invalid_token"` : challenge }
  })

/** Responds with 403 to a valid key without the required scope (RFC 6750 §3.1). */
const makeScopeMissing = (message: string, scope: string) =>
  makeRefusal(403, errorCodes.key, message, {
    headers: { "www-authenticate": `${challenge}, error="insufficient_scope", scope="${scope}"` }
  })

const makeRetryLater = (
  status: number,
  code: number,
  message: string,
  seconds: number,
  id: string | number | null = null
) => makeRefusal(status, code, message, { headers: { "retry-after": String(seconds) }, id })

const makeUnavailable = (seconds: number) =>
  makeRetryLater(503, errorCodes.unavailable, "The database does not answer; try again", seconds)

const orUnavailable = Effect.catch((error: StoreError) =>
  error.retryable ? Effect.fail(makeUnavailable(2)) : Effect.die(error)
)

const createKeyHint = "an API key is made with `sov key create --name NAME`"

/**
 * Creates the checks of requests; a failed check fails with the response to send. `rate` = requests per minute for each
 * key, 0 = no limit. `timeoutMs` = deadline of a check.
 */
export const makeAccess = Effect.fn("makeAccess")(function*(rate: number, timeoutMs: number) {
  const gate = yield* Gate
  const settings = yield* ServerSettings
  const allows = makeOriginCheck(settings)
  /**
   * The time until which each key must wait. Kept here so that a client that keeps sending requests causes no database
   * queries.
   */
  const waiting = new Map<string, number>()

  const timed = withDeadline(timeoutMs, () => Effect.fail(makeUnavailable(5)))

  /** The caller, if the origin is allowed, the key is valid and may read, and the plan includes API access. */
  const admit: Effect.Effect<Caller, HttpServerResponse.HttpServerResponse, HttpServerRequest.HttpServerRequest> =
    Effect.gen(function*() {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const info = yield* RequestInfo
      info.responseHeaders["vary"] = "Authorization"
      if (!allows(headers["origin"], headers["host"])) {
        return yield* Effect.fail(
          makeRefusal(403, errorCodes.origin, "Pages of this origin may not ask; SOV_ALLOWED_HOSTS adds host names")
        )
      }
      const caller = yield* gate.identify.pipe(
        Effect.mapError((error) => {
          switch (error._tag) {
            case "MissingKey":
              return makeUnauthorized(`Authorization: Bearer <API_KEY> is missing; ${createKeyHint}`, false)
            case "InvalidKey":
              return makeUnauthorized(`The API key is not valid; ${createKeyHint}`, true)
            case "PlanRequired":
              return makeUnauthorized(error.detail ?? "The plan does not include API access; Pro and above do", true)
            case "InvalidRequest":
              return makeRefusal(400, -32_600, "A header that may stand once stands twice")
            case "RateLimited":
              return makeRetryLater(
                429,
                errorCodes.rate,
                "Too many refused API keys from this address",
                error.retry_after
              )
            case "Unavailable":
              return makeUnavailable(error.retry_after)
          }
        })
      )
      yield* Effect.mapError(requireScope(caller, "read"), ({ message, scope }) => makeScopeMissing(message, scope))
      return caller
    }).pipe(timed)

  /** Counts requests against the key's limit. */
  const countOfKey = Effect.fnUntraced(
    function*({ keyId, organization }: Caller, requests: number, id: string | number | null) {
      if (rate === 0) return
      if (requests > rate) {
        const message = `A batch may have at most ${rate} requests here: a key may not send more in a minute`
        return yield* Effect.fail(makeRefusal(400, -32_600, message))
      }
      const nowMs = yield* monotonicMs
      const until = waiting.get(keyId) ?? 0
      const found = until > nowMs
        ? { taken: false as const, waitMs: until - nowMs }
        : yield* countRequests(organization.id, keyId, { count: requests, limit: rate, windowMs }).pipe(orUnavailable)
      const { responseHeaders } = yield* RequestInfo
      const seconds = found.taken ? windowMs / 1000 : Math.max(1, Math.ceil(found.waitMs / 1000))
      responseHeaders["ratelimit-policy"] = `"mcp";q=${rate};w=${windowMs / 1000}`
      responseHeaders["ratelimit"] = `"mcp";r=${found.taken ? found.remaining : 0};t=${seconds}`
      if (found.taken) return
      if (requests === 1) {
        if (waiting.size >= maxRemembered) waiting.clear()
        waiting.set(keyId, nowMs + found.waitMs)
      }
      const message = `A key may send ${rate} requests a minute to the tool server; try again in ${seconds} s`
      return yield* Effect.fail(makeRetryLater(429, errorCodes.rate, message, seconds, id))
    }
  )

  /** Counts JSON-RPC requests of the caller, either all of them or none. */
  const count = Effect.fnUntraced(
    function*(caller: Caller, requests: number, id: string | number | null) {
      if (requests === 0) return
      const { requestRate } = caller.organization
      if (requestRate !== null && requests > requestRate) {
        const message =
          `A batch may have at most ${requestRate} requests here: the organization may not send more in a minute`
        return yield* Effect.fail(makeRefusal(400, -32_600, message))
      }
      yield* countOfKey(caller, requests, id)
      const taken = yield* countOrganizationRequests(caller.organization, requests).pipe(orUnavailable)
      if (taken === null || taken.taken) return
      const seconds = Math.max(1, Math.ceil(taken.waitMs / 1000))
      const message =
        `The keys of this organization may send ${taken.limit} requests a minute; try again in ${seconds} s`
      return yield* Effect.fail(makeRetryLater(429, errorCodes.rate, message, seconds, id))
    },
    timed
  )

  return { admit, count }
})
