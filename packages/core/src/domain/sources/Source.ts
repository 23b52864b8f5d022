/**
 * The web pages behind an answer and the queries of its searches, read from the archived payload.
 */
import { Schema } from "effect"

/** Maximum number of sources per answer; `cut` counts the rest. */
export const maxSources = 500
/** Maximum number of comparable scans per report of sources. */
export const maxSourceScans = 10
/** Maximum number of search queries per answer. */
export const maxQueries = 100
/** Maximum length of the URL of a source, in UTF-16 code units. */
export const maxUrlLength = 8192
/** Maximum length of titles and queries, in UTF-16 code units; longer ones are truncated. */
export const maxTitleLength = 1000

/**
 * How an answer uses a source. `cited`: the platform links it to a part of the text (by a span, a mark `[n]` or a
 * link), or lists it as a citation of a text without marks. `retrieved`: the platform read it during a search, but the
 * answer does not cite it. `in_text`: its address occurs only in the answer's text.
 */
export const SourceKind = Schema.Literals(["cited", "retrieved", "in_text"])
export type SourceKind = typeof SourceKind.Type

/**
 * A source as the platform named it. `start` and `end` are the range of the answer's text that it supports, in UTF-16
 * code units; null if unknown.
 */
export const CapturedSource = Schema.Struct({
  kind: SourceKind,
  url: Schema.String,
  title: Schema.NullOr(Schema.String),
  start: Schema.NullOr(Schema.Int),
  end: Schema.NullOr(Schema.Int)
})
export type CapturedSource = typeof CapturedSource.Type

/**
 * The location of a source, derived from its URL and title, and derived again when the rules change. `page` is the
 * normalized URL; null if only the site is known (a redirect). `host` omits `www.`. `domain` is the registrable domain
 * (`bbc.co.uk`).
 */
export const SourcePlace = Schema.Struct({
  page: Schema.NullOr(Schema.String),
  host: Schema.NullOr(Schema.String),
  domain: Schema.NullOr(Schema.String)
})
export type SourcePlace = typeof SourcePlace.Type

/** A source of an answer. Each page occurs once per answer. */
export const Source = Schema.Struct({ ...CapturedSource.fields, ...SourcePlace.fields })
export type Source = typeof Source.Type

/**
 * How complete an answer's sources are. `complete`: all that the platform reports. `unsupported`: the platform reports
 * no sources, or its payload was not kept. `unreadable`: the payload or a list in it has an unknown shape, or the
 * search failed and named no page. With the last two, there may be sources from the text or from readable lists, but an
 * empty list does not mean that the answer cites nothing.
 */
export const SourcesStatus = Schema.Literals(["complete", "unsupported", "unreadable"])
export type SourcesStatus = typeof SourcesStatus.Type

/** Whether web search was off, offered to the platform, or required. */
export const SearchMode = Schema.Literals(["off", "offered", "required"])
export type SearchMode = typeof SearchMode.Type

/** The sources of one answer. */
export interface AnswerSources {
  readonly status: SourcesStatus
  /** Cited sources, then retrieved ones, then those in the text; each kind in the order of the platform or the text. */
  readonly sources: ReadonlyArray<Source>
  /** The queries of the platform's searches, without duplicates. */
  readonly queries: ReadonlyArray<string>
  /**
   * Number of further sources and queries that were dropped, because they exceed the limits or are no web addresses.
   */
  readonly cut: number
}

/**
 * The version of the rules that derive `AnswerSources` from a payload. Increase it when the rules or the list of public
 * suffixes change the result; `sov rescore` then derives the sources of stored answers again.
 */
export const sourceVersion = 2
