import { Clock, Duration, Effect, type Fiber, Layer, Result } from "effect"
import { type IncomingMessage, request as httpRequest } from "node:http"
import { request as httpsRequest } from "node:https"
import {
  attemptDeadline,
  type AttemptFailure,
  connectDeadline,
  maxRetryAfter
} from "../../../domain/webhooks/Delivery.ts"
import { type WebhookReply, type WebhookRequest, WebhookSender } from "../../../ports/WebhookSender.ts"
import { ConfigError } from "../platforms/configFault.ts"
import { redactBodyExcerpt } from "../redact.ts"
import { readRetryAfterMs } from "../retryAfter.ts"
import { type EgressRules, makeEgress, parseCidrs } from "./egress.ts"
import { makeGuardedAgents, type Resolve } from "./guardedAgent.ts"

/** Maximum bytes of an answer that are read, and maximum characters that are stored. */
const [maxReadBytes, maxKeptCharacters] = [16_384, 1_024]

const failureByCode: ReadonlyArray<readonly [code: RegExp, failure: AttemptFailure]> = [
  [/^EGRESS_DENIED$/, "blocked"],
  [/^(ENOTFOUND|EAI_\w+|EDNS\w*)$/, "dns"],
  [/^(CONNECT_TIMEOUT|ETIMEDOUT)$/, "timeout"],
  [/^(ECONNREFUSED|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/, "connect"],
  [/^(ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|EPROTO|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|HOSTNAME_\w+)$/, "tls"]
]

const findErrorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""

const classifyFailure = (error: unknown): AttemptFailure =>
  failureByCode.find(([pattern]) => pattern.test(findErrorCode(error)))?.[1] ?? "reset"

const failureWords: { readonly [K in Exclude<AttemptFailure, "status" | "redirect" | "blocked">]: string } = {
  dns: "the name has no address",
  connect: "nobody listens there",
  tls: "the connection could not be secured",
  timeout: "no whole answer in time",
  reset: "the connection broke"
}

/** Describes a failed attempt in our own words only, because system messages may quote the answer. */
const describeFailure = (error: unknown, failure: AttemptFailure): string => {
  if (failure === "blocked") return `blocked: ${(error as Error).message}`
  const code = findErrorCode(error)
  return `${failureWords[failure as keyof typeof failureWords]}${
    /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : ""
  }`
}

/** The part of an answer that was received, even if the rest never arrives. */
interface Received {
  response: IncomingMessage | null
  readonly chunks: Array<Uint8Array>
}

/** Reads at most `maxReadBytes`, then closes the connection. Uses events because an async iterator is slower. */
const readChunks = (
  response: IncomingMessage,
  chunks: Array<Uint8Array>,
  ended: () => void,
  failed: (error: unknown) => void
): void => {
  let left = maxReadBytes
  response.on("data", (chunk: Buffer) => {
    if (left <= 0) return
    chunks.push(chunk.subarray(0, left))
    left -= chunk.length
    if (left > 0) return
    ended()
    response.destroy()
  })
  response.on("error", failed)
  // `close` instead of `end`: at `end` the connection is not yet free for the next post
  response.on("close", ended)
}

/** Reads the rules from the environment: SOV_WEBHOOK_ALLOW_CIDRS and SOV_WEBHOOK_ALLOW_HTTP. */
export const parseEgressRules = (
  env: Readonly<Record<string, string | undefined>>
): Result.Result<EgressRules, ConfigError> =>
  Result.map(
    Result.mapError(
      parseCidrs(env["SOV_WEBHOOK_ALLOW_CIDRS"] ?? ""),
      (fault) =>
        new ConfigError({
          message: `SOV_WEBHOOK_ALLOW_CIDRS: ${fault}`,
          hint: "separate networks by commas, e.g. 10.0.0.0/8,fd00::/8"
        })
    ),
    (allow) => ({ allow, http: env["SOV_WEBHOOK_ALLOW_HTTP"] === "1" })
  )

/** Settings for tests: the resolver, and the time limit for connecting. */
interface SenderOptions {
  readonly resolve?: Resolve
  readonly connectMs?: number
}

const makeWebhookSender = (rules: EgressRules, { connectMs, resolve }: SenderOptions) =>
  Effect.gen(function*() {
    const egress = makeEgress(rules)
    // Created with the first post: the agents need TLS, which takes as long to load as Node takes to start
    let made: ReturnType<typeof makeGuardedAgents> | undefined
    const getAgents = () => made ??= makeGuardedAgents(egress, connectMs ?? Duration.toMillis(connectDeadline), resolve)
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        made?.http.destroy()
        made?.https.destroy()
      })
    )

    /** Posts the request; fails when the timer ends. */
    const exchange = (
      request: WebhookRequest,
      received: Received,
      timer: Fiber.Fiber<void>
    ): Effect.Effect<void, { readonly error: unknown }> =>
      Effect.callback((resume) => {
        const secure = request.url.startsWith("https:")
        const outgoing = (secure ? httpsRequest : httpRequest)(request.url, {
          method: "POST",
          headers: { ...request.headers, "content-length": request.body.length },
          agent: secure ? getAgents().https : getAgents().http
        })
        const forgetTimer = timer.addObserver(() => {
          resume(Effect.fail({ error: Object.assign(new Error(), { code: "ETIMEDOUT" }) }))
          outgoing.destroy()
        })
        const ended = () => {
          forgetTimer()
          resume(Effect.void)
        }
        const failed = (error: unknown) => {
          forgetTimer()
          // The receiver had already closed this reused connection, so it never answered this post
          const stale = outgoing.reusedSocket && received.response === null &&
            /^(ECONNRESET|EPIPE)$/.test(findErrorCode(error))
          resume(stale ? exchange(request, received, timer) : Effect.fail({ error }))
        }
        outgoing.on("response", (response) => {
          received.response = response
          readChunks(response, received.chunks, ended, failed)
        })
        outgoing.on("error", failed)
        outgoing.end(request.body)
        return Effect.sync(() => {
          forgetTimer()
          outgoing.destroy()
        })
      })

    const reply = (received: Received, failed: { readonly error: unknown } | null, nowMs: number): WebhookReply => {
      const { chunks, response } = received
      const status = response?.statusCode ?? null
      const pauses = status !== null && [429, 502, 503, 504].includes(status)
      const came = {
        status,
        response: redactBodyExcerpt(Buffer.concat(chunks), null, maxKeptCharacters),
        retryAfterMs: pauses ? readRetryAfterMs(response!.headers, nowMs, Duration.toMillis(maxRetryAfter)) : null
      }
      if (status !== null && status >= 300 && status <= 399) {
        return { ...came, failure: "redirect", message: `answered ${status}, a redirect, which is not followed` }
      }
      if (status !== null && (status < 200 || status > 299)) {
        return { ...came, failure: "status", message: `answered ${status}` }
      }
      if (failed === null) return { ...came, failure: null, message: null }
      const failure = classifyFailure(failed.error)
      return { ...came, failure, message: describeFailure(failed.error, failure) }
    }

    return WebhookSender.of({
      refusal: egress.refusal,
      send: Effect.fnUntraced(function*(request) {
        const received: Received = { response: null, chunks: [] }
        // A timer in its own fiber costs less time than racing it with the post
        const timer = yield* Effect.forkChild(Effect.sleep(attemptDeadline), { startImmediately: true })
        const failed = yield* exchange(request, received, timer).pipe(
          // Node throws if it refuses to send the request
          Effect.catchDefect((error) => Effect.fail({ error })),
          Effect.match({ onFailure: (failed) => failed, onSuccess: () => null })
        )
        timer.interruptUnsafe()
        return reply(received, failed, yield* Clock.currentTimeMillis)
      })
    })
  })

/** Posts with Node's own HTTP client, with keep-alive; addresses are checked when connecting. */
export const layerWebhookSender = (rules: EgressRules, options: SenderOptions = {}): Layer.Layer<WebhookSender> =>
  Layer.effect(WebhookSender, makeWebhookSender(rules, options))
