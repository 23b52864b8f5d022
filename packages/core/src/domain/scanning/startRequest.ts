/** The request that starts a scan: its fingerprint for idempotency, and the estimate of its duration. */
import { createHash } from "node:crypto"
import type { KeywordId } from "../ids.ts"
import type { PlatformId } from "../platforms/Platform.ts"

/** Maximum number of keywords, and of tags, in a request. */
export const maxStartKeywords = 500
export const maxStartTags = 20

/** Maximum number of times that a scan may ask each keyword on each platform. */
export const maxSamples = 5

/** How long a start under an Idempotency-Key is remembered. */
export const idempotencyKeyTtlMs = 86_400_000

/** SHA-256 of the keywords, platforms and tags of a request: a repeated request has the same fingerprint. */
export const startFingerprint = (request: {
  readonly keywordIds?: ReadonlyArray<KeywordId>
  readonly platforms?: ReadonlyArray<PlatformId>
  readonly tags?: ReadonlyArray<string>
  readonly views?: ReadonlyArray<string>
}): Uint8Array =>
  createHash("sha256").update(JSON.stringify([
    request.keywordIds ?? null,
    request.platforms ?? null,
    // Without tags, the fingerprint is the same as in older releases
    ...request.tags === undefined ? [] : [request.tags],
    ...request.views === undefined ? [] : [{ views: request.views }]
  ])).digest()

/** Assumed median latency of a platform without answers, in milliseconds. */
const assumedLatencyMs = 10_000

/**
 * Estimated duration of a scan in seconds, at least 1: the time for its slowest platform, which asks `cells` questions,
 * `concurrency` at a time, each for the median latency of its last answers. `ahead` contains the open questions of each
 * other scan on the platform: scans take turns, so each of them delays this scan by at most as many questions as this
 * scan has.
 */
export const estimateSeconds = (
  platforms: ReadonlyArray<{
    readonly cells: number
    readonly concurrency: number
    readonly latencyMs: number | null
    readonly ahead?: ReadonlyArray<number>
  }>
): number =>
  platforms.reduce(
    (longest, { ahead = [], cells, concurrency, latencyMs }) =>
      Math.max(
        longest,
        Math.ceil(
          (ahead.reduce((sum, open) => sum + Math.min(open, cells), cells) / concurrency) *
            (latencyMs ?? assumedLatencyMs) / 1000
        )
      ),
    1
  )
