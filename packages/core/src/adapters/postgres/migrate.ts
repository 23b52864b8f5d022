/** Migrates a database to the schema of this version. */
import { Effect, Schedule, Schema } from "effect"
import { Migrator, SqlClient, SqlError } from "effect/sql"
import { StoreError } from "../../ports/StoreError.ts"
import { Concurrent } from "./migrations/Concurrent.ts"
import { migrations } from "./migrations/index.ts"
import { renewGrants } from "./roles/applyRoles.ts"
import { withoutTimeouts } from "./sessionTimeouts.ts"
import { sqlState, toStoreError, withStoreErrors } from "./sqlErrors.ts"

const table = "sov_migrations"
const undefinedTable = "42P01"

/** The database was created or migrated by a newer sov. Nothing was changed. */
export class SchemaNewer extends Schema.TaggedError<SchemaNewer>()("SchemaNewer", {
  found: Schema.Int,
  known: Schema.Int
}) {
  override get message() {
    return `the database has schema version ${this.found}; this sov knows versions up to ${this.known}`
  }
}

/**
 * The database needs a migration that this process does not run. `role` is the connected role if it may not migrate, so
 * that the owner of the database must; null if the caller asked not to migrate.
 */
export class SchemaOlder extends Schema.TaggedError<SchemaOlder>()("SchemaOlder", {
  found: Schema.Int,
  known: Schema.Int,
  role: Schema.NullOr(Schema.String)
}) {
  override get message() {
    return this.found === 0
      ? `the database has no tables of sov yet, and the role ${this.role} may not make them`
      : `the database has schema version ${this.found}, this sov needs ${this.known}${
        this.role === null ? "" : `, and the role ${this.role} may not change it`
      }`
  }
}

/** One numbered step of the schema. */
export interface Migration {
  readonly id: number
  readonly name: string
}

const parseKey = (key: string): Migration => {
  const [id, ...name] = key.split("_")
  return { id: Number(id), name: name.join("_") }
}

const knownMigrations: ReadonlyArray<Migration> = Object.keys(migrations).map(parseKey)
/** The schema version of this sov. */
export const newestVersion = Math.max(...knownMigrations.map(({ id }) => id))

/**
 * The state of the database, from one query: its schema version (0 = empty) and the pending migrations. Runs nothing.
 */
export const readMigrationStatus = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly version: number | null }>`
    select max(migration_id) as version from ${sql(table)}
  `.pipe(Effect.catchIf((error) => sqlState(error) === undefinedTable, () => Effect.succeed([])))
  const version = row?.version ?? 0
  if (version > newestVersion) return yield* new SchemaNewer({ found: version, known: newestVersion })
  return { version, pending: knownMigrations.filter(({ id }) => id > version) }
}).pipe(withStoreErrors("read schema version"))

/** The error of a failed migration, with the database's own reason if it has one. */
const explainStepFailure = (error: Migrator.MigrationError): StoreError =>
  SqlError.isSqlError(error.cause)
    ? toStoreError(`migrate: ${error.message}`, error.cause)
    : new StoreError({ reason: "internal", message: `migrate: ${error.message}` })

/**
 * Runs the loader's migrations that `table` does not list yet. Runs all of them or none, and only once even if several
 * processes start together.
 */
export const runMigrations = (table: string, loader: Migrator.Loader) =>
  Migrator.make({})({ loader, table }).pipe(
    Effect.catchTag("MigrationError", (error) => Effect.fail(explainStepFailure(error))),
    withStoreErrors("migrate")
  )

/** Fails unless the connected role may create tables and owns the existing ones. */
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
 * Milliseconds that a migration waits for a lock before it gives up and tries again, because other sessions queue
 * behind it.
 */
const lockTimeoutMs = 500
/** How many times a migration tries, one second apart, while other sessions hold the locks that it needs. */
const lockTries = 600

/** Retries a step until the locks are free, and logs once what it waits for. */
const awaitLocks = (key: string) => <A, R>(step: Effect.Effect<A, StoreError, R>): Effect.Effect<A, StoreError, R> => {
  const isBusy = ({ reason }: StoreError) => reason === "busy"
  return step.pipe(
    Effect.tapError((error) =>
      isBusy(error)
        ? Effect.logWarning(`migration ${key} waits for a table that others use: ${error.message}`)
        : Effect.void
    ),
    Effect.catchIf(
      isBusy,
      () => Effect.retry(step, { while: isBusy, schedule: Schedule.spaced("1 second"), times: lockTries })
    )
  )
}

