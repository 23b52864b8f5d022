/** What a client asks for when it starts a scan, and what it is told. */
import { createHash } from "node:crypto"
import type { KeywordId } from "../ids.ts"
import type { PlatformId } from "../platforms/Platform.ts"

/** How long what was begun under an Idempotency-Key is remembered. */
export const idempotencyMs = 86_400_000

/** sha256 of which keywords and platforms were asked for: a repeated request has the same. */
export const startFingerprint = (request: {
  readonly keywordIds?: ReadonlyArray<KeywordId>
  readonly platforms?: ReadonlyArray<PlatformId>
}): Uint8Array =>
  createHash("sha256").update(JSON.stringify([request.keywordIds ?? null, request.platforms ?? null])).digest()

/** Median latency that is assumed of a platform without answers, in milliseconds. */
const unknownLatencyMs = 10_000

/**
 * How long a scan will take in seconds, at least 1: as long as its slowest platform, which asks `cells` questions,
 * `concurrency` at a time, each for the median latency of its last answers (design §15).
 */
export const estimateSeconds = (
  platforms: ReadonlyArray<{ readonly cells: number; readonly concurrency: number; readonly latencyMs: number | null }>
): number =>
  platforms.reduce(
    (most, { cells, concurrency, latencyMs }) =>
      Math.max(most, Math.ceil((cells / concurrency) * (latencyMs ?? unknownLatencyMs) / 1000)),
    1
  )
