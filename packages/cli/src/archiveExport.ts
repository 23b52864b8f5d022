/** sov archive export: the archive as a stream of rows, to stdout or to a file with a manifest. */
import { type ArchiveFilters, type ArchiveRow, archiveRowJson, exportArchive, type OrganizationId } from "@sov/core"
import { Effect, Stream } from "effect"
import { rm } from "node:fs/promises"
import { resolve } from "node:path"
import { archiveFilters, type FilterOptions } from "./archiveFilters.ts"
import { usageError } from "./CliError.ts"
import { currentOrganization } from "./currentOrganization.ts"
import { checkTarget, partFile, type Sink } from "./exportFile.ts"
import type { GlobalOptions } from "./GlobalOptions.ts"
import { csvLine, type Output } from "./Output.ts"
import { runCommand } from "./runtime.ts"
import { writeOut } from "./writeOut.ts"

interface ExportOptions extends GlobalOptions, FilterOptions {
  readonly format: "ndjson" | "csv"
  readonly out: string
}

/** What was written, in the order of writing (newest first). */
interface Written {
  readonly rows: number
  readonly simulatedRows: number
  readonly firstId: string | null
  readonly lastId: string | null
}

const csvFields = [
  "id",
  "scan_id",
  "platform",
  "keyword_id",
  "prompt_used",
  "raw_response",
  "brand_mentioned",
  "mention_count",
  "mention_position",
  "sentiment",
  "sov_score",
  "created_at",
  "simulated"
] as const

/** One row as text. In CSV every row says whether it is simulated: there it is a column. */
const exportLine = (format: "ndjson" | "csv", row: ArchiveRow): string => {
  const json = archiveRowJson(row)
  if (format === "ndjson") return `${JSON.stringify(json)}\n`
  return csvLine(csvFields.map((field) => field === "simulated" ? row.simulated : json[field]))
}

/** Rows are handed on in pieces of about this many characters. */
const pieceLength = 65_536
const sayEveryMs = 5_000

const writeRows = Effect.fnUntraced(function*(
  out: Output,
  organizationId: OrganizationId,
  filters: ArchiveFilters,
  format: "ndjson" | "csv",
  sink: Sink
) {
  let written: Written = { rows: 0, simulatedRows: 0, firstId: null, lastId: null }
  let piece = format === "csv" ? csvLine(csvFields) : ""
  let due = performance.now() + sayEveryMs
  const flush = Effect.suspend(() => {
    const text = piece
    piece = ""
    return text === "" ? Effect.void : sink.write(text)
  })
  yield* exportArchive(organizationId, filters).pipe(Stream.runForEach((row) => {
    written = {
      rows: written.rows + 1,
      simulatedRows: written.simulatedRows + (row.simulated ? 1 : 0),
      firstId: written.firstId ?? row.id,
      lastId: row.id
    }
    piece += exportLine(format, row)
    if (performance.now() > due) {
      due = performance.now() + sayEveryMs
      out.note(`${written.rows} answers …`)
    }
    return piece.length < pieceLength ? Effect.void : flush
  }))
  yield* flush
  return written
})

const toFile = Effect.fnUntraced(function*(
  out: Output,
  organizationId: OrganizationId,
  filters: ArchiveFilters,
  options: ExportOptions
) {
  const file = resolve(options.out)
  const { format } = options
  yield* checkTarget(file, options.yes === true)
  const data = yield* partFile(file)
  const description = yield* partFile(`${file}.manifest.json`)
  const written = yield* writeRows(out, organizationId, filters, format, data)
  const sha256 = yield* Effect.uninterruptible(Effect.gen(function*() {
    // A manifest of the file that is being replaced must not describe the new one, not even for a moment.
    yield* Effect.promise(() => rm(`${file}.manifest.json`, { force: true }))
    return yield* data.finish
  }))
  const manifest = {
    format,
    organization_id: organizationId,
    rows: written.rows,
    simulated_rows: written.simulatedRows,
    first_id: written.firstId,
    last_id: written.lastId,
    from: filters.from?.toISOString() ?? null,
    to: filters.to?.toISOString() ?? null,
    keyword_id: filters.keywordId ?? null,
    platform: filters.platform ?? null,
    sha256,
    ...format === "csv"
      ? { csv_formula_guard: "cells that begin with = + - @ tab or CR have a leading apostrophe" }
      : {}
  }
  yield* description.write(`${JSON.stringify(manifest, undefined, 2)}\n`)
  yield* description.finish
  out.result(
    { file, ...manifest },
    () =>
      `${written.rows} answers${
        written.simulatedRows > 0 ? ` (${written.simulatedRows} SIMULATED)` : ""
      } in ${file}\n` +
      `sha256 ${sha256}`
  )
})

/** sov archive export */
export const exportAll = (options: ExportOptions) => {
  const toStdout = options.out === "-"
  const before = Effect.suspend(() =>
    toStdout && process.stdout.isTTY
      ? Effect.fail(usageError("an export would flood this terminal", "give --out FILE, or pipe it: … --out - | head"))
      : toStdout
      ? Effect.void
      : checkTarget(resolve(options.out), options.yes === true)
  )
  return runCommand(options, { before }, ({ out }) =>
    Effect.gen(function*() {
      const organization = yield* currentOrganization(options)
      const filters = yield* archiveFilters(organization.id, options)
      if (!toStdout) return yield* toFile(out, organization.id, filters, options)
      yield* writeRows(out, organization.id, filters, options.format, { write: writeOut })
    }))
}
