/** Reads the search, order and page of a list from the address. */
import { Effect, Schema } from "effect"
import type { PageRequest } from "../guard/PageRequest.ts"
import { type CursorList, type List, type ListView, maxSearchLength, viewRows } from "../pages/listView.ts"
import { readFilter, refusedFilter } from "./query.ts"

const PageNumber = Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 100_000 }))

/**
 * Reads search, order and page of a list from `q`, `sort` (`name`, or `-name` for largest first) and `page`. Refuses an
 * order that the list does not have, and a page that is not a number.
 */
export const readListView = Effect.fnUntraced(function*<Row, Key extends string>(
  request: Pick<PageRequest, "query">,
  { by, usual }: List<Row, Key>
) {
  const given = request.query.get("sort") || usual
  const name = given.replace(/^-/, "")
  if (!Object.hasOwn(by, name)) return yield* refusedFilter("sort")
  const page: number = (yield* readFilter(request, "page", PageNumber)) ?? 1
  const view: ListView<Key> = {
    q: (request.query.get("q") ?? "").slice(0, maxSearchLength),
    sort: name as Key,
    descending: given.startsWith("-"),
    page
  }
  return view
})

/** Maximum number of reads to search and sort a list. Rows beyond them are left out, and the page says so. */
export const maxSortedReads = 10

interface RowsPage<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly nextCursor: string | null
}

/** The last of up to `maxSortedReads` pages of a list, with the rows of them all. */
export const readRows = Effect.fnUntraced(function*<Row, Page extends RowsPage<Row>, E, R>(
  read: (cursor: string | undefined) => Effect.Effect<RowsPage<Row> & Page, E, R>
) {
  let page = yield* read(undefined)
  for (let reads = 1; page.nextCursor !== null && reads < maxSortedReads; reads++) {
    const next: RowsPage<Row> & Page = yield* read(page.nextCursor)
    page = { ...next, rows: [...page.rows, ...next.rows] }
  }
  return page
})

/** Number of rows per read for searching and sorting. */
const rowsPerRead = 200

/** A page of a list by the `cursor` in the address; with `q`, `sort` or `page`, a page of all its rows in that view. */
export const readCursorList = Effect.fnUntraced(
  function*<Row, Key extends string, Page extends RowsPage<Row>, E, R>(
    request: Pick<PageRequest, "query">,
    /** Its usual order is the one in which `read` returns the rows. */
    list: List<Row, Key>,
    read: (
      options: { readonly limit: number; readonly cursor: string | undefined }
    ) => Effect.Effect<RowsPage<Row> & Page, E, R>
  ) {
    const view = yield* readListView(request, list)
    if (!["q", "sort", "page"].some((name) => request.query.has(name))) {
      const cursor = request.query.get("cursor") ?? undefined
      const page = yield* read({ limit: list.perPage, cursor })
      return { ...page, view, viewed: null, isFirst: cursor === undefined }
    }
    const page = yield* readRows((cursor) => read({ limit: rowsPerRead, cursor }))
    const part = viewRows(page.rows, view, list)
    const found: CursorList<Row, Key> & Page = {
      ...page,
      rows: part.rows,
      view,
      viewed: { part, all: page.nextCursor === null },
      isFirst: true,
      nextCursor: null
    }
    return found
  }
)
