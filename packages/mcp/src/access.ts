/** Who may ask the tool server: the checks before anything of a request is looked at, and its rate limit. */
import { type Caller, countRequests, monotonicMs } from "@sov/core"
import { Gate, RequestInfo, ServerSettings } from "@sov/http"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { makeOriginCheck } from "./origins.ts"

/** JSON-RPC requests a minute that a key has where nothing else is set. */
export const defaultMcpRate = 60

const windowMs = 60_000
/** Keys of which it is remembered that they have to wait. */
const mostRemembered = 10_000

/** Codes of the range that JSON-RPC leaves to servers. */
const codes = { key: -32_010, origin: -32_011, rate: -32_012, unavailable: -32_013 }

interface RefusalOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Id of the request that is refused; null where there is none, or several. */
  readonly id?: string | number | null
}

/** A JSON-RPC error as the whole answer. */
export const refusal = (
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
/** No `resource_metadata`: a client would look for a login that there is not. */
const withoutKey = (message: string, invalid: boolean) =>
  refusal(401, codes.key, message, {
    headers: { "www-authenticate": invalid ? `${challenge}, error="invalid_token"` : challenge }
  })

const later = (status: number, code: number, message: string, seconds: number, id: string | number | null = null) =>
  refusal(status, code, message, { headers: { "retry-after": String(seconds) }, id })

const unavailable = (seconds: number) =>
  later(503, codes.unavailable, "The database does not answer; try again", seconds)

const createKey = "an API key is made with `sov key create --name NAME`"

/** Fails with the answer that a request gets which may not pass. `rate` = requests a minute and key, 0 = no limit; `patienceMs` = longest that a check takes. */
export const makeAccess = Effect.fn("makeAccess")(function*(rate: number, patienceMs: number) {
  const gate = yield* Gate
  const settings = yield* ServerSettings
  const allows = makeOriginCheck(settings)
  /** Until when a key has to wait for one request more, so that one that keeps asking costs no statement. */
  const waiting = new Map<string, number>()

  const inTime = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.timeoutOrElse(effect, { duration: patienceMs, orElse: () => Effect.fail(unavailable(5)) })

  /** Whose key it is: of a plan with API access, or the answer is 401. */
  const admit: Effect.Effect<Caller, HttpServerResponse.HttpServerResponse, HttpServerRequest.HttpServerRequest> =
    Effect.gen(function*() {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const info = yield* RequestInfo
      info.responseHeaders["vary"] = "Authorization"
      if (!allows(headers["origin"], headers["host"])) {
        return yield* Effect.fail(
          refusal(403, codes.origin, "Pages of this origin may not ask; SOV_ALLOWED_HOSTS adds host names")
        )
      }
      return yield* gate.identify.pipe(
        Effect.mapError((error) => {
          switch (error._tag) {
            case "MissingKey":
              return withoutKey(`Authorization: Bearer <API_KEY> is missing; ${createKey}`, false)
            case "InvalidKey":
              return withoutKey(`The API key is not valid; ${createKey}`, true)
            case "PlanRequired":
              return withoutKey(error.detail ?? "The plan does not include API access; Pro and above do", true)
            case "InvalidRequest":
              return refusal(400, -32_600, "A header that may stand once stands twice")
            case "RateLimited":
              return later(429, codes.rate, "Too many refused API keys from this address", error.retry_after)
            case "Unavailable":
              return unavailable(error.retry_after)
          }
        })
      )
    }).pipe(inTime)

  /** Counts JSON-RPC requests of the caller, all or none. */
  const count = Effect.fnUntraced(
    function*({ keyId, organization }: Caller, requests: number, id: string | number | null) {
      if (rate === 0 || requests === 0) return
      if (requests > rate) {
        const most = `A batch may have at most ${rate} requests here: a key may not send more in a minute`
        return yield* Effect.fail(refusal(400, -32_600, most))
      }
      const asked = yield* monotonicMs
      const until = waiting.get(keyId) ?? 0
      const found = until > asked
        ? { taken: false as const, waitMs: until - asked }
        : yield* countRequests(organization.id, keyId, { count: requests, limit: rate, windowMs }).pipe(
          Effect.catch((error) => error.retryable ? Effect.fail(unavailable(2)) : Effect.die(error))
        )
      const { responseHeaders } = yield* RequestInfo
      const seconds = found.taken ? windowMs / 1000 : Math.max(1, Math.ceil(found.waitMs / 1000))
      responseHeaders["ratelimit-policy"] = `"mcp";q=${rate};w=${windowMs / 1000}`
      responseHeaders["ratelimit"] = `"mcp";r=${found.taken ? found.remaining : 0};t=${seconds}`
      if (found.taken) return
      if (requests === 1) {
        if (waiting.size >= mostRemembered) waiting.clear()
        waiting.set(keyId, asked + found.waitMs)
      }
      const message = `A key may send ${rate} requests a minute to the tool server; try again in ${seconds} s`
      return yield* Effect.fail(later(429, codes.rate, message, seconds, id))
    },
    inTime
  )

  return { admit, count }
})
