/** Brings a database to the schema of this version. */
import { Effect, Schema } from "effect"
import { Migrator, SqlClient, SqlError } from "effect/sql"
import { StoreError } from "../../ports/StoreError.ts"
import { migrations } from "./migrations/index.ts"
import { renewGrants } from "./roles/applyRoles.ts"
import { sqlState, toStoreError, withStoreErrors } from "./sqlErrors.ts"

const table = "sov_migrations"
const undefinedTable = "42P01"

/** The database was made by a newer sov than this one: nothing is touched. */
export class SchemaNewer extends Schema.TaggedError<SchemaNewer>()("SchemaNewer", {
  found: Schema.Int,
  known: Schema.Int
}) {
  override get message() {
    return `the database has schema version ${this.found}; this sov knows versions up to ${this.known}`
  }
}

/**
 * The database was made by an older sov, and the role that is connected may not bring it up to date: its owner does.
 */
export class SchemaOlder extends Schema.TaggedError<SchemaOlder>()("SchemaOlder", {
  found: Schema.Int,
  known: Schema.Int,
  role: Schema.String
}) {
  override get message() {
    return this.found === 0
      ? `the database has no tables of sov yet, and the role ${this.role} may not make them`
      : `the database has schema version ${this.found}, this sov needs ${this.known}, and the role ${this.role} may not change it`
  }
}

/** One numbered step of the schema. */
export interface Migration {
  readonly id: number
  readonly name: string
}

const knownMigrations: ReadonlyArray<Migration> = Object.keys(migrations).map((key) => {
  const [id, ...name] = key.split("_")
  return { id: Number(id), name: name.join("_") }
})
/** The schema version of this sov. */
export const newestVersion = Math.max(...knownMigrations.map(({ id }) => id))

/** Where the database stands, asked with one query: its schema version (0 = empty) and what would run. Runs nothing. */
export const readMigrationStatus = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly version: number | null }>`
    select max(migration_id) as version from ${sql(table)}
  `.pipe(Effect.catchIf((error) => sqlState(error) === undefinedTable, () => Effect.succeed([])))
  const version = row?.version ?? 0
  if (version > newestVersion) return yield* new SchemaNewer({ found: version, known: newestVersion })
  return { version, pending: knownMigrations.filter(({ id }) => id > version) }
}).pipe(withStoreErrors("read schema version"))

/** A step that failed: the database's own reason where it has one. */
const explainStepFailure = (error: Migrator.MigrationError): StoreError =>
  SqlError.isSqlError(error.cause)
    ? toStoreError(`migrate: ${error.message}`, error.cause)
    : new StoreError({ reason: "internal", message: `migrate: ${error.message}` })

/** Runs the loader's steps that `table` does not list yet: all or nothing, and once, however many processes start. */
export const runMigrations = (table: string, loader: Migrator.Loader) =>
  Migrator.make({})({ loader, table }).pipe(
    Effect.catchTag("MigrationError", (error) => Effect.fail(explainStepFailure(error))),
    withStoreErrors("migrate")
  )

/** Fails unless the connected role may make tables, and owns those that are there. */
export const checkMayMigrate = Effect.fnUntraced(function*(found: number, known: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly role: string; readonly allowed: boolean }>`
    select current_user::text as role, coalesce(has_schema_privilege(current_schema(), 'create'), false) and not exists (
      select from pg_class where oid = to_regclass('organization') and not pg_has_role(relowner, 'usage')
    ) as allowed
  `.pipe(withStoreErrors("read own role"))
  if (row?.allowed === false) return yield* new SchemaOlder({ found, known, role: row.role })
})

/**
 * Runs what is pending up to schema version `upTo` and returns it, in order: all of it or nothing, and once, however
 * many processes start at the same time. Roles that had grants get those of the new schema. Costs one query when
 * nothing is pending.
 */
export const migrateTo = Effect.fnUntraced(function*(upTo: number) {
  const status = yield* readMigrationStatus
  if (status.pending.every(({ id }) => id > upTo)) return []
  yield* checkMayMigrate(status.version, upTo)
  const wanted = Object.fromEntries(Object.entries(migrations).filter(([key]) => Number.parseInt(key) <= upTo))
  const ran = yield* runMigrations(table, Migrator.fromRecord(wanted))
  yield* renewGrants
  return ran.map(([id, name]): Migration => ({ id, name }))
})

/** Brings the database to the schema of this sov. */
export const migrate = migrateTo(newestVersion)
