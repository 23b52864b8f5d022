import {
  type ArchiveRow,
  archiveRowJson,
  filtersFromParameters,
  provenanceRowJson,
  readArchiveInUtf8
} from "@sov/core/archive"
import { wholeHistory } from "@sov/core/organizations"
import { Effect, type Schema } from "effect"
import { CurrentCaller } from "../contract/Authorization.ts"
import { type archiveQuery, defaultLimit } from "../contract/parameters.ts"
import { InvalidRequest } from "../contract/problems.ts"
import type { ArchivePage } from "../contract/resources.ts"
import { ServerSettings } from "../ServerSettings.ts"
import { encodeByteJson } from "./byteJson.ts"
import { orProblem, respondVersion } from "./respond.ts"

type Query = Schema.Struct.Type<typeof archiveQuery>

const makeInvalidQuery = (name: keyof Query, message: string) =>
  new InvalidRequest({ errors: [{ path: ["query", name], message }] })

/** A row of the archive whose answer text is UTF-8 bytes. */
type InUtf8<Row extends { readonly raw_response: string }> = Omit<Row, "raw_response"> & {
  readonly raw_response: Uint8Array
}

/** The URL of the next page as a Link header, relative to the current URL. */
const formatNextLink = (query: Query, cursor: string): string => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) params.set(name, String(value))
  params.set("cursor", cursor)
  return `<?${params.toString()}>; rel="next"`
}

/**
 * Identifies the content of a row for the ETag. An answer and the sources of one version never change; measurements do.
 */
const versionOf = (row: ArchiveRow<unknown>) => [
  row.id,
  row.brandMentioned,
  row.mentionCount,
  row.mentionPosition,
  row.sentiment,
  row.sentimentBy,
  row.sovScore,
  ...row.provenance === undefined ? [] : [row.provenance.sourceVersion, row.provenance.status]
]

/** GET /api/v1/archive */
export const getArchive = Effect.fnUntraced(function*({ query }: { readonly query: Query }) {
  const { organization } = yield* CurrentCaller
  const { version } = yield* ServerSettings
  const filters = filtersFromParameters(query)
  const { from, to } = filters
  if (from !== undefined && to !== undefined && from > to) {
    return yield* makeInvalidQuery("from", "must not be later than to")
  }
  const { nextCursor, rows, windowApplied, windowStart } = yield* readArchiveInUtf8(
    organization.id,
    wholeHistory,
    filters,
    {
      limit: query.limit ?? defaultLimit.archive,
      cursor: query.cursor,
      provenance: query.include === "sources"
    }
  ).pipe(
    Effect.catchTags({
      BadCursor: () => Effect.fail(makeInvalidQuery("cursor", "is not valid for this query; start again without one")),
      NotFound: Effect.die
    })
  )
  const meta: (typeof ArchivePage.Encoded)["meta"] = {
    count: rows.length,
    next_cursor: nextCursor,
    plan_window_applied: windowApplied,
    window_start: windowStart.toISOString()
  }
  const encode = () => {
    const data = rows.map((row) =>
      row.provenance === undefined
        ? archiveRowJson(row)
        : { ...archiveRowJson(row), ...provenanceRowJson(row.provenance) }
    ) satisfies ReadonlyArray<InUtf8<(typeof ArchivePage.Encoded)["data"][number]>>
    return encodeByteJson({ data, meta })
  }
  return yield* respondVersion(
    encode,
    JSON.stringify([version, meta, rows.map(versionOf)]),
    organization.id,
    nextCursor === null ? {} : { link: formatNextLink(query, nextCursor) }
  )
}, orProblem)
