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

/** Reasons that mean that the platform itself does not work, whatever it is asked. */
const outage: ReadonlySet<PlatformFailure> = new Set(["throttled", "timeout", "malformed", "unavailable"])

/** Reasons after which the same call may succeed later. */
const retryable: ReadonlySet<PlatformFailure> = new Set(["throttled", "empty", "timeout", "malformed", "unavailable"])

/**
 * A call that returned no answer. `message` is one line for the operator and never contains a key; `excerpt` is the
 * beginning of the response (at most 500 characters, secrets redacted), null if nothing was received. `usage` is the
 * usage that the platform counted anyway, left out if unknown. `final` is true if the same call would fail again
 * although its reason allows a retry.
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
  /** The operator's name for the platform, which people see beside the identifier; left out if it has none. */
  readonly label?: string
  /** True if its answers are simulated; every row based on them is labelled. */
  readonly simulated: boolean
  /** How long an answer takes, if configured; left out: estimated from earlier answers. */
  readonly latency?: Duration.Duration
  /** Maximum number of calls in flight at the same time. */
  readonly concurrency: number
  /** Maximum number of calls that start within a minute; null: no limit. */
  readonly requestsPerMinute: number | null
  /** Total deadline of one call. */
  readonly timeout: Duration.Duration
  /** Whether the platform can search the web for an answer; left out if unknown. */
  readonly search?: SearchMode
  /** What every answer contains besides its text; left out: nothing is promised. */
  readonly promises?: ReadonlyArray<PromisedPart>
  /** The prices of its answers; left out: only costs that the platform itself reports are known. */
  readonly prices?: Prices
  /** Monthly budget of the platform in US dollars (UTC month); left out: no limit. */
  readonly monthlyBudgetUsd?: number
  /**
   * Reads the day (UTC) on which the model ends, such as `2026-12-31`, from the provider's description of the model;
   * null if the description contains no such day. Left out if the API does not describe models. Costs nothing.
   */
  readonly findEnd?: Effect.Effect<string | null, PlatformError>
  /** Returns the part of a market that the platform's requests can express; left out: they cannot express any. */
  readonly tellsMarket?: (market: Market) => Market | null
  /** Asks once, for the part of the market that a request can express. Interruption cancels the call. Never retries. */
  readonly ask: (prompt: string, market?: Market) => Effect.Effect<Answer, PlatformError>
}

/** The configured platforms, by id. A platform that is not configured is absent. */
export class AnswerPlatforms extends Context.Service<AnswerPlatforms, {
  readonly all: ReadonlyMap<PlatformId, AnswerPlatform>
  /**
   * SHA-256 (hex) of the platform bindings without secrets, and of the judge. All workers of one database have the same
   * digest.
   */
  readonly digest: string
}>()("@sov/core/ports/AnswerPlatform/AnswerPlatforms") {}
