import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { StoreError } from "../../../ports/StoreError.ts"
import { readMigrationStatus } from "../migrate.ts"
import { everyOrganization, RowScope } from "../roles/rowScope.ts"
import { withoutTimeouts } from "../sessionTimeouts.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { type BackupHeader, type BackupSummary, makeBackupWriter } from "./backupFormat.ts"
import { type BackupTable, backupTables, quoteIdentifier } from "./backupTables.ts"
import { type Condition, firstPage, type PageStart, selectPage } from "./selectPage.ts"

/** A part of a backup: some of its lines. */
export interface BackupPiece {
  readonly text: string
  /** The number of rows in these lines. */
  readonly rows: number
}

const countRows = Effect.fnUntraced(function*(tables: ReadonlyArray<BackupTable>, before: string | null) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.forEach(tables, ({ name }) =>
    sql.unsafe<{ readonly rows: number }>(
      `select count(*)::int as rows from ${quoteIdentifier(name)}${
        before === null ? "" : " where age(xmin) > age($1::text::xid)"
      }`,
      before === null ? [] : [before]
    ).pipe(Effect.map(([row]) => row!.rows)))
})

/**
 * Writes a backup of the whole database, consistent as of one moment, piece by piece, in constant memory. Returns its
 * summary.
 *
 * It works below the ports: it copies the tables that `migrate` creates, whatever they mean.
 *
 * `singleSession`: all connections share one session (the embedded home), where a long transaction would block the
 * others. One short transaction then reads the tables that change, which are small, and records the next transaction
 * id. Tables that only grow are read later in short statements, without the rows of later transactions. Both parts show
 * the same moment: in one session nothing else runs during a transaction, and the database refuses to change or remove
 * rows of the growing tables. On a server, the backup is one repeatable-read transaction, which blocks no other.
 * `onTotal` receives the number of rows that follow, to show progress.
 */
export const takeBackup = Effect.fnUntraced(
  function*<E, R>(
    options: { readonly singleSession: boolean; readonly onTotal?: (rows: number) => void },
    write: (piece: BackupPiece) => Effect.Effect<void, E, R>
  ) {
    const sql = yield* SqlClient.SqlClient
    const { version } = yield* readMigrationStatus
    const tables = yield* backupTables
    const growing = options.singleSession ? tables.slice(tables.findLastIndex((table) => !table.appendOnly) + 1) : []
    options.onTotal?.((yield* countRows(tables, null)).reduce((sum, rows) => sum + rows, 0))

    const copy = Effect.fnUntraced(function*(
      writer: ReturnType<typeof makeBackupWriter>,
      table: BackupTable,
      before: string | null
    ) {
      const conditions: ReadonlyArray<Condition> = before === null ? [] : [["age(xmin) > age(?::text::xid)", before]]
      let start: PageStart | null = firstPage
      while (start !== null) {
        const page: Effect.Success<ReturnType<typeof selectPage>> = yield* selectPage(sql, table, conditions, start)
        if (page === null) return
        yield* write({ text: writer.lines(table.name, page.rows, page.json), rows: page.rows })
        start = page.next
      }
    })

    const moment = Effect.gen(function*() {
      yield* sql`set transaction isolation level repeatable read, read only`
      yield* withoutTimeouts
      const [snapshot] = yield* sql<{ readonly next: string }>`
      select (pg_snapshot_xmax(pg_current_snapshot())::text::bigint & 4294967295)::text as next
    `
      const header: BackupHeader = {
        sov_backup: 1,
        schema_version: version,
        created_at: new Date(yield* Clock.currentTimeMillis).toISOString(),
        tables: tables.map(({ columns, name }) => ({ name, columns }))
      }
      const writer = makeBackupWriter(header)
      yield* write({ text: writer.header, rows: 0 })
      for (const table of tables) if (!growing.includes(table)) yield* copy(writer, table, null)
      return { header, next: snapshot!.next, writer }
    })

    const { header, next, writer } = yield* sql.withTransaction(moment)
    for (const table of growing) yield* copy(writer, table, next)
    const rows = yield* countRows(growing, next)
    for (const [i, { name }] of growing.entries()) {
      if (writer.rowsOf(name) !== rows[i]) {
        return yield* new StoreError({
          reason: "internal",
          message: `back up: ${writer.rowsOf(name)} of ${rows[i]} rows of ${name} were read`
        })
      }
    }
    yield* write({ text: writer.end(), rows: 0 })
    return {
      ...header,
      rows: Object.fromEntries(tables.map(({ name }) => [name, writer.rowsOf(name)]))
    } satisfies BackupSummary
  },
  Effect.provideService(RowScope, everyOrganization),
  withStoreErrors("back up")
)
