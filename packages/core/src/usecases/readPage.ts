import { Effect } from "effect"
import { decodeCursor, encodeCursor, type PagePosition, type PageScope } from "../domain/Cursor.ts"
import type { OrganizationId } from "../domain/ids.ts"
import { InstanceStore } from "../ports/InstanceStore.ts"
import { openCursor } from "./openCursor.ts"

/** The length of a page, and the cursor after which it begins; by default the page begins at the start of the list. */
export interface PageOptions {
  readonly limit: number
  readonly cursor?: string | undefined
}

/**
 * Reads up to `options.limit` rows of a list. `read` is asked for one more row, to detect whether another page follows,
 * and is given the position to begin after. A cursor is valid only for its `scope` and organization; any other fails
 * with BadCursor.
 */
export const readPage = Effect.fnUntraced(function*<Row, E, R>(
  organizationId: OrganizationId,
  scope: PageScope,
  { cursor, limit }: PageOptions,
  read: (page: { readonly limit: number; readonly after?: PagePosition }) => Effect.Effect<ReadonlyArray<Row>, E, R>,
  positionOf: (row: Row) => PagePosition
) {
  const after = yield* openCursor(cursor, (key, given) => decodeCursor(key, organizationId, scope, given))
  const [key] = yield* (yield* InstanceStore).cursorKeys
  const found = yield* read({ limit: limit + 1, ...after === null ? {} : { after } })
  const rows = found.slice(0, limit)
  const more = found.length > limit
  const cursorAfter = (row: Row): string => encodeCursor(key, organizationId, scope, positionOf(row))
  return { rows, more, cursorAfter, nextCursor: more ? cursorAfter(rows.at(-1)!) : null }
})
