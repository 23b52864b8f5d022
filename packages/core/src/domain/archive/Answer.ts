import { Schema } from "effect"

/** A source that the platform named beside its answer. `position` is 1-based, in the platform's order. */
export const Citation = Schema.Struct({
  url: Schema.String,
  title: Schema.NullOr(Schema.String),
  position: Schema.Int
})
export type Citation = typeof Citation.Type

/**
 * How the platform ended the text: `stop` = complete, `length` = cut by a token limit, `content_filter` = cut by a
 * filter, `refusal` = the text declines, `other` = not said or not known.
 */
export const Finish = Schema.Literals(["stop", "length", "content_filter", "refusal", "other"])
export type Finish = typeof Finish.Type

/**
 * Tokens as the platform counts them, and the cost in US dollars: the platform's own word, else by the configured
 * prices. Null = not known.
 */
export const Usage = Schema.Struct({
  inputTokens: Schema.NullOr(Schema.Int),
  outputTokens: Schema.NullOr(Schema.Int),
  costUsd: Schema.NullOr(Schema.Finite),
  /** Requests that the call took, more than one where it paused; left out = 1. */
  requests: Schema.optionalKey(Schema.Int),
  /** Web searches that the platform made for it; left out = not said. */
  searches: Schema.optionalKey(Schema.Int)
})
export type Usage = typeof Usage.Type

/**
 * Whether the model could search the web for an answer: `off` = it could not, `offered` = it decided itself, `required` =
 * the request demanded it.
 */
export const SearchMode = Schema.Literals(["off", "offered", "required"])
export type SearchMode = typeof SearchMode.Type

/**
 * What one platform said to one prompt, before it is archived.
 *
 * `text` is what a reader would see, exactly as received (never trimmed); `payload` is the provider's response body,
 * byte for byte (a call that paused and went on has several: in order, a line feed between them); `latencyMs` counts
 * from the request to the last byte.
 */
export interface Answer {
  readonly text: string
  readonly payload: Uint8Array
  readonly citations: ReadonlyArray<Citation>
  readonly model: string
  readonly finish: Finish
  readonly usage: Usage
  readonly latencyMs: number
  readonly simulated: boolean
  /** Left out where the platform cannot say. */
  readonly search?: SearchMode
}

/**
 * `text` as the archive's text column can hold it: Postgres text has no U+0000 and UTF-8 has no lone surrogates, so
 * both become U+FFFD. The exact bytes stay in the payload.
 */
export const archivableText = (text: string): string => text.replaceAll("\u0000", "\uFFFD").toWellFormed()

/** Whether `text` is as the archive's text column can hold it. */
export const isArchivable = (text: string): boolean => !text.includes("\u0000") && text.isWellFormed()
