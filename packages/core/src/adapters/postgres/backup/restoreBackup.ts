import { Effect, Result, Schema, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { pluralized } from "../../../domain/wording.ts"
import { migrate, migrateTo, newestVersion, readMigrationStatus } from "../migrate.ts"
import { withoutTimeouts } from "../sessionTimeouts.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { type BackupHeader, type BackupSummary, InvalidBackup, makeBackupReader, readHeader } from "./backupFormat.ts"
import { type BackupTable, backupTables, quoteIdentifier } from "./backupTables.ts"

/** The database already contains data; a backup is restored only into an empty database. */
export class DatabaseNotEmpty extends Schema.TaggedError<DatabaseNotEmpty>()("DatabaseNotEmpty", {
  organizations: Schema.Int
}) {
  override get message() {
    return `the database holds ${
      pluralized(this.organizations, "organization")
    } already; a backup is restored only into an empty one`
  }
}

/** The number of rows in one INSERT. */
const batchRows = 500
const batchLength = 1_048_576

const makeMismatchError = (message: string) => new InvalidBackup({ reason: "unlike", message })

/** Reads all lines of a backup, checks each row and the complete file, and calls `onRow` for each row. */
const readBackup = <E, R, E2>(
  lines: Stream.Stream<string, E, R>,
  onHeader: (header: BackupHeader) => Effect.Effect<void, InvalidBackup>,
  onRow: (table: string, json: string) => Effect.Effect<void, E2>
): Effect.Effect<BackupSummary, InvalidBackup | E | E2, R> =>
  Effect.gen(function*() {
    let reader: ReturnType<typeof makeBackupReader> | undefined
    yield* Stream.runForEach(lines, (line): Effect.Effect<void, InvalidBackup | E2> => {
      if (reader === undefined) {
        const first = readHeader(line)
        if (Result.isFailure(first)) return Effect.fail(first.failure)
        reader = makeBackupReader(first.success)
        return onHeader(first.success)
      }
      const row = reader.next(line)
      if (Result.isFailure(row)) return Effect.fail(row.failure)
      return row.success === null ? Effect.void : onRow(row.success.table, row.success.json)
    })
    if (reader === undefined) {
      return yield* new InvalidBackup({ reason: "foreign", message: "this is no backup of sov: it is empty" })
    }
    return yield* Effect.fromResult(reader.finish())
  })

/** Reads a backup to its end and returns its summary, or fails with InvalidBackup. Needs no database. */
export const checkBackup = Effect.fnUntraced(function*<E, R>(
  lines: Stream.Stream<string, E, R>,
  onRow: Effect.Effect<void>
) {
  const summary = yield* readBackup(lines, () => Effect.void, () => onRow)
  if (summary.schema_version > newestVersion) {
    return yield* new InvalidBackup({
      reason: "newer",
      message: `the backup has schema version ${summary.schema_version}; this sov knows versions up to ${newestVersion}`
    })
  }
  return summary
})

/** Migrates the database to the schema of the backup, which is never newer than this sov's. */
const prepareSchema = Effect.fnUntraced(function*(header: BackupHeader) {
  const { version } = yield* readMigrationStatus
  if (version > header.schema_version) {
    return yield* new InvalidBackup({
      reason: "older",
      message: `the backup has schema version ${header.schema_version}, the database ${version} already`
    })
  }
  yield* migrateTo(header.schema_version)
})

const sameNames = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  a.length === b.length && a.every((name) => b.includes(name))

/** The tables of the database. They must be those of the backup, because names in the file are never trusted as SQL. */
const findTables = Effect.fnUntraced(function*(header: BackupHeader) {
  const tables = yield* backupTables
  if (!sameNames(tables.map(({ name }) => name), header.tables.map(({ name }) => name))) {
    return yield* makeMismatchError(`the backup has other tables than schema version ${header.schema_version}`)
  }
  for (const { columns, name } of header.tables) {
    if (!sameNames(tables.find((table) => table.name === name)!.columns, columns)) {
      return yield* makeMismatchError(
        `the backup has other columns of ${name} than schema version ${header.schema_version}`
      )
    }
  }
  return new Map(tables.map((table) => [table.name, table]))
})

const formatInsert = ({ columns, name }: BackupTable): string => {
  const list = columns.map(quoteIdentifier).join()
  return `insert into ${quoteIdentifier(name)} (${list})
    select ${list} from json_populate_recordset(null::${quoteIdentifier(name)}, $1::text::json)`
}

/**
 * Fills an empty database with the backup that `checkBackup` has read. It runs in one transaction, which checks the
 * lines again and counts the rows; keys, constraints and the triggers of the archive stay active. Then it migrates the
 * schema to this version. `onRow` runs for each row that was read. Returns what the restored database will send once a
 * worker runs: webhook deliveries to enabled endpoints, and e-mails.
 */
export const restoreBackup = Effect.fnUntraced(function*<E, R>(
  summary: BackupSummary,
  lines: Stream.Stream<string, E, R>,
  onRow: Effect.Effect<void>
) {
  const sql = yield* SqlClient.SqlClient
  const { rows: _, ...header } = summary
  yield* prepareSchema(header)
  yield* sql.withTransaction(Effect.gen(function*() {
    yield* withoutTimeouts
    // From here to the end of the transaction, no organization can be created
    yield* sql`lock table organization in share row exclusive mode`
    const [found] = yield* sql<{ readonly organizations: number }>`
      select count(*)::int as organizations from organization
    `
    if (found!.organizations > 0) return yield* new DatabaseNotEmpty(found!)
    const tables = yield* findTables(header)
    // The first migration created these secrets; the restored installation has its own
    yield* sql`delete from instance`

    let batch: { readonly table: string; readonly rows: Array<string>; length: number } | undefined
    const insertBatch = Effect.suspend((): Effect.Effect<void, SqlError.SqlError> => {
      if (batch === undefined) return Effect.void
      const { rows, table } = batch
      batch = undefined
      return Effect.asVoid(sql.unsafe(formatInsert(tables.get(table)!), [`[${rows.join()}]`]))
    })
    const checkSameHeader = (again: BackupHeader): Effect.Effect<void, InvalidBackup> =>
      JSON.stringify(again) === JSON.stringify(header)
        ? Effect.void
        : Effect.fail(new InvalidBackup({ reason: "damaged", message: "the backup was changed while it was read" }))
    yield* readBackup(lines, checkSameHeader, (table, json) =>
      Effect.gen(function*() {
        if (batch !== undefined && batch.table !== table) yield* insertBatch
        batch ??= { table, rows: [], length: 0 }
        batch.rows.push(json)
        batch.length += json.length
        if (batch.rows.length >= batchRows || batch.length >= batchLength) yield* insertBatch
        yield* onRow
      }))
    yield* insertBatch
    for (const [name, rows] of Object.entries(summary.rows)) {
      const [counted] = yield* sql.unsafe<{ readonly rows: number }>(
        `select count(*)::int as rows from ${quoteIdentifier(name)}`
      )
      if (counted!.rows !== rows) {
        return yield* makeMismatchError(`${name} has ${counted!.rows} rows, the backup says ${rows}`)
      }
    }
  }))
  yield* migrate
  const [waiting] = yield* sql<{ readonly deliveries: number; readonly emails: number }>`
    select (
      select count(*)::int from webhook_delivery d
      join webhook_endpoint e on e.organization_id = d.organization_id and e.id = d.endpoint_id
      where d.state = 'pending' and e.state = 'enabled'
    ) as deliveries, (select count(*)::int from mail where state = 'queued') as emails
  `
  return waiting!
}, withStoreErrors("restore"))
