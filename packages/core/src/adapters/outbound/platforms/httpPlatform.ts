/** Code that all HTTP adapters share for their calls: deadline, size limit, pauses, errors, redaction. */
import { Clock, Duration, Effect, Redacted, Result } from "effect"
import type { Answer, Usage } from "../../../domain/archive/Answer.ts"
import { computeCost, isKnownUsage, type Prices } from "../../../domain/platforms/Cost.ts"
import type { PlatformId } from "../../../domain/platforms/Platform.ts"
import type { Market, SentMarket } from "../../../domain/platforms/surface.ts"
import type { PlatformFailure } from "../../../domain/scanning/Cell.ts"
import { type AnswerPlatform, PlatformError } from "../../../ports/AnswerPlatform.ts"
import { formatOneLine, redactBodyExcerpt, removeSecret } from "../redact.ts"
import { readRetryAfterMs } from "../retryAfter.ts"
import { announcedEnd, readEndDay } from "./endOfLife.ts"
import { hasEnded } from "./endOfLife.ts"
import { answerAttributes, requestAttributes } from "./genAiAttributes.ts"
import { type HttpReply, makeTransport, type NetworkFailure } from "./postJson.ts"
import { readRequestLimit } from "./rateLimit.ts"
import { readMembers } from "./readJson.ts"
import { classifyStatus, readWireError } from "./wireError.ts"
import type { Verdict, WireFormat } from "./wireFormat.ts"

/** The settings that calls to a platform depend on; part of every remote binding in `sov.config.json`. */
export interface HttpBinding {
  /** The operator's name for the platform. */
  readonly label?: string
  /** The adapter's name, archived with every answer. */
  readonly adapter: string
  readonly model: string
  /** The URL that `WireFormat.path` is appended to. */
  readonly baseUrl: string
  readonly concurrency: number
  readonly requestsPerMinute?: number
  /** Total deadline of a call, including the body. */
  readonly timeout: Duration.Duration
  /** Maximum size of a reply in bytes. */
  readonly maxAnswerBytes: number
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>
  readonly proxy?: string
  readonly prices?: Prices
  readonly monthlyBudgetUsd?: number
}

/** A format for a market, and what its requests state about the market. */
export interface Told {
  readonly format: WireFormat
  readonly market: SentMarket | null
}

/** Returns the format for a market. Members of the market that are null keep the configured values. */
export type InMarket = (market: Market) => Told

/** How many times one call may be continued after a pause. */
const maxContinuations = 8

/** Maximum size of a model's resource in bytes, and the time limit for reading it. */
const maxModelBytes = 65_536
const modelTimeout = "10 seconds"

/** A parsed body: its bytes as received, unless they contained the secret. */
interface Body {
  readonly bytes: Uint8Array
  readonly value: unknown
}

const parse = (bytes: Uint8Array, secret: string | null): Result.Result<Body, null> => {
  try {
    // TextDecoder drops a byte order mark and replaces invalid UTF-8
    const json = new TextDecoder().decode(bytes)
    const safe = removeSecret(json, secret)
    return Result.succeed({ bytes: safe === json ? bytes : Buffer.from(safe), value: JSON.parse(safe) })
  } catch {
    return Result.fail(null)
  }
}

/** Finish words of the formats for an answer cut by the token limit. */
const outOfTokens = /^(?:length|max_tokens|max_output_tokens)$/i

/** Joins the bodies of one call, separated by line feeds. */
const inOneFile = (bodies: ReadonlyArray<Uint8Array>): Uint8Array =>
  bodies.length === 1
    ? bodies[0]!
    : Buffer.concat(bodies.flatMap((body, i) => i === 0 ? [body] : [Buffer.from("\n"), body]))

/**
 * Creates a platform that uses `format`; no key is sent if `apiKey` is null. Answers are passed on exactly as received,
 * except that a key repeated in them is removed. Failures carry the closed reason and the usage in the body, never the
 * key. A paused call continues under the same deadline and size limit, at most `maxContinuations` times.
 */
