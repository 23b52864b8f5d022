/**
 * Time stamps over HTTP (RFC 3161 §3.4). The operator names the authority for each request, so any address is allowed,
 * including internal ones and ones without TLS: the answer is signed and repeats a nonce.
 */
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { request as httpRequest } from "node:http"
import { request as httpsRequest } from "node:https"
import { maxTimeStampBytes } from "../../../domain/archive/AnchorDocument.ts"
import { TimeStampError, TimeStamps } from "../../../ports/TimeStamps.ts"
import { checkAnswer, checkResponse, encodeRequest } from "./token.ts"

/** Maximum milliseconds from opening the connection to the last byte of the answer. */
const maxRequestMs = 30_000

interface Answer {
  readonly status: number
  /** The body; null if it is longer than `maxTimeStampBytes`. */
  readonly body: Uint8Array | null
}

const post = (url: string, body: Uint8Array, signal: AbortSignal): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = (url.startsWith("https:") ? httpsRequest : httpRequest)(url, {
      method: "POST",
      signal,
      agent: false,
      headers: {
        "content-type": "application/timestamp-query",
        "content-length": body.length,
        accept: "application/timestamp-reply",
        "user-agent": "sov"
      }
    })
    outgoing.on("error", reject)
    outgoing.on("response", (response) => {
      const chunks: Array<Uint8Array> = []
      let length = 0
      response.on("error", reject)
      response.on("data", (chunk: Uint8Array) => {
        length += chunk.length
        chunks.push(chunk)
        if (length <= maxTimeStampBytes) return
        resolve({ status: response.statusCode ?? 0, body: null })
        response.destroy()
      })
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }))
    })
    outgoing.end(body)
  })

const unreachable = (error: unknown): TimeStampError => {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  return new TimeStampError({
    reason: "unreachable",
    message: `the time-stamping authority gave no whole answer${
      /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : ""
    }`
  })
}

const refused = (detail: string) =>
  new TimeStampError({ reason: "refused", message: `the time-stamping authority answered ${detail}` })

const readBody = ({ body, status }: Answer): Effect.Effect<Uint8Array, TimeStampError> => {
  if (status !== 200) return Effect.fail(refused(String(status)))
  return body === null ? Effect.fail(refused(`more than ${maxTimeStampBytes} bytes`)) : Effect.succeed(body)
}

/**
 * Runs a check of a token. A failed check rejects with TimeStampError; any other error means that the library could not
 * be loaded.
 */
const checking = (check: () => Promise<Date>): Effect.Effect<Date, TimeStampError> =>
  Effect.tryPromise({
    try: check,
    catch: (error) =>
      error instanceof TimeStampError
        ? error
        : new TimeStampError({ reason: "invalid", message: "it could not be read: the library for it does not load" })
  })

/** Sends requests with Node's own HTTP client; `requestMs` is the time limit of one request. */
export const layerTimeStamps = ({ requestMs = maxRequestMs } = {}): Layer.Layer<
  TimeStamps,
  never,
  SecureRandom.SecureRandom
> =>
  Layer.effect(
    TimeStamps,
    Effect.gen(function*() {
      const random = yield* SecureRandom.SecureRandom
      return TimeStamps.of({
        request: Effect.fnUntraced(function*(url, data) {
          const bytes = yield* random.randomBytes(8)
          const request = yield* Effect.promise(() => encodeRequest(data, bytes))
          const answer = yield* Effect.tryPromise({
            try: (signal) => post(url, request.body, signal),
            catch: unreachable
          }).pipe(
            Effect.timeoutOrElse({
              duration: requestMs,
              orElse: () => Effect.fail(unreachable(Object.assign(new Error(), { code: "ETIMEDOUT" })))
            })
          )
          const body = yield* readBody(answer)
          yield* checking(() => checkAnswer(body, data, request.nonce))
          return body
        }),
        check: (response, data, trusted) => checking(() => checkResponse(response, data, trusted))
      })
    })
  )
