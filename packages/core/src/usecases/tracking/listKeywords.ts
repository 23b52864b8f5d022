import { Effect } from "effect"
import { decodeCursor, encodeCursor, type PagePosition, type PageScope } from "../../domain/Cursor.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { type KeywordStatus, keywordStatuses } from "../../domain/tracking/Keyword.ts"
import { InstanceStore } from "../../ports/InstanceStore.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { BadCursor } from "../errors.ts"

/** Which keywords; all three statuses and every text when left out. */
export interface KeywordQuery {
  /** One status, or several of them. */
  readonly status?: KeywordStatus | ReadonlyArray<KeywordStatus> | undefined
  /** Part of the text, whatever the case. */
  readonly query?: string | undefined
}

const listStatuses = ({ status }: KeywordQuery): ReadonlyArray<KeywordStatus> =>
  status === undefined ? keywordStatuses : typeof status === "string" ? [status] : status

const makePageScope = ({ query, status }: KeywordQuery): PageScope => [
  "keywords",
  typeof status === "object" ? status.join(" ") : status ?? null,
  query ?? null
]

/**
 * Up to `limit` keywords, oldest first, with when each was last answered; and how a cursor to behind any of them is
 * made, null on the last page. Fails with BadCursor for a cursor of another query.
 */
export const listKeywords = Effect.fn("listKeywords")(function*(
  organizationId: OrganizationId,
  query: KeywordQuery,
  options: { readonly limit: number; readonly cursor?: string | undefined }
) {
  const key = yield* (yield* InstanceStore).cursorKey
  const scope = makePageScope(query)
  const after = options.cursor === undefined ? null : decodeCursor(key, organizationId, scope, options.cursor)
  if (options.cursor !== undefined && after === null) return yield* new BadCursor()
  const found = yield* (yield* KeywordStore).summaries(
    organizationId,
    {
      statuses: listStatuses(query),
      ...(query.query === undefined ? {} : { query: query.query })
    },
    { limit: options.limit + 1, ...(after === null ? {} : { after }) }
  )
  return {
    rows: found.slice(0, options.limit),
    more: found.length > options.limit,
    cursorAfter: (position: PagePosition): string => encodeCursor(key, organizationId, scope, position)
  }
})
