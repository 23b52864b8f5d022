/** What one provider's format is to the call machinery: a request builder and a response reader, both pure. */
import type { Citation, Finish, Usage } from "../../../domain/archive/Answer.ts"
import type { PromisedPart } from "../../../domain/platforms/answerShape.ts"
import type { SearchMode } from "../../../domain/sources/Source.ts"

/** A platform's own report of a failure, in any of the shapes that providers use. */
export interface WireError {
  /** Word that names the fault, e.g. `insufficient_quota`; null when the body has none. */
  readonly code: string | null
  /** Every word of the body that names the fault: providers tell more by some of them than by others. */
  readonly words: ReadonlyArray<string>
  /** HTTP status that the body itself names (gateways send one under 200). */
  readonly status: number | null
  readonly message: string | null
  /** Pause that the body asks for, in milliseconds. */
  readonly retryAfterMs: number | null
}

/** What a 2xx body says. Whatever it is, `usage` is what it counts: a call without text is paid for, too. */
export type Verdict =
  | {
    readonly kind: "answer"
    readonly text: string
    /** The day on which the model ends, as the body announces it, `2026-12-31`; absent or null if it does not. */
    readonly endsOn?: string | null
    /** Model as the platform names it in the answer; null when it does not. */
    readonly model: string | null
    readonly finish: Finish
    readonly usage: Usage
    readonly citations: ReadonlyArray<Citation>
  }
  /** The platform waits to be asked to go on: the call is not over. */
  | { readonly kind: "paused"; readonly usage?: Usage }
  /** No text: declined (`refused`) or for another reason (`empty`); `detail` is the platform's own word for it. */
  | { readonly kind: "refused" | "empty"; readonly detail: string | null; readonly usage?: Usage }
  /** The app shows no overview for this question, which is a finding and no fault. */
  | { readonly kind: "none"; readonly usage: Usage }
  | { readonly kind: "wrongShape" }
  | { readonly kind: "error"; readonly error: WireError; readonly usage?: Usage }

/**
 * One provider's wire format, bound to its settings. `earlier` holds the parsed bodies of this call that said `paused`,
 * oldest first; formats without pauses ignore it.
 */
export interface WireFormat {
  /** Below `baseUrl`, with its leading slash. */
  readonly path: string
  /** The key's header and whatever else the format demands; `key` is null when none is configured. */
  readonly headers: (key: string | null) => Readonly<Record<string, string>>
  readonly body: (prompt: string, earlier: ReadonlyArray<unknown>) => object
  readonly read: (body: unknown, earlier: ReadonlyArray<unknown>) => Verdict
  /** The model's own resource, below `baseUrl`, and the time of its end in it; left out where the API has none. */
  readonly model?: { readonly path: string; readonly endOf: (body: Record<string, unknown>) => unknown }
  /** Whether the request lets the model search the web; left out where the format cannot say. */
  readonly search?: SearchMode
  /** What every answer has beside its text; left out: nothing is promised. */
  readonly promises?: ReadonlyArray<PromisedPart>
  /** What the operator can change after this failure, in one clause; null = nothing that this format knows of. */
  readonly advice?: (error: WireError) => string | null
}

/** The key as most providers take it. */
export const makeBearerHeader = (key: string | null): Readonly<Record<string, string>> =>
  key === null ? {} : { authorization: `Bearer ${key}` }