export const makeHttpPlatform = (
  id: PlatformId,
  binding: HttpBinding,
  apiKey: Redacted.Redacted | null,
  format: WireFormat,
  inMarket?: InMarket
): AnswerPlatform => {
  const url = `${binding.baseUrl.replace(/\/+$/, "")}${format.path}`
  const secret = apiKey === null ? null : Redacted.value(apiKey)
  const origin = new URL(url).origin
  const post = makeTransport(binding.proxy ?? null)

  /**
   * Adds the cost: the platform's own figure, or a cost computed from the prices. A platform that does not know its
   * cost may report 0.
   */
  const priced = (said: Usage, requests: number): Usage => {
    const usage = requests === 1 ? said : { ...said, requests }
    if ((usage.costUsd ?? 0) > 0 || binding.prices === undefined) return usage
    return { ...usage, costUsd: computeCost(binding.prices, usage) }
  }

  const failure = (reason: PlatformFailure, message: string, from?: {
    readonly reply: HttpReply
    readonly retryAfterMs?: number | null
    readonly final?: boolean
  }) =>
    new PlatformError({
      platform: id,
      reason,
      message: `${id}: ${formatOneLine(message, secret)}`,
      status: from?.reply.status ?? null,
      retryAfterMs: from?.retryAfterMs ?? null,
      excerpt: from === undefined ? null : redactBodyExcerpt(from.reply.body, secret),
      ...(from?.final === true ? { final: true } : {})
    })

  /** Adds the usage up to the failure to the error. */
  const paid = (error: PlatformError, used: Usage | null): PlatformError => {
    if (used === null || !isKnownUsage(used)) return error
    const { excerpt, final = false, message, platform, reason, retryAfterMs, status } = error
    return new PlatformError({ platform, reason, message, status, retryAfterMs, excerpt, final, usage: used })
  }

  const unreached = ({ code }: NetworkFailure) =>
    failure(
      "unavailable",
      `could not reach ${origin}${binding.proxy === undefined ? "" : ` through the proxy`}${
        code === null ? "" : ` (${code})`
      }`
    )

  const failing = (reply: HttpReply, nowMs: number) => {
    const { headers, status } = reply
    if (status < 400) {
      const target = URL.parse(headers["location"] ?? "", url)
      const to = target === null ? "" : ` to ${target.origin}`
      return failure("rejected", `answered ${status}, a redirect${to}, which is not followed; check baseUrl`, { reply })
    }
    const error = Result.getOrNull(Result.map(parse(reply.body, secret), ({ value }) => readWireError(value)))
    const reason = classifyStatus(status, error, headers, nowMs)
    const pauses = reason === "throttled" || reason === "unavailable"
    const said = error?.message ?? error?.code ?? null
    const keyless = reason === "auth" && secret === null ? " (no apiKeyEnv is set)" : ""
    const advice = error === null || reason !== "rejected" ? null : format.advice?.(error) ?? null
    const announced = reason === "ended" ? announcedEnd(headers) : null
    const details = [said, announced].filter((one) => one !== null).join("; ")
    const what = reason === "ended"
      ? `its API or model has ended, or never was: ${status}${
        error?.code === undefined || error.code === null ? "" : ` ${error.code}`
      }${details === "" ? "" : `: ${details}`}`
      : `answered ${status}${said === null ? "" : `: ${said}`}${keyless}`
    return failure(reason, advice === null ? what : `${formatOneLine(what, secret).slice(0, 140)}; ${advice}`, {
      reply,
      retryAfterMs: pauses ? readRetryAfterMs(headers, nowMs) ?? error?.retryAfterMs ?? null : null
    })
  }

  /** The parsed body of a 2xx reply. */
  const bodyOf = (reply: HttpReply): Result.Result<Body, PlatformError> => {
    if (reply.end === "over") {
      return Result.fail(failure("too_large", `the answer is larger than ${binding.maxAnswerBytes} bytes`, { reply }))
    }
    if (reply.end === "cut") {
      return Result.fail(failure("malformed", "the connection broke in the middle of the answer", { reply }))
    }
    const isPage = /^text\/html\b/i.test(reply.headers["content-type"] ?? "")
    const detail = isPage ? "answered with a web page; check baseUrl" : "the body is not JSON"
    return Result.mapError(parse(reply.body, secret), () => failure("malformed", detail, { reply }))
  }

  const noAnswer = (verdict: Exclude<Verdict, { readonly kind: "answer" }>, reply: HttpReply): PlatformError => {
    switch (verdict.kind) {
      case "refused": {
        const detail = verdict.detail === null ? "" : ` (${verdict.detail})`
        return failure("refused", `declined to answer and gave no text${detail}`, { reply })
      }
      case "empty": {
        const detail = verdict.detail === null ? "" : ` (${verdict.detail})`
        const final = outOfTokens.test(verdict.detail ?? "")
        const hint = final ? "; a higher maxOutputTokens may help" : ""
        return failure("empty", `gave an answer without text${detail}${hint}`, { reply, final })
      }
      case "none":
        return failure("no_overview", "shows no overview for this question", { reply })
      case "paused":
        return failure("unavailable", `paused ${maxContinuations + 1} times and did not finish`, { reply })
      case "wrongShape":
        return failure("malformed", `the body is not in the ${binding.adapter} format`, { reply })
      case "error": {
        const { code, message, retryAfterMs, status } = verdict.error
        // Gateways report a provider's failure under status 200, with the original status in the body. If that status
        // is missing, the text still tells whether the API or model has ended or the failure is temporary.
        const reason = status === null && hasEnded(400, verdict.error)
          ? "ended"
          : classifyStatus(status ?? 502, verdict.error)
        const said = message ?? code ?? "no message"
        const what = reason === "ended" ? "its API or model has ended, or never was: " : ""
        return failure(reason, `${what}answered ${reply.status} with an error: ${said}`, { reply, retryAfterMs })
      }
    }
  }

  const converse = Effect.fnUntraced(
    function*(prompt: string, { format, market }: Told, use: (usage: Usage) => void) {
      const begun = yield* Clock.monotonicTimeNanos
      const earlier: Array<unknown> = []
      const bodies: Array<Uint8Array> = []
      for (;;) {
        const reply = yield* post({
          url,
          headers: { ...binding.headers, ...format.headers(secret) },
          body: JSON.stringify(format.body(prompt, earlier)),
          maxBytes: binding.maxAnswerBytes - bodies.reduce((sum, body) => sum + body.length, 0)
        }).pipe(Effect.mapError(unreached))
        if (reply.status < 200 || reply.status > 299) return yield* failing(reply, yield* Clock.currentTimeMillis)
        const body = yield* Effect.fromResult(bodyOf(reply))
        const verdict = format.read(body.value, earlier)
        bodies.push(body.bytes)
        if ("usage" in verdict && verdict.usage !== undefined) use(priced(verdict.usage, bodies.length))
        if (verdict.kind === "answer") {
          const { citations, finish, model, text, usage } = verdict
          const end = announcedEnd(reply.headers)
          const endsOn = verdict.endsOn ?? readEndDay(reply.headers["sunset"])
          const requestLimit = readRequestLimit(reply.headers)
          const latencyMs = Number(((yield* Clock.monotonicTimeNanos) - begun) / 1_000_000n)
          const answer: Answer = {
            text,
            payload: inOneFile(bodies),
            citations,
            model: model ?? binding.model,
            finish,
            usage: priced(usage, bodies.length),
            latencyMs,
            simulated: false,
            ...(format.search === undefined ? {} : { search: format.search }),
            ...(market === null ? {} : { market }),
            ...(end === null ? {} : { announcedEnd: formatOneLine(end, secret) }),
            ...(endsOn === null ? {} : { endsOn }),
            ...(requestLimit === null ? {} : { requestLimit })
          }
          return answer
        }
        if (verdict.kind !== "paused" || earlier.length === maxContinuations) return yield* noAnswer(verdict, reply)
        earlier.push(body.value)
      }
    },
    Effect.timeoutOrElse({
      duration: binding.timeout,
      orElse: () => Effect.fail(failure("timeout", `no whole answer within ${Duration.format(binding.timeout)}`))
    })
  )

  const tell = (market: Market): Told => inMarket?.(market) ?? { format, market: null }
  const standard = tell({ country: null, language: null })

  const ask = Effect.fn("HttpPlatform.ask", { kind: "client", attributes: requestAttributes(binding) })(
    (prompt: string, market?: Market) =>
      Effect.suspend(() => {
        let used: Usage | null = null
        return Effect.mapError(
          converse(prompt, market === undefined ? standard : tell(market), (usage) => {
            used = usage
          }),
          (error) => paid(error, used)
        )
      }).pipe(
        Effect.tap((answer) => Effect.annotateCurrentSpan(answerAttributes(answer))),
        Effect.tapError(({ reason }) => Effect.annotateCurrentSpan("error.type", reason))
      )
  )

  const findEnd = ({ endOf, path }: NonNullable<WireFormat["model"]>) =>
    Effect.gen(function*() {
      const reply = yield* post({
        url: `${binding.baseUrl.replace(/\/+$/, "")}${path}`,
        headers: { ...binding.headers, ...format.headers(secret) },
        body: null,
        maxBytes: maxModelBytes
      }).pipe(Effect.mapError(unreached))
      if (reply.status < 200 || reply.status > 299) return yield* failing(reply, yield* Clock.currentTimeMillis)
      const model = readMembers((yield* Effect.fromResult(bodyOf(reply))).value)
      return model === null ? yield* noAnswer({ kind: "wrongShape" }, reply) : readEndDay(endOf(model))
    }).pipe(
      Effect.timeoutOrElse({
        duration: modelTimeout,
        orElse: () => Effect.fail(failure("timeout", `no description of the model within ${modelTimeout}`))
      }),
      Effect.withSpan("HttpPlatform.findEnd")
    )

  return {
    id,
    ...(binding.label === undefined ? {} : { label: binding.label }),
    adapter: binding.adapter,
    model: binding.model,
    baseUrl: binding.baseUrl,
    simulated: false,
    concurrency: binding.concurrency,
    requestsPerMinute: binding.requestsPerMinute ?? null,
    timeout: binding.timeout,
    ...(format.promises === undefined ? {} : { promises: format.promises }),
    ...(format.search === undefined ? {} : { search: format.search }),
    ...(binding.prices === undefined ? {} : { prices: binding.prices }),
    ...(binding.monthlyBudgetUsd === undefined ? {} : { monthlyBudgetUsd: binding.monthlyBudgetUsd }),
    ...(format.model === undefined ? {} : { findEnd: findEnd(format.model) }),
    ...(inMarket === undefined ? {} : { tellsMarket: (market: Market) => tell(market).market }),
    ask
  }
}
