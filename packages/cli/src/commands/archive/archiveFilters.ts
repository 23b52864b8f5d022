import { type ArchiveFilters, type ArchiveParameter, keepGivenFilters } from "@sov/core/archive"
import type { OrganizationId } from "@sov/core/common"
import { PlatformId } from "@sov/core/platforms"
import { findKeyword } from "@sov/core/tracking"
import { Effect } from "effect"
import { dateRange } from "../../input/dateOption.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

/** Name of the command-line option for each filter of `archive list` and `archive export`. */
export const filterOptions = {
  keyword_id: "keyword",
  platform: "platform",
  tag: "tag",
  view: "view",
  from: "from",
  to: "to"
} as const satisfies { readonly [Parameter in ArchiveParameter]: string }

/** The filters as typed. */
export type FilterOptions = { readonly [Parameter in ArchiveParameter as (typeof filterOptions)[Parameter]]?: string }

/** The options of `archive list`. */
export interface ListOptions extends GlobalOptions, FilterOptions {
  readonly limit?: string
  readonly cursor?: string
  readonly all?: boolean
  readonly scan?: string
  readonly named?: boolean
  readonly notNamed?: boolean
}

/** Checks the filters, starting with those that need no database. A tag that no keyword has matches nothing. */
export const archiveFilters = Effect.fnUntraced(function*(organizationId: OrganizationId, options: FilterOptions) {
  const { from, to }: Pick<ArchiveFilters, "from" | "to"> = yield* dateRange(options)
  const platform = options.platform === undefined
    ? undefined
    : yield* decodeInput(PlatformId, options.platform as PlatformId, "--platform")
  const keyword = options.keyword === undefined ? undefined : yield* findKeyword(organizationId, options.keyword)
  return keepGivenFilters({ keywordId: keyword?.id, platform, tag: options.tag, view: options.view, from, to })
})
