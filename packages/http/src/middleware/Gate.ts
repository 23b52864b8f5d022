import { type Caller, makeKeyCache } from "@sov/core/access"
import { monotonicMs } from "@sov/core/common"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import { InvalidKey, InvalidRequest, MissingKey, PlanRequired, RateLimited, Unavailable } from "../contract/problems.ts"
import { ServerSettings } from "../ServerSettings.ts"
import { makeClientNetwork } from "./clientAddress.ts"
import { RequestInfo } from "./RequestInfo.ts"
import { findRepeatedHeader } from "./singleHeaders.ts"
import { SlidingLogs } from "./SlidingLog.ts"

const windowMs = 60_000
/** Refused keys a minute that an address may send, and failed look-ups in the database that they may cost. */
const maxRefusals = 60
/** Keys and addresses whose last minute is kept in memory. */
const maxRemembered = 10_000

const toWholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

/** The credential of `Authorization: Bearer …`; undefined if absent. */
const parseBearer = (header: string | undefined): string | undefined => /^bearer +(\S.*)$/i.exec(header ?? "")?.[1]

const tooManyRefused = "Too many refused API keys from this address"
const makeRateLimited = (ms: number, detail: string) => new RateLimited({ retry_after: toWholeSeconds(ms), detail })

/** Authentication and rate limit. Both effects fail with a problem of the contract. */
export class Gate extends Context.Service<Gate, {
  /** The caller to whom the request's key belongs: a key that is sent once, valid, and of a plan with API access. */
  readonly identify: Effect.Effect<
    Caller,
    InvalidRequest | MissingKey | InvalidKey | PlanRequired | RateLimited | Unavailable,
    HttpServerRequest.HttpServerRequest
  >
  /** Counts one REST request of the caller, and says in the response headers how many are left. */
  readonly count: (caller: Caller) => Effect.Effect<void, RateLimited>
}>()("@sov/http/middleware/Gate") {
  static readonly layer = Layer.effect(
    Gate,
    Effect.gen(function*() {
      const { restRate, trustedProxies = [] } = yield* ServerSettings
      const clientNetwork = makeClientNetwork(trustedProxies)
      const keys = yield* makeKeyCache()
      const refusedKeys = new SlidingLogs(maxRefusals, windowMs, maxRemembered)
      const failedLookUps = new SlidingLogs(maxRefusals, windowMs, maxRemembered)
      const requests = new SlidingLogs(Math.max(1, restRate), windowMs, maxRemembered)

      /**
       * Counts a refused key of this address, and fails with `problem`, or with 429 beyond the limit. Valid keys still
       * pass.
       */
      const refuse = Effect.fnUntraced(function*<E>(address: string, problem: E) {
        const wait = refusedKeys.of(address).take(yield* monotonicMs)
        return yield* wait === 0
          ? Effect.fail(problem)
          : Effect.fail(makeRateLimited(wait, tooManyRefused))
      })

      return Gate.of({
        identify: Effect.gen(function*() {
          const request = yield* HttpServerRequest.HttpServerRequest
          const source = request.source as IncomingMessage
          const repeated = findRepeatedHeader(source.rawHeaders)
          if (repeated !== undefined) {
            return yield* new InvalidRequest({
              errors: [{ path: ["header", repeated], message: "must be given once" }]
            })
          }
          const presented = parseBearer(request.headers["authorization"])
          const address = clientNetwork(request)
          if (presented === undefined) return yield* refuse(address, new MissingKey({}))
          // After too many failed look-ups the database is not asked for the rest of the minute; valid keys have no
          // such limit
          let lookedUp = false
          let wait = 0
          const mayLookUp = Effect.map(monotonicMs, (now) => {
            const log = failedLookUps.of(address)
            lookedUp = log.remaining(now) > 0
            if (!lookedUp) wait = log.reliefMs(now)
            return lookedUp
          })
          return yield* keys.authenticate(presented, mayLookUp).pipe(
            Effect.catchTags({
              KeyRefused: () =>
                Effect.gen(function*() {
                  if (wait > 0) return yield* makeRateLimited(wait, tooManyRefused)
                  if (lookedUp) failedLookUps.of(address).take(yield* monotonicMs)
                  return yield* refuse(address, new InvalidKey({}))
                }),
              PlanTooLow: ({ message, plan }) => Effect.fail(new PlanRequired({ plan, detail: message })),
              StoreError: (error) =>
                error.retryable ? Effect.fail(new Unavailable({ retry_after: 2 })) : Effect.die(error)
            })
          )
        }),

        count: Effect.fnUntraced(function*({ keyId }) {
          if (restRate === 0) return
          const { responseHeaders } = yield* RequestInfo
          const now = yield* monotonicMs
          const log = requests.of(keyId)
          const wait = log.take(now)
          responseHeaders["ratelimit-policy"] = `"requests";q=${restRate};w=${windowMs / 1000}`
          responseHeaders["ratelimit"] = `"requests";r=${log.remaining(now)};t=${
            toWholeSeconds(wait || log.reliefMs(now))
          }`
          if (wait > 0) return yield* makeRateLimited(wait, `A key may send ${restRate} requests a minute`)
        })
      })
    })
  )
}
