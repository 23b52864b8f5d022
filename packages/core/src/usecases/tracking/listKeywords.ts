import { Effect } from "effect"
import type { PageScope } from "../../domain/Cursor.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { type KeywordStatus, keywordStatuses } from "../../domain/tracking/Keyword.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { type PageOptions, readPage } from "../readPage.ts"
import { findTagged } from "./readTags.ts"

/** Filters of keywords; by default all statuses and all texts. */
export interface KeywordQuery {
  /** One status, or several of them. */
  readonly status?: KeywordStatus | ReadonlyArray<KeywordStatus> | undefined
  /** Part of the text, ignoring case. */
  readonly query?: string | undefined
  /** Only keywords that have this tag. */
  readonly tag?: string | undefined
}

const listStatuses = ({ status }: KeywordQuery): ReadonlyArray<KeywordStatus> =>
  status === undefined ? keywordStatuses : typeof status === "string" ? [status] : status

const makePageScope = ({ query, status, tag }: KeywordQuery): PageScope => [
  "keywords",
  typeof status === "object" ? status.join(" ") : status ?? null,
  query ?? null,
  // Without a tag, the scope is that of older cursors
  ...tag === undefined ? [] : [tag]
]

/**
 * Up to `limit` keywords, oldest first, with the time of their last answer, and a function that creates the cursor
 * after any of them. Fails with BadCursor for a cursor of another query.
 */
export const listKeywords = Effect.fn("listKeywords")(
  function*(organizationId: OrganizationId, query: KeywordQuery, options: PageOptions) {
    const store = yield* KeywordStore
    const filters = {
      statuses: listStatuses(query),
      ...query.query === undefined ? {} : { query: query.query },
      ...query.tag === undefined ? {} : { ids: yield* findTagged(organizationId, query.tag) }
    }
    return yield* readPage(
      organizationId,
      makePageScope(query),
      options,
      (page) => store.summaries(organizationId, filters, page),
      ({ keyword }) => keyword
    )
  }
)
