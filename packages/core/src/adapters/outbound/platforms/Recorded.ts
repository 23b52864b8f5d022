/**
 * AnswerPlatform that replays recorded answers, for repeatable studies, migrations and tests. Every answer is marked:
 * its adapter and model are `recorded`.
 *
 * The file is JSON lines, one answer a line: `{"platform", "prompt", "answer"}`, optionally `"model"` and `"citations"`
 * (`[{"url", "title", "position"}]`). Other members and the lines of other platforms are ignored.
 */
import { Clock, Duration, Effect, Result, Schema } from "effect"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { type Answer, Citation } from "../../../domain/archive/Answer.ts"
import { PlatformId } from "../../../domain/platforms/Platform.ts"
import type { PlatformFailure } from "../../../domain/scanning/Cell.ts"
import { type AnswerPlatform, PlatformError } from "../../../ports/AnswerPlatform.ts"
import { findBoundModel, type RecordedBinding } from "./bindings.ts"
import { ConfigError } from "./configFault.ts"

const RecordingLine = Schema.Struct({
  platform: PlatformId,
  prompt: Schema.String,
  answer: Schema.String,
  model: Schema.optionalKey(Schema.NonEmptyString),
  citations: Schema.optionalKey(Schema.Array(Citation))
})
const decodeLine = Schema.decodeUnknownResult(Schema.fromJsonString(RecordingLine))

/** One answer of the file; `payload` is the line itself, byte for byte. */
type Recording = typeof RecordingLine.Type & { readonly payload: Uint8Array }

const failRecordings = (id: PlatformId, message: string) =>
  Result.fail(
    new ConfigError({
      message: `platforms.${id}.file: ${message}`,
      hint: "Each line is one JSON object with \"platform\" (assistant_a to assistant_e), \"prompt\" and \"answer\"."
    })
  )

/** The platform's recordings by prompt, in the order of the file. */
const readRecordings = (
  id: PlatformId,
  file: string
): Result.Result<ReadonlyMap<string, ReadonlyArray<Recording>>, ConfigError> => {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    return failRecordings(id, `cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`)
  }
  const byPrompt = new Map<string, Array<Recording>>()
  for (let start = 0, line = 1; start < bytes.length; line++) {
    const end = bytes.indexOf("\n", start)
    const payload = bytes.subarray(start, end < 0 ? bytes.length : end)
    start = end < 0 ? bytes.length : end + 1
    const text = payload.toString("utf8").trim()
    if (text === "") continue
    const decoded = decodeLine(text)
    if (Result.isFailure(decoded)) return failRecordings(id, `${file}, line ${line} is no recorded answer`)
    if (decoded.success.platform !== id) continue
    const recording = { ...decoded.success, payload }
    const known = byPrompt.get(recording.prompt)
    if (known === undefined) byPrompt.set(recording.prompt, [recording])
    else known.push(recording)
  }
  return byPrompt.size === 0 ? failRecordings(id, `${file} holds no answer of ${id}`) : Result.succeed(byPrompt)
}

/**
 * Reads the file and creates the platform. Several answers to one prompt are replayed in turn, then again from the
 * first; a prompt without an answer in the file is `rejected`.
 */
export const makeRecorded = (
  id: PlatformId,
  binding: RecordedBinding,
  directory = "."
): Result.Result<AnswerPlatform, ConfigError> =>
  Result.map(readRecordings(id, resolve(directory, binding.file)), (recordings) => {
    const { latency, maxAnswerBytes, timeout } = binding
    const calls = new Map<string, number>()

    const failure = (reason: PlatformFailure, message: string) =>
      Effect.fail(
        new PlatformError({
          platform: id,
          reason,
          message: `${id}: ${message}`,
          status: null,
          retryAfterMs: null,
          excerpt: null
        })
      )

    const ask = Effect.fn("Recorded.ask")(
      function*(prompt: string) {
        const begun = yield* Clock.monotonicTimeNanos
        yield* Effect.sleep(latency)
        const known = recordings.get(prompt)
        if (known === undefined) return yield* failure("rejected", `${binding.file} has no answer to this prompt`)
        const call = calls.get(prompt) ?? 0
        calls.set(prompt, call + 1)
        const { answer: text, citations = [], model, payload } = known[call % known.length]!
        if (payload.length > maxAnswerBytes) {
          return yield* failure("too_large", `the answer is larger than ${maxAnswerBytes} bytes`)
        }
        if (text.trim() === "") return yield* failure("empty", "the recorded answer has no text")
        const answer: Answer = {
          text,
          payload,
          citations,
          model: model === undefined ? "recorded" : `recorded ${model}`,
          finish: "other",
          usage: { inputTokens: null, outputTokens: null, costUsd: null },
          latencyMs: Number(((yield* Clock.monotonicTimeNanos) - begun) / 1_000_000n),
          simulated: false
        }
        return answer
      },
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => failure("timeout", `no whole answer within ${Duration.format(timeout)}`)
      })
    )

    return {
      id,
      ...(binding.label === undefined ? {} : { label: binding.label }),
      adapter: binding.adapter,
      model: findBoundModel(id, binding),
      simulated: false,
      concurrency: binding.concurrency,
      requestsPerMinute: binding.requestsPerMinute ?? null,
      timeout,
      latency,
      ask
    }
  })
