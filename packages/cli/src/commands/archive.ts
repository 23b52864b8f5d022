/** sov archive: the raw answers, page by page, one by one, as a file, as numbers. */
import {
  AnswerId,
  type ArchiveRow,
  type ArchiveRowJson,
  archiveRowJson,
  ArchiveStore,
  measureAnswer,
  NotFound,
  readArchive,
  type TrackedSet,
  TrackedSetStore
} from "@sov/core"
import { Effect, Schema } from "effect"
import { archiveFilters, type FilterOptions } from "../archiveFilters.ts"
import { usageError } from "../CliError.ts"
import { currentOrganization } from "../currentOrganization.ts"
import type { GlobalOptions } from "../GlobalOptions.ts"
import { integerOption } from "../integerOption.ts"
import { type Column, csvLine, type Output, printable } from "../Output.ts"
import { runCommand } from "../runtime.ts"
import { writeOut } from "../writeOut.ts"

export { exportAll } from "../archiveExport.ts"

interface ListOptions extends GlobalOptions, FilterOptions {
  readonly limit?: string
  readonly cursor?: string
  readonly all?: boolean
}

type Listed = Omit<ArchiveRowJson, "simulated"> & { readonly simulated?: boolean }

/** More than a terminal is wide; the table cuts it to what fits. */
const shownOfAnswer = 240

const columns = (out: Output): ReadonlyArray<Column<Listed>> => [
  { header: "TIME", cell: (row) => row.created_at },
  { header: "PLATFORM", cell: (row) => `${row.platform}${row.simulated === true ? " SIMULATED" : ""}` },
  { header: "BRAND", cell: (row) => row.brand_mentioned === null ? "-" : row.brand_mentioned ? "named" : "no" },
  { header: "SOV", cell: (row) => row.sov_score ?? "-", align: "right" },
  { header: "ID", cell: (row) => row.id },
  { header: "PROMPT", cell: (row) => printable(row.prompt_used) },
  {
    header: "ANSWER",
    cell: (row) => printable(out.tty.out ? row.raw_response.slice(0, shownOfAnswer) : row.raw_response)
  }
]

const meta = (count: number, nextCursor: string | null, windowStart: Date) => ({
  count,
  next_cursor: nextCursor,
  plan_window_applied: false,
  window_start: windowStart.toISOString()
})

/** CSV has one header for all rows, so there every row says whether it is simulated. */
const listed = (out: Output, rows: ReadonlyArray<ArchiveRow>): ReadonlyArray<Listed> =>
  rows.map((row) => out.format === "csv" ? { ...archiveRowJson(row), simulated: row.simulated } : archiveRowJson(row))

/** Writes page after page as one result, so that memory does not grow with the archive. */
const pageWriter = (out: Output) => {
  let count = 0
  const write = (rows: ReadonlyArray<Listed>): Effect.Effect<void> => {
    const first = count === 0
    count += rows.length
    if (out.format === "json") {
      const text = rows.map((row) => JSON.stringify(row)).join(",")
      return writeOut(first ? `{"data":[${text}` : text === "" ? "" : `,${text}`)
    }
    if (out.format === "csv" && !first) return writeOut(rows.map((row) => csvLine(Object.values(row))).join(""))
    return Effect.sync(() => out.list(rows, columns(out), { empty: first ? "No answers match." : "" }))
  }
  const end = (windowStart: Date): Effect.Effect<void> =>
    out.format === "json" ? writeOut(`],"meta":${JSON.stringify(meta(count, null, windowStart))}}\n`) : Effect.void
  return { write, end }
}

/** sov archive list */
export const list = (options: ListOptions) =>
  runCommand(options, { repeatable: options.all !== true }, ({ out }) =>
    Effect.gen(function*() {
      const limit = yield* integerOption("--limit", options.limit ?? "50", 1, 100)
      const organization = yield* currentOrganization(options)
      const filters = yield* archiveFilters(organization.id, options)
      const page = yield* readArchive(organization.id, filters, { limit, cursor: options.cursor })
      const data = listed(out, page.rows)
      if (options.all !== true) {
        const wrap = { data, meta: meta(data.length, page.nextCursor, page.windowStart) }
        out.list(data, columns(out), { wrap, empty: "No answers match." })
        if (page.nextCursor !== null && !out.machine) out.note(`More: --cursor ${page.nextCursor}, or --all`)
        return
      }
      const pages = pageWriter(out)
      yield* pages.write(data)
      let cursor = page.nextCursor
      while (cursor !== null) {
        const next = yield* readArchive(organization.id, filters, { limit, cursor })
        if (next.rows.length > 0) yield* pages.write(listed(out, next.rows))
        cursor = next.nextCursor
      }
      yield* pages.end(page.windowStart)
    }))

