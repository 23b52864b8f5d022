import { type ArchiveFilters, findKeyword, type OrganizationId, PlatformId } from "@sov/core"
import { Effect } from "effect"
import { dateRange } from "../../input/dateOption.ts"
import { decodeInput } from "../../input/decodeInput.ts"

/** The filters of `archive list` and `archive export`, as typed. */
export interface FilterOptions {
  readonly keyword?: string
  readonly platform?: string
  readonly from?: string
  readonly to?: string
}

/** Checks the filters. What can be judged without the database is judged first. */
export const archiveFilters = Effect.fnUntraced(function*(organizationId: OrganizationId, options: FilterOptions) {
  const range = yield* dateRange(options)
  const platform = options.platform === undefined
    ? undefined
    : yield* decodeInput(PlatformId, options.platform as PlatformId, "--platform")
  const keyword = options.keyword === undefined ? undefined : yield* findKeyword(organizationId, options.keyword)
  const filters: ArchiveFilters = {
    ...(keyword === undefined ? {} : { keywordId: keyword.id }),
    ...(platform === undefined ? {} : { platform }),
    ...range
  }
  return filters
})
