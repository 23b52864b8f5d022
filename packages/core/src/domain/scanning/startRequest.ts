/** The request that starts a scan: its fingerprint for idempotency, and the estimate of its duration. */
import { createHash } from "node:crypto"
import type { KeywordId } from "../ids.ts"
import type { PlatformId } from "../platforms/Platform.ts"

/** Most keywords and tags that a request may name. */
export const maxStartKeywords = 500
export const maxStartTags = 20

/** Most times that a scan asks each keyword on each platform. */
export const maxSamples = 5

/** How long a start under an Idempotency-Key is remembered. */
export const idempotencyKeyTtlMs = 86_400_000

/** sha256 of the keywords, platforms and tags of a request: a repeated request has the same. */
export const startFingerprint = (request: {
  readonly keywordIds?: ReadonlyArray<KeywordId>
  readonly platforms?: ReadonlyArray<PlatformId>
  readonly tags?: ReadonlyArray<string>
  readonly views?: ReadonlyArray<string>
}): Uint8Array =>
  createHash("sha256").update(JSON.stringify([
    request.keywordIds ?? null,
    request.platforms ?? null,
    // Without tags it is the one of older requests
    ...request.tags === undefined ? [] : [request.tags],
    ...request.views === undefined ? [] : [{ views: request.views }]
  ])).digest()

/** Median latency that is assumed of a platform without answers, in milliseconds. */
const assumedLatencyMs = 10_000

/**
 * How long a scan will take in seconds, at least 1: as long as its slowest platform, which asks `cells` questions,
 * `concurrency` at a time, each for the median latency of its last answers. `ahead` has the open questions of each scan
 * that runs on it: scans take turns, so that each of them delays this one by as many questions as this one has.
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
