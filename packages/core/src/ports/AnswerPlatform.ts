/**
 * AnswerPlatform is the boundary between a scan and one AI answer platform: one prompt goes out, one answer comes back.
 * An implementation handles the wire format, the deadline and the size limit; its caller handles retries, limits and
 * the archive.
 */
import { Context, type Duration, type Effect, Schema } from "effect"
import { type Answer, Usage } from "../domain/archive/Answer.ts"
import type { PromisedPart } from "../domain/platforms/answerShape.ts"
import type { Prices } from "../domain/platforms/Cost.ts"
import { PlatformId, type Provider } from "../domain/platforms/Platform.ts"
import type { Market } from "../domain/platforms/surface.ts"
import { PlatformFailure } from "../domain/scanning/Cell.ts"
import type { SearchMode } from "../domain/sources/Source.ts"

/** Reasons which mean that the platform itself does not work, whatever it was asked. */
const outage: ReadonlySet<PlatformFailure> = new Set(["throttled", "timeout", "malformed", "unavailable"])

/** Reasons after which the same call may succeed later. */
const retryable: ReadonlySet<PlatformFailure> = new Set(["throttled", "empty", "timeout", "malformed", "unavailable"])

/**
 * A call that returned no answer. `message` is one line for the operator and never contains a key; `excerpt` is the
 * beginning of the response (at most 500 characters, secrets redacted), null when nothing was received. `usage` is what
 * the platform counted anyway, omitted when unknown. `final` is true when the same call would fail again although its
 * reason allows a retry.
 */
export class PlatformError extends Schema.TaggedError<PlatformError>()("PlatformError", {
  platform: PlatformId,
  reason: PlatformFailure,
  message: Schema.String,
  status: Schema.NullOr(Schema.Int),
  retryAfterMs: Schema.NullOr(Schema.Finite),
  excerpt: Schema.NullOr(Schema.String),
  usage: Schema.optionalKey(Usage),
  final: Schema.optionalKey(Schema.Boolean)
}) {
  /** Whether the same call may succeed later. */
  get retryable(): boolean {
    return retryable.has(this.reason) && this.final !== true
  }
  /** Whether the platform itself does not work, rather than just this question. */
  get outage(): boolean {
    return outage.has(this.reason)
  }
}

/** One configured platform. */
export interface AnswerPlatform extends Provider {
  readonly id: PlatformId
  /** The operator's name for the platform, shown to people beside the identifier; omitted = none. */
  readonly label?: string
  /** True when answers are simulated; every row made from them is labelled. */
  readonly simulated: boolean
  /** How long an answer takes, if configured; omitted = estimated from experience. */
  readonly latency?: Duration.Duration
  /** Maximum number of calls in flight at the same time. */
  readonly concurrency: number
  /** Maximum number of calls that start in any minute; null = no limit. */
  readonly requestsPerMinute: number | null
  /** Total deadline of one call. */
  readonly timeout: Duration.Duration
  /** Whether the platform can search the web for an answer; omitted = unknown. */
  readonly search?: SearchMode
  /** What every answer contains besides its text; omitted = nothing is promised. */
  readonly promises?: ReadonlyArray<PromisedPart>
  /** What its answers cost; omitted = only costs that the platform itself reports are known. */
  readonly prices?: Prices
  /** Monthly budget of the platform in US dollars (UTC month); omitted = no limit. */
  readonly monthlyBudgetUsd?: number
  /**
   * The day (UTC) on which the model ends according to the provider's description, such as `2026-12-31`; null if it
   * names none. Omitted where the API does not describe models. Costs nothing.
   */
  readonly findEnd?: Effect.Effect<string | null, PlatformError>
  /** The part of a market that its requests can express; omitted = none. */
  readonly tellsMarket?: (market: Market) => Market | null
  /** Asks once, for the market as far as a request can express it. Interruption cancels the call. Never retries. */
  readonly ask: (prompt: string, market?: Market) => Effect.Effect<Answer, PlatformError>
}

/** The configured platforms, by id. A platform without configuration is absent. */
export class AnswerPlatforms extends Context.Service<AnswerPlatforms, {
  readonly all: ReadonlyMap<PlatformId, AnswerPlatform>
  /**
   * SHA-256 (hex) of the platform bindings without secrets, and of the judge. All workers of one database have the same
   * digest.
   */
  readonly digest: string
}>()("@sov/core/ports/AnswerPlatform/AnswerPlatforms") {}