/** Runs one migration in its own transaction, which never makes other sessions wait long for its locks. */
const runAlone = Effect.fnUntraced(
  function*(key: string, change: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>) {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.withTransaction(Effect.gen(function*() {
      yield* withoutTimeouts
      yield* sql.unsafe(`set local lock_timeout = ${lockTimeoutMs}`)
      return yield* runMigrations(table, Migrator.fromRecord({ [key]: change }))
    })).pipe(withStoreErrors("migrate"))
  }
)

/**
 * Runs a migration outside a transaction, one process at a time. It repeats what a killed process left unfinished: a
 * half-built index is dropped first.
 */
export const runConcurrent = Effect.fnUntraced(
  function*(key: string, change: Concurrent) {
    const connection = yield* (yield* SqlClient.SqlClient).reserve
    const run = (statement: string, values: ReadonlyArray<unknown> = []) =>
      connection.executeUnprepared(statement, values, undefined) as Effect.Effect<
        ReadonlyArray<Record<string, unknown>>,
        SqlError.SqlError
      >
    const lock = "(hashtextextended('sov migrations ' || current_schema(), 0))"
    const timeouts = ["statement_timeout", "lock_timeout"]
    for (const name of timeouts) yield* run(`set ${name} = 0`)
    yield* Effect.addFinalizer(() =>
      Effect.forEach(
        [`select pg_advisory_unlock${lock}`, ...timeouts.map((name) => `reset ${name}`)],
        (end) => run(end)
      )
        .pipe(Effect.ignore)
    )
    // Tries the lock instead of waiting for it: the index would wait for the waiting statement, which waits for the
    // lock
    yield* run(`select pg_try_advisory_lock${lock} as locked`).pipe(
      Effect.repeat({ until: ([row]) => row?.["locked"] === true, schedule: Schedule.spaced("500 millis") })
    )
    const { id, name } = parseKey(key)
    if ((yield* run(`select from ${table} where migration_id >= $1`, [id])).length > 0) return []
    for (const index of Object.keys(change.indexes)) {
      const begun = yield* run("select from pg_index where indexrelid = to_regclass($1) and not indisvalid", [index])
      if (begun.length > 0) yield* run(`drop index concurrently ${index}`)
    }
    for (const statement of change.format(false)) yield* run(statement)
    yield* run(`insert into ${table} (migration_id, name) values ($1, $2)`, [id, name])
    return [[id, name] as const]
  },
  Effect.scoped,
  withStoreErrors("migrate")
)

/**
 * Whether no other session can be affected: the database has no tables yet, or is the embedded one, where sessions take
 * turns.
 */
const isAlone = Effect.fnUntraced(function*(version: number) {
  if (version === 0) return true
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly embedded: boolean }>`select version() like '%PGlite%' as embedded`.pipe(
    withStoreErrors("read version")
  )
  return row?.embedded === true
})

/**
 * Runs the pending migrations up to schema version `upTo` in order, and returns them. They run once even if several
 * processes start together. An empty or embedded database gets all of them or none. On a server that contains data,
 * each migration commits by itself, and the migrations after a failed or killed one stay pending. Roles with grants get
 * the grants of the new schema. Costs one query when nothing is pending.
 */
export const migrateTo = Effect.fnUntraced(function*(upTo: number) {
  const status = yield* readMigrationStatus
  const wanted = Object.entries(migrations).filter(([key]) =>
    Number.parseInt(key) > status.version && Number.parseInt(key) <= upTo
  )
  if (wanted.length === 0) return []
  yield* checkMayMigrate(status.version, upTo)
  const sql = yield* SqlClient.SqlClient
  const inTransaction = (change: (typeof migrations)[string]) =>
    change instanceof Concurrent
      ? Effect.forEach(change.format(true), (statement) => sql.unsafe(statement), { discard: true })
      : change
  const ran = (yield* isAlone(status.version))
    ? yield* runMigrations(
      table,
      Migrator.fromRecord(Object.fromEntries(wanted.map(([key, change]) => [key, inTransaction(change)])))
    )
    : (yield* Effect.forEach(
      wanted,
      ([key, change]) =>
        awaitLocks(key)(change instanceof Concurrent ? runConcurrent(key, change) : runAlone(key, change))
    )).flat()
  yield* renewGrants
  return ran.map(([id, name]): Migration => ({ id, name }))
})

/** Migrates the database to the schema of this sov. */
export const migrate = migrateTo(newestVersion)

/** Creates the schema in an empty database. Fails with SchemaOlder if a database with data has pending migrations. */
export const migrateEmpty = Effect.gen(function*() {
  const { pending, version } = yield* readMigrationStatus
  if (pending.length === 0) return
  if (version > 0) return yield* new SchemaOlder({ found: version, known: newestVersion, role: null })
  yield* migrate
})
