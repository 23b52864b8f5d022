import { archiveRowJson, filtersFromParameters, provenanceRowJson, readArchive, wholeHistory } from "@sov/core"
import { Effect, type Schema } from "effect"
import { CurrentCaller } from "../contract/Authorization.ts"
import { type archiveQuery, defaultLimit } from "../contract/parameters.ts"
import { InvalidRequest } from "../contract/problems.ts"
import type { ArchivePage } from "../contract/resources.ts"
import { orUnavailable, respondJson } from "./respond.ts"

/** The query, as the contract decodes it. */
type Query = Schema.Struct.Type<typeof archiveQuery>

const makeInvalidQuery = (name: keyof Query, message: string) =>
  new InvalidRequest({ errors: [{ path: ["query", name], message }] })

/** The URL of the next page, relative to this one, as a Link header. */
const formatNextLink = (query: Query, cursor: string): string => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) params.set(name, String(value))
  params.set("cursor", cursor)
  return `<?${params.toString()}>; rel="next"`
}

/** GET /api/v1/archive */
export const getArchive = Effect.fnUntraced(function*({ query }: { readonly query: Query }) {
  const { organization } = yield* CurrentCaller
  const filters = filtersFromParameters(query)
  const { from, to } = filters
  if (from !== undefined && to !== undefined && from > to) {
    return yield* makeInvalidQuery("from", "must not be later than to")
  }
  const { nextCursor, rows, windowApplied, windowStart } = yield* readArchive(organization.id, wholeHistory, filters, {
    limit: query.limit ?? defaultLimit.archive,
    cursor: query.cursor,
    provenance: query.include === "sources"
  }).pipe(
    Effect.catchTags({
      BadCursor: () => Effect.fail(makeInvalidQuery("cursor", "is not valid for this query; start again without one")),
      NotFound: Effect.die
    })
  )
  const page: typeof ArchivePage.Encoded = {
    data: rows.map((row) =>
      row.provenance === undefined
        ? archiveRowJson(row)
        : { ...archiveRowJson(row), ...provenanceRowJson(row.provenance) }
    ),
    meta: {
      count: rows.length,
      next_cursor: nextCursor,
      plan_window_applied: windowApplied,
      window_start: windowStart.toISOString()
    }
  }
  return yield* respondJson(
    page,
    organization.id,
    nextCursor === null ? {} : { link: formatNextLink(query, nextCursor) }
  )
}, orUnavailable)
