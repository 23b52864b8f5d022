import type { SourcesStatus } from "./Source.ts"

/** A part of the answer's text: offsets in UTF-16 code units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A source as it stands in a payload, not looked into yet. */
export interface Named {
  readonly kind: "cited" | "retrieved"
  readonly url: unknown
  readonly title: unknown
  readonly span: Span | null
  /** The site where the URL does not show it. */
  readonly site?: unknown
}

/** What a payload says of the sources. */
export interface Findings {
  readonly status: SourcesStatus
  /** Cited ones first. */
  readonly named: Iterable<Named>
  readonly queries: Iterable<unknown>
}

/** Reads the bodies of one call, whose answer has this text. Null when they do not have the shape that it knows. */
export type ReadFindings = (bodies: ReadonlyArray<unknown>, text: string) => Findings | null
