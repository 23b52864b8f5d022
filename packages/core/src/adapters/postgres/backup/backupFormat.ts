/**
 * A backup as lines of JSON: a header, one line for each row, an end.
 *
 * {"sov_backup":1,"schema_version":1,"created_at":"…","tables":[{"name":"answer","columns":["id",…]},…]}
 * {"answer":{"id":"…",…}}
 * {"end":{"header":"sha256 of the header line","tables":{"answer":{"rows":40,"sha256":"… of its lines"},…}}}
 *
 * Rows come in the order of `tables`; a hash covers whole lines with their line feed.
 */
import { Result, Schema } from "effect"
import { createHash } from "node:crypto"

/**
 * The backup cannot be restored; `message` is one line with the cause. `foreign`: not a backup of sov · `damaged`:
 * truncated or changed · `newer`: written by a newer sov · `older`: its schema is older than that of a database that
 * already has tables · `unlike`: its tables are not those of its schema version.
 */
export class InvalidBackup extends Schema.TaggedError<InvalidBackup>()("InvalidBackup", {
  reason: Schema.Literals(["foreign", "damaged", "newer", "older", "unlike"]),
  message: Schema.String
}) {}

/** The header of a backup. `created_at` is the moment as of which the data is consistent, RFC 3339. */
const BackupHeader = Schema.Struct({
  sov_backup: Schema.Literal(1),
  schema_version: Schema.Int,
  created_at: Schema.String,
  tables: Schema.Array(Schema.Struct({ name: Schema.String, columns: Schema.Array(Schema.String) }))
})
export type BackupHeader = typeof BackupHeader.Type

/** The row count and hash of each table, at the end of a backup. */
const TableSummaries = Schema.Record(Schema.String, Schema.Struct({ rows: Schema.Int, sha256: Schema.String }))

const BackupEnd = Schema.fromJsonString(
  Schema.Struct({ end: Schema.Struct({ header: Schema.String, tables: TableSummaries }) })
)

/** A backup without its rows. */
export interface BackupSummary extends BackupHeader {
  /** The number of rows of each table. */
  readonly rows: { readonly [table: string]: number }
}

const decodeHeader = Schema.decodeUnknownResult(Schema.fromJsonString(BackupHeader))
const decodeEnd = Schema.decodeUnknownResult(BackupEnd)
const decodeVersion = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Struct({ sov_backup: Schema.Finite })))

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const failDamaged = (message: string): Result.Result<never, InvalidBackup> =>
  Result.fail(new InvalidBackup({ reason: "damaged", message: `the backup is damaged: ${message}` }))

const formatPrefix = (table: string): string => `{${JSON.stringify(table)}:`

const listSections = (header: BackupHeader) =>
  header.tables.map(({ name }) => ({ name, prefix: formatPrefix(name), rows: 0, hash: createHash("sha256") }))

/** Creates a writer that returns the lines of a backup and computes their hashes. */
export const makeBackupWriter = (header: BackupHeader) => {
  const first = `${JSON.stringify(header)}\n`
  const sections = new Map(listSections(header).map((section) => [section.name, section]))
  return {
    header: first,
    /** Lines for `rows` rows, given as JSON lines without the last line feed. */
    lines: (table: string, rows: number, json: string): string => {
      const section = sections.get(table)!
      const text = `${section.prefix}${json.replaceAll("\n", `}\n${section.prefix}`)}}\n`
      section.hash.update(text)
      section.rows += rows
      return text
    },
    /** The number of rows of the table that were written so far. */
    rowsOf: (table: string): number => sections.get(table)!.rows,
    end: (): string => {
      const tables = Object.fromEntries(
        [...sections.values()].map(({ hash, name, rows }) => [name, { rows, sha256: hash.digest("hex") }])
      )
      return `${JSON.stringify({ end: { header: sha256(first), tables } })}\n`
    }
  }
}

/** Reads the header of a backup. */
export const readHeader = (line: string): Result.Result<BackupHeader, InvalidBackup> => {
  const header = decodeHeader(line)
  if (Result.isSuccess(header)) return Result.succeed(header.success)
  const version = decodeVersion(line)
  return Result.fail(
    Result.isFailure(version)
      ? new InvalidBackup({ reason: "foreign", message: "this is no backup of sov" })
      : version.success.sov_backup > 1
      ? new InvalidBackup({ reason: "newer", message: "the backup has a form that only a newer sov can read" })
      : new InvalidBackup({ reason: "damaged", message: "the backup is damaged: its first line was changed" })
  )
}

/** One row of a backup: the table's name and its JSON. */
export interface BackupRow {
  readonly table: string
  readonly json: string
}

/** Creates a reader that parses and checks the lines after the header one by one. */
export const makeBackupReader = (header: BackupHeader) => {
  const sections = listSections(header)
  let at = 0
  let line = 1
  let ended = false

  const checkEnd = (end: typeof BackupEnd.Type.end): Result.Result<null, InvalidBackup> => {
    ended = true
    if (sha256(`${JSON.stringify(header)}\n`) !== end.header) return failDamaged("its first line was changed")
    for (const { hash, name, rows } of sections) {
      const said = end.tables[name]
      if (said?.rows !== rows) return failDamaged(`it has ${rows} rows of ${name}, and had ${said?.rows ?? 0}`)
      if (said.sha256 !== hash.digest("hex")) return failDamaged(`rows of ${name} were changed`)
    }
    return Result.succeed(null)
  }

  return {
    /** Reads a line and returns its row; null for the end line. */
    next: (text: string): Result.Result<BackupRow | null, InvalidBackup> => {
      line++
      if (ended) return failDamaged(`line ${line} comes after its end`)
      const found = sections.findIndex(({ prefix }, i) => i >= at && text.startsWith(prefix))
      if (found === -1 || !text.endsWith("}")) {
        const end = decodeEnd(text)
        return Result.isSuccess(end)
          ? checkEnd(end.success.end)
          : failDamaged(`line ${line} is no row, after those of ${sections[at]?.name}`)
      }
      at = found
      const section = sections[at]!
      section.hash.update(`${text}\n`)
      section.rows++
      return Result.succeed({ table: section.name, json: text.slice(section.prefix.length, -1) })
    },
    /** The number of rows of each table. Call it after the last line. */
    finish: (): Result.Result<BackupSummary, InvalidBackup> =>
      ended
        ? Result.succeed({ ...header, rows: Object.fromEntries(sections.map(({ name, rows }) => [name, rows])) })
        : failDamaged(`it is cut short after line ${line}, in ${sections[at]?.name}`)
  }
}
