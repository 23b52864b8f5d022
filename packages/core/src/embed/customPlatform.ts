/** Adapts platforms and e-mail of a program without Effect to the ports that use cases call. */
import { Clock, Duration, Effect, Result, Schema } from "effect"
import { decodePlatformConfig, makePlatforms } from "../adapters/outbound/index.ts"
import { type Answer, type Citation, Finish, type Usage } from "../domain/archive/Answer.ts"
import type { Mail } from "../domain/mail/Mail.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { PlatformFailure } from "../domain/scanning/Cell.ts"
import { type AnswerPlatform, type AnswerPlatforms, PlatformError } from "../ports/AnswerPlatform.ts"
import { MailError, type MailSender } from "../ports/Mailer.ts"

/** The answer of a custom platform. */
export interface CustomAnswer {
  /** The text that a reader sees, exactly as received. */
  readonly text: string
  /** The response body as received, which is archived as evidence; left out: the text is archived. */
  readonly payload?: string | Uint8Array
  /** The model that answered; left out: the platform's model. */
  readonly model?: string
  /** Citations in the platform's order; left out: no citations. */
  readonly citations?: ReadonlyArray<Pick<Citation, "url"> & Partial<Pick<Citation, "title">>>
  /** How the text ended; left out: `other`. */
  readonly finish?: Finish
  /** Usage of the call; left out: unknown. */
  readonly usage?: Partial<Usage>
}

/** A platform that the program calls with its own code. */
export interface CustomPlatform {
  /** One of the five platform ids for which scores are counted: `assistant_a` to `assistant_e`. */
  readonly id: PlatformId
  /** The name of the code that calls the platform, archived with each answer; left out: `custom`. */
  readonly adapter?: string
  readonly model: string
  /** The name that people see beside the identifier. */
  readonly label?: string
  /** True if the platform's answers are invented; every row based on them is labelled. Left out: false. */
  readonly simulated?: boolean
  /** Maximum number of calls in flight at the same time; default 4. */
  readonly concurrency?: number
  /** Maximum number of calls that start within a minute; default: no limit. */
  readonly requestsPerMinute?: number
  /** Deadline of one call in milliseconds; default 60,000. */
  readonly timeoutMs?: number
  /** Maximum size of an answer's payload in bytes; default 1,000,000. */
  readonly maxAnswerBytes?: number
  /**
   * Asks once, without retries. `signal` is aborted at the deadline and when the work on the scan stops. Rejects with
   * AskFailed to report why no answer came; any other error counts as `unavailable`, and its message is not shown,
   * because it may contain a key.
   */
  readonly ask: (prompt: string, options: { readonly signal: AbortSignal }) => Promise<CustomAnswer>
}

/** Why `ask` returned no answer; `message` is one line for the operator, without secrets. */
export class AskFailed extends Error {
  override readonly name = "AskFailed"
  readonly reason: PlatformFailure
  /** HTTP status; null if there was no response. */
  readonly status: number | null
  /**
   * Milliseconds until the same call may succeed, according to the platform; null if the platform does not report it.
   */
  readonly retryAfterMs: number | null

  constructor(
    reason: PlatformFailure,
    message: string,
    about: { readonly status?: number; readonly retryAfterMs?: number } = {}
  ) {
    super(message)
    this.reason = reason
    this.status = about.status ?? null
    this.retryAfterMs = about.retryAfterMs ?? null
  }
}

const defaults = { concurrency: 4, timeoutMs: 60_000, maxAnswerBytes: 1_000_000 }

const isFinish = Schema.is(Finish)

/**
 * Reads citations leniently, because a program without types may return anything, and the answer has been paid for. A
 * citation without an address is left out, and a value that is not a number counts as unknown.
 */
const readCitations = ({ citations }: CustomAnswer): ReadonlyArray<Citation> =>
  (Array.isArray(citations) ? citations as ReadonlyArray<Partial<Citation> | null> : [])
    .flatMap((one) => typeof one?.url === "string" ? [{ url: one.url, title: one.title }] : [])
    .map(({ title, url }, i) => ({ url, title: typeof title === "string" ? title : null, position: i + 1 }))

const readCount = (value: unknown): number | null => Number.isSafeInteger(value) ? value as number : null

