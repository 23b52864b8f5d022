/** AnswerPlatform over the OpenAI chat-completions format, which most providers and local model servers speak. */
import { Clock, Duration, Effect, Redacted } from "effect"
import type { Answer } from "../../domain/Answer.ts"
import type { PlatformId } from "../../domain/Platform.ts"
import { type AnswerPlatform, PlatformError, type PlatformFailure } from "../../ports/AnswerPlatform.ts"
import { type ChatError, readChatCompletion, readChatError } from "./chatCompletion.ts"
import type { OpenAiCompatibleBinding } from "./PlatformConfig.ts"
import { type NetworkFailure, postJson, type Reply } from "./postJson.ts"
import { excerptOf, oneLine } from "./redact.ts"
import { retryAfterMs } from "./retryAfter.ts"

/** Error codes that say the account behind the key cannot pay: asking again cannot help until the operator acts. */
const unpaid = new Set(["insufficient_quota", "billing_hard_limit_reached", "billing_not_active"])
const filtered = new Set(["content_filter", "content_policy_violation"])

/**
 * The reason for a failing status. 401, 402 and 403 are `auth`, and so is a 429 for want of credit: like a bad key it
 * is the operator's to mend and no retry helps. 408, 409 and 425 ask for another try; every other 4xx and every
 * redirect is `rejected`.
 */
const reasonOf = (status: number, error: ChatError | null): PlatformFailure => {
  const code = error?.code ?? ""
  if (unpaid.has(code)) return "auth"
  if (status === 429) return "throttled"
  if (status === 400 && filtered.has(code)) return "refused"
  if (status === 401 || status === 402 || status === 403) return "auth"
  if (status >= 500 || status === 408 || status === 409 || status === 425) return "unavailable"
  return "rejected"
}

/** undici's own limits, longer than any deadline but one that equals them. */
const slow = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"])

/**
 * Makes the platform. `apiKey` null sends no Authorization header. Answers come exactly as sent; failures carry the
 * closed reason, never the key.
 */
export const makeOpenAiCompatible = (
  id: PlatformId,
  binding: OpenAiCompatibleBinding,
  apiKey: Redacted.Redacted | null
): AnswerPlatform => {
  const base = binding.baseUrl.replace(/\/+$/, "")
  const secret = apiKey === null ? null : Redacted.value(apiKey)
  const origin = new URL(base).origin

  const failure = (reason: PlatformFailure, message: string, from?: {
    readonly reply: Reply
    readonly retryAfterMs?: number | null
  }) =>
    new PlatformError({
      platform: id,
      reason,
      message: `${id}: ${oneLine(message, secret)}`,
      status: from?.reply.status ?? null,
      retryAfterMs: from?.retryAfterMs ?? null,
      excerpt: from === undefined ? null : excerptOf(from.reply.body, secret)
    })

  const unreached = ({ code }: NetworkFailure) =>
    code !== null && slow.has(code)
      ? failure("timeout", `no answer in time (${code})`)
      : failure("unavailable", `could not reach ${origin}${code === null ? "" : ` (${code})`}`)

  const failing = (reply: Reply, nowMs: number) => {
    const { headers, status } = reply
    if (status < 400) {
      const target = URL.parse(headers.get("location") ?? "", `${base}/`)
      const to = target === null ? "" : ` to ${target.origin}`
      return failure("rejected", `answered ${status}, a redirect${to}, which is not followed; check baseUrl`, { reply })
    }
    const error = readChatError(reply.body)
    const reason = reasonOf(status, error)
    const pause = reason === "throttled" || reason === "unavailable" ? retryAfterMs(headers, nowMs) : null
    const said = error?.message ?? error?.code ?? null
    return failure(reason, `answered ${status}${said === null ? "" : `: ${said}`}`, { reply, retryAfterMs: pause })
  }

  const interpret = (reply: Reply, latencyMs: number): Answer | PlatformError => {
    if (reply.end === "over") {
      return failure("too_large", `the answer is larger than ${binding.maxAnswerBytes} bytes`, { reply })
    }
    if (reply.end === "cut") return failure("malformed", "the connection broke in the middle of the answer", { reply })
    const read = readChatCompletion(reply.body)
    switch (read.kind) {
      case "answer": {
        const { citations, finish, model, text, usage } = read
        const payload = reply.body
        return { text, payload, citations, model: model ?? binding.model, finish, usage, latencyMs, simulated: false }
      }
      case "refused":
        return failure("refused", "declined to answer and gave no text", { reply })
      case "empty":
        return failure("empty", "gave an answer without text", { reply })
      case "notJson":
        return failure("malformed", "the body is not JSON", { reply })
      case "wrongShape":
        return failure("malformed", "the body is not a chat completion", { reply })
      case "error": {
        // Gateways report a provider's failure under status 200, with the status it had in the body.
        const reason = reasonOf(read.error.status ?? 502, read.error)
        const said = read.error.message ?? "no message"
        return failure(reason, `answered ${reply.status} with an error: ${said}`, { reply })
      }
    }
  }

  const ask = Effect.fn("OpenAiCompatible.ask")(
    function*(prompt: string) {
      const begun = yield* Clock.monotonicTimeNanos
      const reply = yield* postJson({
        url: `${base}/chat/completions`,
        headers: secret === null ? {} : { authorization: `Bearer ${secret}` },
        body: JSON.stringify({ model: binding.model, messages: [{ role: "user", content: prompt }] }),
        maxBytes: binding.maxAnswerBytes
      }).pipe(Effect.mapError(unreached))
      if (reply.status < 200 || reply.status > 299) return yield* failing(reply, yield* Clock.currentTimeMillis)
      const latencyMs = Number(((yield* Clock.monotonicTimeNanos) - begun) / 1_000_000n)
      const result = interpret(reply, latencyMs)
      return result instanceof PlatformError ? yield* result : result
    },
    Effect.timeoutOrElse({
      duration: binding.timeout,
      orElse: () => Effect.fail(failure("timeout", `no whole answer within ${Duration.format(binding.timeout)}`))
    })
  )

  return {
    id,
    adapter: binding.adapter,
    model: binding.model,
    simulated: false,
    concurrency: binding.concurrency,
    requestsPerMinute: binding.requestsPerMinute ?? null,
    timeout: binding.timeout,
    ask
  }
}
