import { Schema } from "effect"
import type { SearchMode } from "../sources/Source.ts"

/** A source that the platform named beside its answer. `position` is 1-based, in the platform's order. */
export const Citation = Schema.Struct({
  url: Schema.String,
  title: Schema.NullOr(Schema.String),
  position: Schema.Int
})
export type Citation = typeof Citation.Type

/**
 * How the platform ended the text: `stop` = complete, `length` = cut off by a token limit, `content_filter` = cut off
 * by a filter, `refusal` = the text declines, `other` = not given or not known.
 */
export const Finish = Schema.Literals(["stop", "length", "content_filter", "refusal", "other"])
export type Finish = typeof Finish.Type

/**
 * Tokens as the platform counts them, and the cost in US dollars: as the platform reports it, else by the configured
 * prices. Null = not known.
 */
export const Usage = Schema.Struct({
  inputTokens: Schema.NullOr(Schema.Int),
  outputTokens: Schema.NullOr(Schema.Int),
  costUsd: Schema.NullOr(Schema.Finite),
  /** Requests that the call took, more than one where it paused; left out = 1. */
  requests: Schema.optionalKey(Schema.Int),
  /** Web searches that the platform made for it; left out = not reported. */
  searches: Schema.optionalKey(Schema.Int)
})
export type Usage = typeof Usage.Type

/**
 * One platform's answer to one prompt, before it is archived.
 *
 * `text` is what a reader sees, exactly as received (never trimmed); `payload` is the provider's response body, byte
 * for byte (a call that the platform paused and resumed has several: in order, a line feed between them); `latencyMs`
 * counts from the request to the last byte.
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
  /** That API or model will end, in the provider's words, one line; left out where it announces none. */
  readonly announcedEnd?: string
}

/**
 * `text` as the archive's text column can hold it: Postgres text has no U+0000 and UTF-8 has no lone surrogates, so
 * both become U+FFFD. The exact bytes stay in the payload.
 */
export const toArchivableText = (text: string): string => text.replaceAll("\u0000", "\uFFFD").toWellFormed()

/** Whether `text` is as the archive's text column can hold it. */
export const isArchivable = (text: string): boolean => !text.includes("\u0000") && text.isWellFormed()
