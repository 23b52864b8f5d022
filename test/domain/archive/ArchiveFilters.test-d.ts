/** A filter of the archive that somebody forgets does not compile. Checked by `tsc`; nothing runs. */
import { type ArchiveParameter, type ClientFilter, type filtersToParameters, keepGivenFilters } from "@sov/core"
import type { archiveQuery } from "@sov/http/contract"
import type { ArchiveFilters as FetchFilters } from "@sov/http/fetch-client"

/** Compiles only where both types are the same names. */
type Same<A extends B, B extends C, C = A> = [A, B, C]

export type Filters = [
  Same<ClientFilter, "keywordId" | "platform" | "from" | "to" | "tag" | "view">,
  Same<ArchiveParameter, "keyword_id" | "platform" | "from" | "to" | "tag" | "view">,
  Same<keyof ReturnType<typeof filtersToParameters>, ArchiveParameter>,
  Same<keyof FetchFilters, ArchiveParameter>,
  Same<Exclude<keyof typeof archiveQuery, "limit" | "cursor" | "include">, ArchiveParameter>
]

// @ts-expect-error -- `to` is forgotten
keepGivenFilters({ keywordId: undefined, platform: undefined, from: undefined, tag: undefined })

// @ts-expect-error -- `platform` is forgotten
export const query = { keyword_id: 1, from: 1, to: 1, tag: 1 } satisfies {
  readonly [Parameter in ArchiveParameter]: number
}
