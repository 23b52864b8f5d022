import { type ArchiveFilters, dateBound, type OrganizationId, PlatformId, Rejected } from "@sov/core"
import { Effect } from "effect"
import { decodeInput } from "../input/decodeInput.ts"
import { findKeyword } from "../input/findKeyword.ts"

/** The filters of `archive list` and `archive export`, as typed. */
export interface FilterOptions {
  readonly keyword?: string
  readonly platform?: string
  readonly from?: string
  readonly to?: string
}

/** Reads a bound of a time range; `option` is named where it is no date. */
export const dateOption = (option: string, text: string, bound: "from" | "to") => {
  const date = dateBound(text, bound)
  return date === null
    ? Effect.fail(
      new Rejected({
        field: option,
        message: `${option} ${JSON.stringify(text)} is no date: give a day such as 2026-03-01, ` +
          "or a time such as 2026-03-01T08:00:00Z"
      })
    )
    : Effect.succeed(date)
}

/** Checks the filters. What can be judged without the database is judged first. */
export const archiveFilters = Effect.fnUntraced(function*(organizationId: OrganizationId, options: FilterOptions) {
  const from = options.from === undefined ? undefined : yield* dateOption("--from", options.from, "from")
  const to = options.to === undefined ? undefined : yield* dateOption("--to", options.to, "to")
  if (from !== undefined && to !== undefined && from > to) {
    return yield* new Rejected({ field: "--from", message: "--from is later than --to" })
  }
  const platform = options.platform === undefined
    ? undefined
    : yield* decodeInput(PlatformId, options.platform as PlatformId, "--platform")
  const keyword = options.keyword === undefined ? undefined : yield* findKeyword(organizationId, options.keyword)
  const filters: ArchiveFilters = {
    ...(keyword === undefined ? {} : { keywordId: keyword.id }),
    ...(platform === undefined ? {} : { platform }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to })
  }
  return filters
})