/** The answer with what counts as a mention marked: by style where there is one, else by signs. */
const marked = (out: Output, row: ArchiveRow, set: TrackedSet | null): string => {
  if (set === null) return printable(row.rawResponse)
  const styled = out.style("bold", "x") !== "x"
  const mark = (entity: "brand" | number, text: string): string =>
    styled
      ? out.style(entity === "brand" ? ["bold", "inverse"] : "underline", text)
      : entity === "brand"
      ? `»${text}«`
      : `›${text}‹`
  const { mentions } = measureAnswer({
    text: row.rawResponse,
    brand: set.brand,
    competitors: set.competitors,
    excludes: set.brand.excludes,
    prompt: row.promptUsed
  })
  let at = 0
  let text = ""
  for (const { end, entity, start } of mentions) {
    if (start < at) continue
    text += printable(row.rawResponse.slice(at, start)) + mark(entity, printable(row.rawResponse.slice(start, end)))
    at = end
  }
  return text + printable(row.rawResponse.slice(at))
}

/** The stance, with the judge's name when a judge decided it. */
const stanceText = ({ sentiment, sentimentBy }: ArchiveRow): string =>
  sentimentBy === "rules" ? `${sentiment}` : `${sentiment} (says ${printable(sentimentBy ?? "")})`

const answerText = (out: Output, row: ArchiveRow, set: TrackedSet | null): string => {
  const json = archiveRowJson(row)
  const found = row.brandMentioned === null
    ? "not measured yet"
    : row.brandMentioned
    ? `brand named ${row.mentionCount}×, position ${row.mentionPosition}, ${stanceText(row)}, score ${json.sov_score}`
    : "brand not named"
  return [
    `${out.style("bold", row.platform)} · ${json.created_at} · ${found}${
      row.simulated ? ` · ${out.style("yellow", "SIMULATED")}` : ""
    }`,
    `${out.style("dim", "prompt:")} ${printable(row.promptUsed)}`,
    "",
    marked(out, row, set)
  ].join("\n")
}

/** sov archive show ID */
export const show = (options: GlobalOptions & { readonly raw?: boolean; readonly payload?: boolean }, id: string) =>
  runCommand(options, { repeatable: true }, ({ out }) =>
    Effect.gen(function*() {
      if (options.raw === true && options.payload === true) {
        return yield* Effect.fail(usageError("--raw and --payload exclude each other"))
      }
      const organization = yield* currentOrganization(options)
      const row = Schema.is(AnswerId)(id) ? yield* (yield* ArchiveStore).find(organization.id, id) : null
      if (row === null) return yield* new NotFound({ what: "answer", id })
      if (options.payload === true) {
        const payload = (yield* (yield* ArchiveStore).payload(organization.id, row.id)) ?? new Uint8Array()
        return yield* writeOut(process.stdout.isTTY ? printable(Buffer.from(payload).toString("utf8")) : payload)
      }
      if (options.raw === true) {
        // On a terminal the answer could give orders to it, so there it is never printed as it came.
        return yield* writeOut(process.stdout.isTTY ? printable(row.rawResponse) : row.rawResponse)
      }
      const set = yield* (yield* TrackedSetStore).current(organization.id)
      out.result(archiveRowJson(row), () => answerText(out, row, set))
    }))

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`

/** sov archive stats */
export const stats = (options: GlobalOptions) =>
  runCommand(options, { repeatable: true }, ({ out }) =>
    Effect.gen(function*() {
      const organization = yield* currentOrganization(options)
      const rows = (yield* (yield* ArchiveStore).stats(organization.id)).map((one) => ({
        platform: one.platform,
        answers: one.answers,
        simulated_answers: one.simulated,
        text_bytes: one.textBytes,
        first_created_at: one.first.toISOString(),
        last_created_at: one.last.toISOString()
      }))
      out.list(rows, [
        { header: "PLATFORM", cell: (row) => row.platform },
        { header: "ANSWERS", cell: (row) => row.answers, align: "right" },
        { header: "SIMULATED", cell: (row) => row.simulated_answers, align: "right" },
        { header: "TEXT", cell: (row) => kilobytes(row.text_bytes), align: "right" },
        { header: "FIRST", cell: (row) => row.first_created_at },
        { header: "LAST", cell: (row) => row.last_created_at }
      ], { empty: "No answers yet: sov scan brings some." })
    }))
