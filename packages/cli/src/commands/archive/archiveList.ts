/** Prints pages of the archive. */
import { describeSighting, type Sighting } from "@sov/core/archive"
import { capturedView } from "@sov/core/tracking"
import type { ArchivePage, ArchiveRow } from "@sov/http/fetch-client"
import { Effect } from "effect"
import { type Column, type Output, printable } from "../../output/Output.ts"
import { writeOut } from "../../output/writeOut.ts"
import { csvHeader, csvRow } from "./csvRow.ts"

/** Maximum length of an excerpt; it is wider than any terminal, and the table cuts it to the available width. */
const maxExcerptLength = 240

/** An answer, and who saw it if it was captured in an app; servers do not send the latter. */
export type ListedAnswer = ArchiveRow & Partial<Sighting>

const isCaptured = ({ view }: ListedAnswer): boolean => view === capturedView.name

const describeRow = ({ account, captured_at, captured_by }: ListedAnswer): string =>
  describeSighting(
    account === undefined || captured_at === undefined || captured_by === undefined
      ? null
      : { account, captured_at, captured_by }
  )

const columns = (out: Output, rows: ReadonlyArray<ListedAnswer>): ReadonlyArray<Column<ListedAnswer>> => [
  { header: "TIME", cell: (row) => printable(row.created_at) },
  {
    header: "PLATFORM",
    cell: (row) => `${out.platformName(printable(row.platform))}${row.simulated === true ? " SIMULATED" : ""}`
  },
  ...rows.some(isCaptured)
    ? [{ header: "SEEN", cell: (row: ListedAnswer) => isCaptured(row) ? printable(describeRow(row)) : "-" }]
    : [],
  { header: "BRAND", cell: (row) => row.brand_mentioned === null ? "-" : row.brand_mentioned ? "named" : "no" },
  { header: "SOV", cell: (row) => row.sov_score ?? "-", align: "right" },
  { header: "ID", cell: (row) => printable(row.id) },
  { header: "PROMPT", cell: (row) => printable(row.prompt_used) },
  {
    header: "ANSWER",
    cell: (row) => printable(out.tty.out ? row.raw_response.slice(0, maxExcerptLength) : row.raw_response)
  }
]

export const pageMeta = (count: number, nextCursor: string | null, windowStart: string): ArchivePage["meta"] => ({
  count,
  next_cursor: nextCursor,
  plan_window_applied: false,
  window_start: windowStart
})

/** Prints one page; people also see the command for the next page. */
export const showPage = (out: Output, data: ReadonlyArray<ListedAnswer>, meta: ArchivePage["meta"]): void => {
  if (out.format === "csv") return out.data(csvHeader + data.map(csvRow).join(""))
  out.list(data, columns(out, data), { wrap: { data, meta }, empty: "No answers match." })
  if (meta.next_cursor !== null && !out.machine) out.note(`More: --cursor ${printable(meta.next_cursor)}, or --all`)
}

/** Writes all pages as one result, one page at a time, so that memory does not grow with the archive. */
export const pageWriter = (out: Output) => {
  let first = true
  let count = 0
  const write = (rows: ReadonlyArray<ListedAnswer>): Effect.Effect<void> => {
    const begins = first
    first = false
    count += rows.length
    if (out.format === "json") {
      const text = rows.map((row) => JSON.stringify(row)).join(",")
      return writeOut(begins ? `{"data":[${text}` : text === "" ? "" : `,${text}`)
    }
    if (out.format === "csv") return writeOut((begins ? csvHeader : "") + rows.map(csvRow).join(""))
    return Effect.sync(() => out.list(rows, columns(out, rows), { empty: begins ? "No answers match." : "" }))
  }
  const end = (windowStart: string): Effect.Effect<void> =>
    out.format === "json" ? writeOut(`],"meta":${JSON.stringify(pageMeta(count, null, windowStart))}}\n`) : Effect.void
  return { write, end }
}
