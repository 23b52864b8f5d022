import {
  authenticateOperator,
  type Caller,
  countOrganizationRequests,
  hashApiKey,
  makeKeyCache,
  type OperatorKey
} from "@sov/core/access"
import { KeyRefused, monotonicMs, type StoragePorts, StoreError } from "@sov/core/common"
import { Context, Effect, Layer, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import { InvalidKey, InvalidRequest, MissingKey, PlanRequired, RateLimited, Unavailable } from "../contract/problems.ts"
import { ServerSettings } from "../ServerSettings.ts"
import { makeClientNetwork } from "./clientAddress.ts"
import { RequestInfo } from "./RequestInfo.ts"
import { findRepeatedHeader } from "./singleHeaders.ts"
import { SlidingLogs } from "./SlidingLog.ts"

const isStoreError = Schema.is(StoreError)
const isKeyRefused = Schema.is(KeyRefused)

const windowMs = 60_000
/** How many refused keys an address may send in a minute, and how many failed database look-ups they may cause. */
const maxRefusals = 60
/** The maximum number of keys and addresses whose requests of the last minute are remembered. */
const maxRemembered = 10_000

const toWholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

/** The credential in `Authorization: Bearer …`; undefined if absent. */
const parseBearer = (header: string | undefined): string | undefined => /^bearer +(\S.*)$/i.exec(header ?? "")?.[1]

const tooManyRefused = "Too many refused API keys from this address"
const operatorNeeded = "This needs a key of the operator: sov key create --operator --name NAME"
const operatorRefused = "A key of the operator does not open this route: use a key of the organization"
const makeRateLimited = (ms: number, detail: string) => new RateLimited({ retry_after: toWholeSeconds(ms), detail })

/** Checks keys and rate limits. All effects fail with a problem of the contract. */
export class Gate extends Context.Service<Gate, {
  /**
   * The caller that the request's key belongs to. The request must send one valid key, whose plan includes API access.
   */
  readonly identify: Effect.Effect<
    Caller,
    InvalidRequest | MissingKey | InvalidKey | PlanRequired | RateLimited | Unavailable,
    HttpServerRequest.HttpServerRequest
  >
  /** The operator key of the request, checked in the same way. Keys of organizations are refused. */
  readonly identifyOperator: Effect.Effect<
    OperatorKey,
    InvalidRequest | MissingKey | InvalidKey | RateLimited | Unavailable,
    HttpServerRequest.HttpServerRequest
  >
  /**
   * Counts one REST request of a key, and of its organization if the organization has its own limit. Sets the response
   * headers that say how many requests are left.
   */
  readonly count: (
    caller: Pick<Caller, "keyId" | "organization"> | OperatorKey
  ) => Effect.Effect<void, RateLimited | Unavailable>
}>()("@sov/http/middleware/Gate") {
  static readonly layer = Layer.effect(
    Gate,
    Effect.gen(function*() {
      const { restRate, trustedProxies = [] } = yield* ServerSettings
      const clientNetwork = makeClientNetwork(trustedProxies)
      const keys = yield* makeKeyCache()
      const refusedKeys = new SlidingLogs(maxRefusals, windowMs, maxRemembered)
      const failedLookUps = new SlidingLogs(maxRefusals, windowMs, maxRemembered)
      /**
       * Hashes of operator keys that were valid on this server. Look-ups of these keys are not limited, so they keep
       * working.
       */
      const operators = new Set<string>()
      const requests = new SlidingLogs(Math.max(1, restRate), windowMs, maxRemembered)

      /**
       * Counts a refused key of this address and fails with `problem`, or with 429 once the address has sent too many.
       * Valid keys still work.
       */
      const refuse = Effect.fnUntraced(function*<E>(address: string, problem: E) {
        const wait = refusedKeys.of(address).take(yield* monotonicMs)
        return yield* wait === 0
          ? Effect.fail(problem)
          : Effect.fail(makeRateLimited(wait, tooManyRefused))
      })

      const services = yield* Effect.context<StoragePorts>()

      /** The key in the request, after the checks that apply to every kind of key. */
      const readPresented = Effect.gen(function*() {
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
        return presented === undefined ? yield* refuse(address, new MissingKey({})) : { address, presented }
      })

      /**
       * Looks up a key. After too many failed look-ups, the database is not asked again until the minute is over; valid
       * keys are not limited. `detail` is the text of the refusal.
       */
      const lookUp = Effect.fnUntraced(function*<A, E>(
        address: string,
        find: (mayLookUp: Effect.Effect<boolean>) => Effect.Effect<A, E | KeyRefused | StoreError>,
        detail: string | undefined
      ) {
        let lookedUp = false
        let wait = 0
        const mayLookUp = Effect.map(monotonicMs, (now) => {
          const log = failedLookUps.of(address)
          lookedUp = log.remaining(now) > 0
          if (!lookedUp) wait = log.reliefMs(now)
          return lookedUp
        })
        return yield* find(mayLookUp).pipe(
          Effect.catch(
            (
              error
            ): Effect.Effect<never, Exclude<E, KeyRefused | StoreError> | InvalidKey | RateLimited | Unavailable> => {
              if (isStoreError(error)) {
                return error.retryable ? Effect.fail(new Unavailable({ retry_after: 2 })) : Effect.die(error)
              }
              if (!isKeyRefused(error)) return Effect.fail(error as Exclude<E, KeyRefused | StoreError>)
              return Effect.gen(function*() {
                if (wait > 0) return yield* makeRateLimited(wait, tooManyRefused)
                if (lookedUp) failedLookUps.of(address).take(yield* monotonicMs)
                return yield* refuse(address, new InvalidKey(detail === undefined ? {} : { detail }))
              })
            }
          )
        )
      })

      return Gate.of({
        identify: Effect.gen(function*() {
          const { address, presented } = yield* readPresented
          return yield* lookUp(
            address,
            (mayLookUp) => keys.authenticate(presented, mayLookUp),
            presented.startsWith("sov_oper_") ? operatorRefused : undefined
          ).pipe(Effect.catchTag(
            "PlanTooLow",
            ({ message, plan }) => Effect.fail(new PlanRequired({ plan, detail: message }))
          ))
        }),

        identifyOperator: Effect.gen(function*() {
          const { address, presented } = yield* readPresented
          const hash = Buffer.from(hashApiKey(presented)).toString("base64")
          return yield* lookUp(
            address,
            (mayLookUp) =>
              authenticateOperator(presented, operators.has(hash) ? Effect.succeed(true) : mayLookUp).pipe(
                Effect.tap(() => Effect.sync(() => operators.add(hash))),
                Effect.tapErrorTag("KeyRefused", () => Effect.sync(() => operators.delete(hash))),
                Effect.provideContext(services)
              ),
            presented.startsWith("sov_live_") ? operatorNeeded : undefined
          )
        }),

        count: Effect.fnUntraced(function*(caller) {
          const { responseHeaders } = yield* RequestInfo
          if (restRate > 0) {
            const now = yield* monotonicMs
            const log = requests.of("keyId" in caller ? caller.keyId : caller.id)
            const wait = log.take(now)
            responseHeaders["ratelimit-policy"] = `"requests";q=${restRate};w=${windowMs / 1000}`
            responseHeaders["ratelimit"] = `"requests";r=${log.remaining(now)};t=${
              toWholeSeconds(wait || log.reliefMs(now))
            }`
            if (wait > 0) return yield* makeRateLimited(wait, `A key may send ${restRate} requests a minute`)
          }
          if (!("organization" in caller)) return
          const taken = yield* countOrganizationRequests(caller.organization, 1).pipe(
            Effect.provideContext(services),
            Effect.catch((error) =>
              error.retryable ? Effect.fail(new Unavailable({ retry_after: 2 })) : Effect.die(error)
            )
          )
          if (taken === null) return
          const { limit } = taken
          const left = taken.taken ? taken.remaining : 0
          const add = (name: string, item: string) => {
            responseHeaders[name] = [responseHeaders[name], item].filter((part) => part !== undefined).join(", ")
          }
          add("ratelimit-policy", `"organization";q=${limit};w=${windowMs / 1000}`)
          add("ratelimit", `"organization";r=${left};t=${taken.taken ? windowMs / 1000 : toWholeSeconds(taken.waitMs)}`)
          if (!taken.taken) {
            return yield* makeRateLimited(
              taken.waitMs,
              `The keys of this organization may send ${limit} requests a minute`
            )
          }
        })
      })
    })
  )
}
