/** Replies of handlers as plain data; `guard/pages.ts` sends them. */
import { csvLine, type CsvSeparator } from "@sov/core/common"
import { type Effect, Stream } from "effect"
import type { Address } from "../Address.ts"
import type { Html } from "../html.ts"
import type { PackedDocument } from "./sharedReports.ts"

/** Changes to the dashboard's cookies: the new value of each, or null to remove it. */
export type CookieChanges = {
  readonly [name in "session" | "next" | "attempt" | "theme" | "formats" | "organization"]?: string | null
}

export type PageReply<R = never> =
  | {
    readonly _tag: "Page"
    readonly html: Html
    readonly status: number
    /**
     * Whether the page shows a secret. Such a page is not compressed, because the compressed length could reveal the
     * secret.
     */
    readonly secret: boolean
    readonly cookies: CookieChanges
    /**
     * The part of the page that replaces `lateSlot`. Everything before that slot is sent at once, and the rest when
     * this effect completes.
     */
    readonly late: Effect.Effect<Html, never, R> | null
  }
  | { readonly _tag: "SeeOther"; readonly address: Address; readonly cookies: CookieChanges }
  | {
    readonly _tag: "File"
    readonly name: string
    readonly contentType: string
    readonly body: string | Uint8Array | Stream.Stream<Uint8Array, unknown, R>
  }
  /** A table as CSV, with the separator that the request asks for. */
  | {
    readonly _tag: "Csv"
    readonly name: string
    readonly write: (separator: CsvSeparator) => string | Stream.Stream<Uint8Array, unknown, R>
  }
  /** A complete HTML document with its own security policy, displayed instead of downloaded. */
  | { readonly _tag: "Document"; readonly document: PackedDocument }
  | { readonly _tag: "Events"; readonly events: Stream.Stream<PageEvent, unknown, R> }

/** An event for an open page (`data-events`); `data` is sent as JSON. */
export interface PageEvent {
  readonly name: string
  readonly data: unknown
}

export interface PageOptions<R = never> {
  readonly status?: number
  readonly secret?: boolean
  readonly cookies?: CookieChanges
  readonly late?: Effect.Effect<Html, never, R> | null
}

/** Replies with a page. */
export const showPage = <R = never>(
  html: Html,
  { cookies = {}, late = null, secret = false, status = 200 }: PageOptions<R> = {}
): PageReply<R> => ({
  _tag: "Page",
  html,
  status,
  secret,
  cookies,
  late
})

/** After a form was processed: redirects with 303 to a page that can be reloaded safely. */
export const seeOther = (address: Address, cookies: CookieChanges = {}): PageReply => ({
  _tag: "SeeOther",
  address,
  cookies
})

/** Replies with a download. Content from outside, such as a payload, is sent as `application/octet-stream`. */
export const sendFile = <R = never>(
  name: string,
  contentType: string,
  body: string | Uint8Array | Stream.Stream<Uint8Array, unknown, R>
): PageReply<R> => ({ _tag: "File", name, contentType, body })

/** Replies with a self-contained HTML file. The file itself says what it may load, and the header allows no script. */
export const sendDocument = (document: PackedDocument): PageReply => ({ _tag: "Document", document })

/** Columns for the given members of a row, each named after its member. */
export const columnsOf = <Row>(
  ...names: ReadonlyArray<keyof Row & string>
): { readonly [header: string]: (row: Row) => unknown } =>
  Object.fromEntries(names.map((name) => [name, (row: Row) => row[name]]))

/** Replies with a table as CSV; `rows` is a list, or a stream if there may be many rows. */
export const sendCsv = <Row, R = never>(
  name: string,
  columns: { readonly [header: string]: (row: Row) => unknown },
  rows: ReadonlyArray<Row> | Stream.Stream<Row, unknown, R>
): PageReply<R> => {
  const cells = Object.values(columns)
  const write = (separator: CsvSeparator) => {
    const header = csvLine(Object.keys(columns), separator)
    const line = (row: Row): string => csvLine(cells.map((cell) => cell(row)), separator)
    return Stream.isStream(rows)
      ? Stream.encodeText(Stream.concat(Stream.make(header), Stream.map(rows as Stream.Stream<Row, unknown, R>, line)))
      : header + (rows as ReadonlyArray<Row>).map(line).join("")
  }
  return { _tag: "Csv", name, write }
}

/**
 * Replies with an event stream that ends when `events` ends, when the server stops, or after 60 seconds; the browser
 * then reconnects.
 */
export const sendEvents = <R>(events: Stream.Stream<PageEvent, unknown, R>): PageReply<R> => ({
  _tag: "Events",
  events
})
