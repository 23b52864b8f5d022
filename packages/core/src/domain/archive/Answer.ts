import { Schema } from "effect"
import type { SentMarket } from "../platforms/surface.ts"
import type { SearchMode } from "../sources/Source.ts"

/** A source that the platform named with its answer. `position` is 1-based, in the platform's order. */
export const Citation = Schema.Struct({
  url: Schema.String,
  title: Schema.NullOr(Schema.String),
  position: Schema.Int
})
export type Citation = typeof Citation.Type

/**
 * The reason why the text ended: `stop` = complete, `length` = cut off by a token limit, `content_filter` = cut off by
 * a filter, `refusal` = the text declines, `other` = not given or unknown.
 */
export const Finish = Schema.Literals(["stop", "length", "content_filter", "refusal", "other"])
export type Finish = typeof Finish.Type

/**
 * Tokens as the platform counts them, and the cost in US dollars: reported by the platform, or else computed from the
 * configured prices. Null: unknown.
 */
export const Usage = Schema.Struct({
  inputTokens: Schema.NullOr(Schema.Int),
  outputTokens: Schema.NullOr(Schema.Int),
  costUsd: Schema.NullOr(Schema.Finite),
  /** Number of requests of the call, several if it paused; absent if it was 1. */
  requests: Schema.optionalKey(Schema.Int),
  /** Web searches of the platform; absent if it does not report them. */
  searches: Schema.optionalKey(Schema.Int)
})
export type Usage = typeof Usage.Type

/** The provider's limit: how many requests the key may send in a period, and how many of them remain. */
export interface RequestLimit {
  readonly limit: number
  readonly remaining: number
}

/**
 * One platform's answer to one prompt, before it is archived.
 *
 * `text` is the visible text exactly as received, never trimmed. `payload` is the provider's response body, byte for
 * byte; a call that paused has several, joined by line feeds in order. `latencyMs` counts from the request to the last
 * byte.
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
  /** Absent if the platform does not report it. */
  readonly search?: SearchMode
  /** What the request stated about its reader; absent if it stated nothing. */
  readonly market?: SentMarket
  /** The provider's notice that the API or model will end, in one line; absent without a notice. */
  readonly announcedEnd?: string
  /** The day (UTC) on which the API or model ends, `2026-12-31`; absent if no day is announced. */
  readonly endsOn?: string
  /** Absent if the reply reports no limit. Not archived. */
  readonly requestLimit?: RequestLimit
}

/**
 * Converts text for the archive's text column: Postgres text has no U+0000 and UTF-8 no lone surrogates, so both become
 * U+FFFD. The payload keeps the exact bytes.
 */
export const toArchivableText = (text: string): string => text.replaceAll("\u0000", "\uFFFD").toWellFormed()

/** Whether the archive's text column can store `text` unchanged. */
export const isArchivable = (text: string): boolean => !text.includes("\u0000") && text.isWellFormed()
