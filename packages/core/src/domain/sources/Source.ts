/**
 * The web pages that an answer rests on, and what was searched for: read from the payload that is kept with the answer.
 */
import { Schema } from "effect"

/** Most sources kept of one answer; what is beyond is counted as `cut`. */
export const maxSources = 500
/** Most search queries kept of one answer. */
export const maxQueries = 100
/** Longest URL that is kept, in UTF-16 code units. */
export const maxUrlLength = 8192
/** Longest title, and longest query, that is kept whole, in UTF-16 code units; the rest is left out. */
export const maxTitleLength = 1000

/**
 * How an answer uses a source. `cited`: the platform ties it to a part of the text (by a span, a mark `[n]` or a link),
 * or lists it as the answer's citations where the text has no marks at all. `retrieved`: the platform read it while it
 * searched, and the answer does not say so. `in_text`: its address stands in the answer's text only.
 */
export const SourceKind = Schema.Literals(["cited", "retrieved", "in_text"])
export type SourceKind = typeof SourceKind.Type

/**
 * A source as the platform named it. `start` and `end` are offsets into the answer's text in UTF-16 code units: the
 * part of the text that the source stands behind; null where it is not known.
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
 * Where a source lies: derived from its URL and title, and made again when the rules change. `page` is the URL in one
 * form for all its spellings, null where only the site is known (an address that redirects); `host` is without `www.`,
 * `domain` is the registrable one (`bbc.co.uk`).
 */
export const SourcePlace = Schema.Struct({
  page: Schema.NullOr(Schema.String),
  host: Schema.NullOr(Schema.String),
  domain: Schema.NullOr(Schema.String)
})
export type SourcePlace = typeof SourcePlace.Type

/** A source of an answer. An answer has each page once. */
export const Source = Schema.Struct({ ...CapturedSource.fields, ...SourcePlace.fields })
export type Source = typeof Source.Type

/**
 * What is known of an answer's sources. `complete`: all that the platform reports. `unsupported`: the platform reports
 * none, or nothing that it sent was kept. `unreadable`: a list that it sent, or the whole, does not have the shape that
 * its adapter knows, or its search failed and named nothing. With the last two there may be sources, of the text or of
 * lists that could be read, but none is not the same as "cites nobody".
 */
export const SourcesStatus = Schema.Literals(["complete", "unsupported", "unreadable"])
export type SourcesStatus = typeof SourcesStatus.Type

/** Whether a platform could search the web for an answer: not at all, if it wanted to, or had to. */
export const SearchMode = Schema.Literals(["off", "offered", "required"])
export type SearchMode = typeof SearchMode.Type

/** The sources of one answer. */
export interface AnswerSources {
  readonly status: SourcesStatus
  /** Cited ones first, then retrieved, then those in the text; each in the order of the platform or the text. */
  readonly sources: ReadonlyArray<Source>
  /** What the platform searched for, each query once. */
  readonly queries: ReadonlyArray<string>
  /**
   * How many further sources and queries the platform named that are not kept: too many, too long, or no web address.
   */
  readonly cut: number
}

/**
 * The version of the rules that make `AnswerSources` of a payload. Raised when they, or the list of public suffixes,
 * give another result; `sov rescore` then derives the sources of stored answers again.
 */
export const sourceVersion = 2
