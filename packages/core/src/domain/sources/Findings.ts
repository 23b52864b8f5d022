import type { SourcesStatus } from "./Source.ts"

/** A range of the answer's text, in UTF-16 code units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A source as the payload names it, before it is validated. */
export interface Named {
  readonly kind: "cited" | "retrieved"
  readonly url: unknown
  readonly title: unknown
  readonly span: Span | null
  /** The site, if the URL does not show it. */
  readonly site?: unknown
}

/** The sources that a payload names. */
export interface Findings {
  readonly status: SourcesStatus
  /** Cited sources come first. */
  readonly named: Iterable<Named>
  readonly queries: Iterable<unknown>
}

/** Reads the bodies of one call and the text of its answer. Returns null for bodies of an unknown shape. */
export type ReadFindings = (bodies: ReadonlyArray<unknown>, text: string) => Findings | null
