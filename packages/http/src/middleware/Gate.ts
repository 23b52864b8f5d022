import { type Caller, makeKeyCache, monotonicMs } from "@sov/core"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import { InvalidKey, InvalidRequest, MissingKey, PlanRequired, RateLimited, Unavailable } from "../contract/problems.ts"
import { ServerSettings } from "../ServerSettings.ts"
import { networkOf } from "./hosts.ts"
import { RequestInfo } from "./RequestInfo.ts"
import { repeatedHeader } from "./singleHeaders.ts"
import { SlidingLogs } from "./SlidingLog.ts"

const windowMs = 60_000
/** Refused keys a minute that an address may send, and that are looked up for it in vain. */
const refusals = 60
/** Keys, and addresses, of which a minute is remembered. */
const mostRemembered = 10_000

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

/** The credential of `Authorization: Bearer …`; undefined when there is none. */
const bearer = (header: string | undefined): string | undefined => /^bearer +(\S.*)$/i.exec(header ?? "")?.[1]

const crowded = "Too many refused API keys from this address"
const tooMany = (ms: number, detail: string) => new RateLimited({ retry_after: seconds(ms), detail })

/** Who may pass. Both fail with a problem, ready to be answered. */
export class Gate extends Context.Service<Gate, {
  /** Whose key the request carries: one sent once, valid, and of a plan with API access. */
  readonly identify: Effect.Effect<
    Caller,
    InvalidRequest | MissingKey | InvalidKey | PlanRequired | RateLimited | Unavailable,
    HttpServerRequest.HttpServerRequest
  >
  /** Counts one REST request of the caller; the answer says how many are left. */
  readonly count: (caller: Caller) => Effect.Effect<void, RateLimited>
}>()("@sov/http/middleware/Gate") {
  static readonly layer = Layer.effect(
    Gate,
    Effect.gen(function*() {
      const { restRate } = yield* ServerSettings
      const keys = yield* makeKeyCache()
      const refused = new SlidingLogs(refusals, windowMs, mostRemembered)
      const inVain = new SlidingLogs(refusals, windowMs, mostRemembered)
      const used = new SlidingLogs(Math.max(1, restRate), windowMs, mostRemembered)

      /** One more refused key from this address; a good key passes all the same. */
      const refuse = Effect.fnUntraced(function*<E>(address: string, problem: E) {
        const wait = refused.of(address).take(yield* monotonicMs)
        return yield* wait === 0
          ? Effect.fail(problem)
          : Effect.fail(tooMany(wait, crowded))
      })

      return Gate.of({
        identify: Effect.gen(function*() {
          const request = yield* HttpServerRequest.HttpServerRequest
          const source = request.source as IncomingMessage
          const repeated = repeatedHeader(source.rawHeaders)
          if (repeated !== undefined) {
            return yield* new InvalidRequest({
              errors: [{ path: ["header", repeated], message: "must be given once" }]
            })
          }
          const presented = bearer(request.headers["authorization"])
          const address = networkOf(source.socket.remoteAddress ?? "")
          if (presented === undefined) return yield* refuse(address, new MissingKey({}))
          // Who guesses keys costs no more look-ups for the rest of the minute; good keys are looked up without end
          let looked = false
          let wait = 0
          const mayLook = Effect.map(monotonicMs, (now) => {
            const log = inVain.of(address)
            looked = log.remaining(now) > 0
            if (!looked) wait = log.reliefMs(now)
            return looked
          })
          return yield* keys.authenticate(presented, mayLook).pipe(
            Effect.catchTags({
              KeyRefused: () =>
                Effect.gen(function*() {
                  if (wait > 0) return yield* tooMany(wait, crowded)
                  if (looked) inVain.of(address).take(yield* monotonicMs)
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
          const log = used.of(keyId)
          const wait = log.take(now)
          responseHeaders["ratelimit-policy"] = `"requests";q=${restRate};w=${windowMs / 1000}`
          responseHeaders["ratelimit"] = `"requests";r=${log.remaining(now)};t=${seconds(wait || log.reliefMs(now))}`
          if (wait > 0) return yield* tooMany(wait, `A key may send ${restRate} requests a minute`)
        })
      })
    })
  )
}
