/** The interface between a provider's format and the call code: a request builder and a response reader, both pure. */
import type { Citation, Finish, Usage } from "../../../domain/archive/Answer.ts"
import type { PromisedPart } from "../../../domain/platforms/answerShape.ts"
import type { SearchMode } from "../../../domain/sources/Source.ts"

/** A failure that a platform reports, in any of the shapes that providers use. */
export interface WireError {
  /** Code of the fault, e.g. `insufficient_quota`; null if the body has none. */
  readonly code: string | null
  /** Every code in the body that names the fault; the most telling one depends on the provider. */
  readonly words: ReadonlyArray<string>
  /** HTTP status in the body (gateways report one under status 200). */
  readonly status: number | null
  readonly message: string | null
  /** The pause that the body asks for, in milliseconds. */
  readonly retryAfterMs: number | null
}

/** The meaning of a 2xx body. Every kind may carry `usage`, because a call without text is also charged. */
export type Verdict =
  | {
    readonly kind: "answer"
    readonly text: string
    /**
     * The day on which the model ends, according to the body, such as `2026-12-31`; absent or null if the body
     * announces none.
     */
    readonly endsOn?: string | null
    /** The model that the answer names; null if it names none. */
    readonly model: string | null
    readonly finish: Finish
    readonly usage: Usage
    readonly citations: ReadonlyArray<Citation>
  }
  /** The platform waits for a request to continue: the call is not over. */
  | { readonly kind: "paused"; readonly usage?: Usage }
  /**
   * There is no text: the model declined (`refused`), or there is another reason (`empty`). `detail` is the platform's
   * own word for it.
   */
  | { readonly kind: "refused" | "empty"; readonly detail: string | null; readonly usage?: Usage }
  /** The app shows no overview for this question, which is a result and not a failure. */
  | { readonly kind: "none"; readonly usage: Usage }
  | { readonly kind: "wrongShape" }
  | { readonly kind: "error"; readonly error: WireError; readonly usage?: Usage }

/**
 * One provider's wire format with its settings. `earlier` holds the parsed bodies of this call that were `paused`,
 * oldest first; formats without pauses ignore it.
 */
export interface WireFormat {
  /** Path below `baseUrl`, with its leading slash. */
  readonly path: string
  /** The key's header and any other header that the format requires; `key` is null if none is configured. */
  readonly headers: (key: string | null) => Readonly<Record<string, string>>
  readonly body: (prompt: string, earlier: ReadonlyArray<unknown>) => object
  readonly read: (body: unknown, earlier: ReadonlyArray<unknown>) => Verdict
  /**
   * The path of the model's resource below `baseUrl`, and a function that reads the model's end from it; left out if
   * the API has none.
   */
  readonly model?: { readonly path: string; readonly endOf: (body: Record<string, unknown>) => unknown }
  /** Whether the request lets the model search the web; left out if the format cannot tell. */
  readonly search?: SearchMode
  /** Parts that every answer contains besides its text; left out: none. */
  readonly promises?: ReadonlyArray<PromisedPart>
  /** What the operator can change after this failure, in one clause; null = no advice. */
  readonly advice?: (error: WireError) => string | null
}

/** The authorization header that most providers use. */
export const makeBearerHeader = (key: string | null): Readonly<Record<string, string>> =>
  key === null ? {} : { authorization: `Bearer ${key}` }
