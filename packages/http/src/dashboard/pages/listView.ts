/**
 * Search, order and page of a list, all kept in the address. Each control is a link or a form and works without
 * scripts.
 */
import type { Address } from "../Address.ts"
import { attributes, type Html, html } from "../html.ts"
import { hiddenField, pager } from "./fields.ts"
import { type Column, dataTable, emptyState } from "./lists.ts"

/** The search, order and page of a list. */
export interface ListView<Key extends string = string> {
  /** Only rows that contain this text are shown; empty = all rows. */
  readonly q: string
  readonly sort: Key
  readonly descending: boolean
  /** The page number, starting at 1. */
  readonly page: number
}

/** Maximum length of a search text. */
export const maxSearchLength = 200

/** The address parameters of a list; the default order and the first page are omitted. */
export interface ListQuery {
  readonly q?: string | undefined
  readonly sort?: string | undefined
  readonly page?: number | undefined
}

/** The rows of one page of a list. */
export interface ListPart<Row> {
  readonly rows: ReadonlyArray<Row>
  /** Number of rows that match the search. */
  readonly found: number
  readonly pages: number
}

/** A list that is read by cursor, newest first, or searched and sorted by a view. */
export interface CursorList<Row, Key extends string> {
  readonly rows: ReadonlyArray<Row>
  readonly view: ListView<Key>
  /** Null = newest first, by cursor; `all`: false if only the newest rows were searched and sorted. */
  readonly viewed: { readonly part: ListPart<Row>; readonly all: boolean } | null
  readonly isFirst: boolean
  readonly nextCursor: string | null
}

/** Number of rows from which a list that is never long offers a search. */
export const minSearched = 10

/** Whether a list that is read whole offers a search: it is long, or it is searched. */
export const hasSearch = (rows: ReadonlyArray<unknown>, { q }: Pick<ListView, "q">): boolean =>
  rows.length >= minSearched || q !== ""

/** Values that lists can be sorted by; null comes last in both directions. */
type Sortable = string | number | null

const comparable = (text: string): string => text.normalize("NFKC").toLowerCase()

const compare = (a: Sortable, b: Sortable): number =>
  typeof a === "string" && typeof b === "string" ? a.localeCompare(b, "en") : Number(a) - Number(b)

/** How a list is searched, sorted and paginated: the one declaration for its handler and its page. */
export interface List<Row, Key extends string = string> {
  /** The text that a search looks in. */
  readonly text: (row: Row) => string
  /** The values of the columns that can be sorted, by the name of their order in the address. */
  readonly by: { readonly [key in Key]: (row: Row) => Sortable }
  /** The order without a choice, as in the address: `name`, or `-name` for largest first. */
  readonly usual: NoInfer<Key> | `-${NoInfer<Key>}`
  readonly perPage: number
}

/** Declares a list; the type of its rows is that of the parameter of `text`. */
export const declareList = <Row, const Key extends string>(list: List<Row, Key>): List<Row, Key> => list

/** The view of a list that was declared. */
export type ListViewOf<L> = L extends List<infer _Row, infer Key> ? ListView<Key> : never

/** Content of the page of a declared list that is read by cursor. */
export type CursorListOf<L> = L extends List<infer Row, infer Key> ? CursorList<Row, Key> : never

/** Filters, sorts and paginates rows. Rows with equal values keep their order. */
export const viewRows = <Row, Key extends string>(
  rows: ReadonlyArray<Row>,
  { descending, page, q, sort }: ListView<NoInfer<Key>>,
  { by, perPage, text }: List<Row, Key>
): ListPart<Row> => {
  const wanted = comparable(q)
  const found = wanted === "" ? rows : rows.filter((row) => comparable(text(row)).includes(wanted))
  const value = by[sort]
  const sorted = found.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)]
    return a === null || b === null ? Number(a === null) - Number(b === null) : compare(a, b) * (descending ? -1 : 1)
  })
  return {
    rows: sorted.slice((page - 1) * perPage, page * perPage),
    found: found.length,
    pages: Math.max(1, Math.ceil(found.length / perPage))
  }
}

