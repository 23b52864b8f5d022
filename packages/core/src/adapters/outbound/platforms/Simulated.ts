/** AnswerPlatform that invents its answers, for the demo and for trials; every answer is marked as simulated. */
import { Clock, Duration, Effect } from "effect"
import type { Answer } from "../../../domain/archive/Answer.ts"
import type { PlatformId } from "../../../domain/platforms/Platform.ts"
import { type AnswerPlatform, PlatformError } from "../../../ports/AnswerPlatform.ts"
import { findBoundModel, type SimulatedBinding } from "./bindings.ts"
import { simulateText } from "./simulatedText.ts"

/** The brand's mean probability of being named, unless the binding sets one. Platforms differ, as real ones do. */
const mentionRates: Readonly<Record<PlatformId, number>> = {
  assistant_a: 0.55,
  assistant_b: 0.45,
  assistant_c: 0.6,
  assistant_d: 0.65,
  assistant_e: 0.4
}

/**
 * Creates the platform. Within one `run`, the n-th answer to a prompt is always the same; another `run` (or the next
 * call) draws again, so repeated scans differ as they do on real platforms.
 */
export const makeSimulated = (id: PlatformId, binding: SimulatedBinding, run = "0"): AnswerPlatform => {
  const { brand, competitors, latency, seed, timeout } = binding
  const model = findBoundModel(id, binding)
  const calls = new Map<string, number>()

  const answer = (prompt: string) => {
    const call = (calls.get(prompt) ?? 0) + 1
    calls.set(prompt, call)
    const mentionRate = binding.mentionRate ?? mentionRates[id]
    const { queries, retrieved, sources, text } = simulateText({
      seed,
      platform: id,
      prompt,
      run: `${run}/${call}`,
      brand,
      competitors,
      mentionRate
    })
    const citations = sources.map((source, i) => ({ ...source, position: i + 1 }))
    const payload = new TextEncoder().encode(
      JSON.stringify({ simulated: true, model, text, citations, retrieved, queries })
    )
    return { text, citations, payload }
  }

  const ask = Effect.fn("Simulated.ask")(
    function*(prompt: string) {
      const begun = yield* Clock.monotonicTimeNanos
      yield* Effect.sleep(latency)
      const latencyMs = Number(((yield* Clock.monotonicTimeNanos) - begun) / 1_000_000n)
      const made: Answer = {
        ...answer(prompt),
        model,
        finish: "stop",
        usage: { inputTokens: null, outputTokens: null, costUsd: null },
        latencyMs,
        simulated: true,
        search: "offered"
      }
      return made
    },
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        Effect.fail(
          new PlatformError({
            platform: id,
            reason: "timeout",
            message: `${id}: no whole answer within ${Duration.format(timeout)}`,
            status: null,
            retryAfterMs: null,
            excerpt: null
          })
        )
    })
  )

  return {
    id,
    ...(binding.label === undefined ? {} : { label: binding.label }),
    adapter: binding.adapter,
    model,
    simulated: true,
    concurrency: binding.concurrency,
    requestsPerMinute: binding.requestsPerMinute ?? null,
    timeout,
    latency,
    ask
  }
}
