/**
 * AnswerPlatform is the boundary between a scan and one AI answer platform: one prompt goes out, one answer comes back.
 * An implementation owns the wire format, the deadline and the size limit; its caller owns retries, limits and the
 * archive.
 */
import { Context, type Duration, type Effect, Schema } from "effect"
import { type Answer, Usage } from "../domain/archive/Answer.ts"
import type { PromisedPart } from "../domain/platforms/answerShape.ts"
import type { Prices } from "../domain/platforms/Cost.ts"
import { PlatformId, type Provider } from "../domain/platforms/Platform.ts"
import type { Market } from "../domain/platforms/surface.ts"
import { PlatformFailure } from "../domain/scanning/Cell.ts"
import type { SearchMode } from "../domain/sources/Source.ts"

/** Reasons that say that the platform itself does not work, whatever it was asked. */
const outage: ReadonlySet<PlatformFailure> = new Set(["throttled", "timeout", "malformed", "unavailable"])

/** Reasons after which the same call may succeed later. */
const retryable: ReadonlySet<PlatformFailure> = new Set(["throttled", "empty", "timeout", "malformed", "unavailable"])

/**
 * A call that brought no answer. `message` is one line for the operator and never holds a key; `excerpt` is the
 * beginning of what came (at most 500 characters, secrets redacted), null when nothing came. `usage` is what the
 * platform counted nevertheless, left out when nothing is known. `final` is true where the same call would end the
 * same, although its reason allows another try.
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
  /** Whether the platform itself does not work, rather than this one question. */
  get outage(): boolean {
    return outage.has(this.reason)
  }
}

/** One platform, ready to be asked. */
export interface AnswerPlatform extends Provider {
  readonly id: PlatformId
  /** The operator's name for it, shown to people beside the identifier; left out = none. */
  readonly label?: string
  /** True when answers are simulated; every row that comes of them is labelled. */
  readonly simulated: boolean
  /** How long it takes for an answer, where settings say so; left out = experience tells. */
  readonly latency?: Duration.Duration
  /** Calls in flight at the same time, at most. */
  readonly concurrency: number
  /** Calls that begin in any minute, at most; null = no limit. */
  readonly requestsPerMinute: number | null
  /** Total deadline of one call. */
  readonly timeout: Duration.Duration
  /** Whether it can search the web for an answer; left out = not known. */
  readonly search?: SearchMode
  /** What every answer has beside its text; left out = nothing is promised. */
  readonly promises?: ReadonlyArray<PromisedPart>
  /** What its answers cost; left out = only what it says itself is known. */
  readonly prices?: Prices
  /** US dollars that may be spent on it in a UTC month; left out = no limit. */
  readonly monthlyBudgetUsd?: number
  /**
   * The day (UTC) on which the provider's description of the model says that it ends, `2026-12-31`; null if it names
   * none. Left out where the API describes no models. Costs nothing.
   */
  readonly findEnd?: Effect.Effect<string | null, PlatformError>
  /** What its requests can say of a market; left out = nothing. */
  readonly tellsMarket?: (market: Market) => Market | null
  /** Asks once, in the market as far as it can say it. Interruption cancels the call. Never retries by itself. */
  readonly ask: (prompt: string, market?: Market) => Effect.Effect<Answer, PlatformError>
}

/** The platforms that are configured, by id. A platform without configuration is absent. */
export class AnswerPlatforms extends Context.Service<AnswerPlatforms, {
  readonly all: ReadonlyMap<PlatformId, AnswerPlatform>
  /** sha256 (hex) of the bindings without secrets and of the judge: all workers of one database carry the same. */
  readonly digest: string
}>()("@sov/core/ports/AnswerPlatform/AnswerPlatforms") {}