/** Builds the address of a list with another search, order or page. */
export type ListAddress = (query: ListQuery) => Address

/** Column heads that sort the list; the head of the current order reverses it. */
export const sortHeads =
  <Key extends string>({ descending, q, sort }: ListView<Key>, at: ListAddress) =>
  (key: Key, column: Exclude<Column, string>, first: "ascending" | "descending" = "descending"): Column => {
    const isHere = sort === key
    const next = isHere ? !descending : first === "descending"
    return {
      ...column,
      sort: {
        address: at({ q, sort: `${next ? "-" : ""}${key}` }),
        order: isHere ? (descending ? "descending" : "ascending") : null
      }
    }
  }

/** The field for the words of a search. */
export const searchField = (label: string, { q }: Pick<ListView, "q">): Html =>
  html`<label class="grow">${label}<input type="search" name="q" maxlength="${maxSearchLength}"${
    attributes({ value: q })
  }></label>`

/** Keeps the order of a list in a form. */
export const sortField = ({ descending, sort }: Pick<ListView, "descending" | "sort">): Html =>
  hiddenField("sort", `${descending ? "-" : ""}${sort}`)

/** The search field of a list; `kept` contains the other parameters of the address. */
export const searchForm = (
  action: Address,
  label: string,
  view: ListView,
  kept: Readonly<Record<string, string | undefined>> = {}
): Html =>
  html`<form class="filters" role="search" method="get" autocomplete="off" action="${action}">${
    searchField(label, view)
  }${Object.entries(kept).map(([name, value]) => value !== undefined && hiddenField(name, value))}${
    sortField(view)
  }<button>Search</button></form>`

/** Links to the previous and next pages of a list. */
export const listPager = (
  label: string,
  view: ListView,
  { found, pages }: ListPart<unknown>,
  at: ListAddress
): Html => {
  const { descending, page, q } = view
  const sort = `${descending ? "-" : ""}${view.sort}`
  return html`<nav class="pager" aria-label="${label}"><span>${
    found === 0 ? "No match" : `${found} in all · page ${page} of ${pages}`
  }</span><span class="actions">${
    page > 1 && html`<a class="button" href="${at({ q, sort, page: page - 1 })}" rel="prev">Previous</a>`
  }${
    page < pages && html`<a class="button" href="${at({ q, sort, page: page + 1 })}" rel="next">Next</a>`
  }</span></nav>`
}

/** Links to the other pages of a list that is read by cursor; `things` names its rows. */
export const cursorListPager = (
  things: string,
  { isFirst, nextCursor, view, viewed }: CursorList<unknown, string>,
  at: (query: ListQuery & { readonly cursor?: string }) => Address
): Html =>
  viewed === null
    ? pager({ label: `Pages of ${things}`, at, isFirst, nextCursor })
    : html`${!viewed.all && html`<p class="small">Only the newest ${things} are searched and sorted.</p>`}${
      listPager(`Pages of ${things}`, view, viewed.part, at)
    }`

/**
 * A list that is read whole: a search once it is long, a table of one page, and links to the other pages. `things`
 * names its rows.
 */
export const listTable = <Row, Key extends string>(
  { at, columns, labelledBy, list, row, rows, things, view }: {
    readonly labelledBy: string
    readonly things: string
    readonly list: List<Row, Key>
    readonly rows: ReadonlyArray<Row>
    readonly view: ListView<NoInfer<Key>>
    readonly at: ListAddress
    readonly columns: (head: ReturnType<typeof sortHeads<Key>>) => ReadonlyArray<Column>
    readonly row: (row: Row) => Html
  }
): Html => {
  const part = viewRows(rows, view, list)
  return html`${hasSearch(rows, view) && searchForm(at({}), `Search ${things}`, view)}${
    part.rows.length === 0
      ? emptyState(`No matching ${things}`, "Search for another word.")
      : dataTable(labelledBy, columns(sortHeads(view, at)), part.rows.map(row), "stacked")
  }${part.pages > 1 && listPager(`Pages of ${things}`, view, part, at)}`
}