const readUsage = (given: CustomAnswer | undefined): Usage => {
  const { costUsd, inputTokens, outputTokens, requests, searches } = given?.usage ?? {}
  return {
    inputTokens: readCount(inputTokens),
    outputTokens: readCount(outputTokens),
    costUsd: Number.isFinite(costUsd) ? costUsd! : null,
    ...readCount(requests) === null ? {} : { requests: requests! },
    ...readCount(searches) === null ? {} : { searches: searches! }
  }
}

const nameOf = (error: unknown): string => error instanceof Error ? error.name : typeof error

/** Makes the port of a custom platform. */
export const makeCustomPlatform = (custom: CustomPlatform): AnswerPlatform => {
  const { id, model, simulated = false } = custom
  const { concurrency, maxAnswerBytes, timeoutMs } = { ...defaults, ...custom }
  const fail = (
    reason: PlatformFailure,
    message: string,
    more: Partial<Pick<AskFailed, "status" | "retryAfterMs">> & { readonly usage?: Usage } = {}
  ) =>
    new PlatformError({
      platform: id,
      reason,
      message: `${id}: ${message.replace(/\s+/g, " ").slice(0, 200)}`,
      status: more.status ?? null,
      retryAfterMs: more.retryAfterMs ?? null,
      excerpt: null,
      ...more.usage === undefined ? {} : { usage: more.usage }
    })
  const toAnswer = (given: CustomAnswer, latencyMs: number): Answer | PlatformError => {
    const usage = readUsage(given)
    const refuse = (reason: PlatformFailure, message: string) =>
      fail(reason, message, given?.usage === undefined ? {} : { usage })
    if (typeof given?.text !== "string") {
      return refuse("rejected", "ask must resolve to an object whose text is a string")
    }
    const { payload: body = given.text } = given
    const payload = body instanceof Uint8Array ? body : Buffer.from(String(body))
    if (payload.length > maxAnswerBytes) return refuse("too_large", `more than ${maxAnswerBytes} bytes`)
    if (given.text.trim() === "") return refuse("empty", "an answer without text")
    return {
      text: given.text,
      payload,
      citations: readCitations(given),
      model: typeof given.model === "string" ? given.model : model,
      finish: isFinish(given.finish) ? given.finish : "other",
      usage,
      latencyMs,
      simulated
    }
  }
  const timeout = Duration.millis(timeoutMs)
  return {
    id,
    ...custom.label === undefined ? {} : { label: custom.label },
    adapter: custom.adapter ?? "custom",
    model,
    simulated,
    concurrency,
    requestsPerMinute: custom.requestsPerMinute ?? null,
    timeout,
    ask: Effect.fn("CustomPlatform.ask")(
      function*(prompt: string) {
        const begun = yield* Clock.monotonicTimeNanos
        const given = yield* Effect.tryPromise({
          try: (signal) => custom.ask(prompt, { signal }),
          catch: (error) =>
            error instanceof AskFailed
              ? fail(error.reason, error.message, error)
              : fail("unavailable", `ask threw ${nameOf(error)}`)
        })
        const answer = toAnswer(given, Number(((yield* Clock.monotonicTimeNanos) - begun) / 1_000_000n))
        return yield* answer instanceof PlatformError ? Effect.fail(answer) : Effect.succeed(answer)
      },
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => Effect.fail(fail("timeout", `no whole answer within ${Duration.format(timeout)}`))
      })
    )
  }
}

/**
 * The platforms of a `sov.config.json`, passed as its parsed JSON; `env` contains the keys that it names
 * (`process.env`). Throws ConfigError.
 */
export const readPlatforms = (
  config: unknown,
  env: Readonly<Record<string, string | undefined>>
): AnswerPlatforms["Service"] =>
  Result.getOrThrowWith(
    Result.flatMap(decodePlatformConfig(config, "platforms"), (decoded) => makePlatforms(decoded, env)),
    (error) => error
  )

/** Makes the port of a function that sends one e-mail. */
export const makeCustomMailer = (
  send: (mail: Mail, options: { readonly signal: AbortSignal }) => Promise<void>
): MailSender => ({
  send: (mail) =>
    Effect.tryPromise({
      try: (signal) => send(mail, { signal }),
      catch: (error) =>
        error instanceof MailError
          ? error
          : new MailError({ reason: "unreachable", message: `the mailer threw ${nameOf(error)}` })
    })
})
