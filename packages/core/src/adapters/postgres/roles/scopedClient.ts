/** A client whose statements run as the organization of their fiber, for servers with row-level security. */
import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import { Effect, Stream } from "effect"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import { RowScope } from "./rowScope.ts"

/** The organization that was last set in a session; undefined while unknown. */
interface Told {
  organization: string | undefined
}

/**
 * Statements that begin or end transactions. They read no rows, and some of them must not be preceded by another
 * statement.
 */
const control = /^(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|set transaction)/

type Transform = (<A extends object>(row: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined

/**
 * A connection that sets the session's organization whenever it differs from the last one. A setting made in a
 * transaction that is rolled back is forgotten.
 */
class ScopedConnection implements SqlConnection.Connection {
  readonly #connection: PgConnection.PgConnection
  readonly #told: Told

  constructor(connection: PgConnection.PgConnection, told: Told) {
    this.#connection = connection
    this.#told = told
  }

  /** Sets the organization before the statement, if it differs. */
  readonly #prepare = (statement: string): Effect.Effect<void, SqlError.SqlError> => {
    if (control.test(statement)) {
      if (statement.startsWith("ROLLBACK")) this.#told.organization = undefined
      return Effect.void
    }
    return RowScope.use((organization) => {
      if (this.#told.organization === organization) return Effect.void
      this.#told.organization = undefined
      return Effect.map(
        this.#connection.query("select set_config('sov.organization', $1, false)", [organization]),
        () => {
          this.#told.organization = organization
        }
      )
    })
  }

  readonly #query = (statement: string, parameters: ReadonlyArray<unknown>, prepare: boolean) =>
    Effect.flatMap(
      Effect.suspend(() => this.#prepare(statement)),
      () => this.#connection.query(statement, parameters, prepare)
    )

  readonly #rows = (statement: string, parameters: ReadonlyArray<unknown>, transform: Transform, prepare: boolean) =>
    Effect.map(
      this.#query(statement, parameters, prepare),
      ({ rows }) => transform === undefined ? rows : transform(rows)
    )

  readonly #values = (statement: string, parameters: ReadonlyArray<unknown>, prepare: boolean) =>
    Effect.flatMap(
      Effect.suspend(() => this.#prepare(statement)),
      () => this.#connection.queryValues(statement, parameters, prepare)
    )

  execute(statement: string, parameters: ReadonlyArray<unknown>, transform: Transform) {
    return this.#rows(statement, parameters, transform, true)
  }
  executeUnprepared(statement: string, parameters: ReadonlyArray<unknown>, transform: Transform) {
    return this.#rows(statement, parameters, transform, false)
  }
  executeRaw(statement: string, parameters: ReadonlyArray<unknown>) {
    return this.#query(statement, parameters, true)
  }
  executeValues(statement: string, parameters: ReadonlyArray<unknown>) {
    return this.#values(statement, parameters, true)
  }
  executeValuesUnprepared(statement: string, parameters: ReadonlyArray<unknown>) {
    return this.#values(statement, parameters, false)
  }
  executeStream(statement: string, parameters: ReadonlyArray<unknown>, transform: Transform) {
    const rows = Stream.unwrap(Effect.map(
      Effect.suspend(() => this.#prepare(statement)),
      () => this.#connection.stream(statement, parameters)
    ))
    return transform === undefined ? rows : Stream.mapArray(rows, (some) => transform(some) as typeof some)
  }

  /** Ends a transaction. If Postgres rolls it back instead, a setting made in the transaction is forgotten. */
  commit(): Effect.Effect<void, SqlError.SqlError> {
    const { organization } = this.#told
    this.#told.organization = undefined
    return Effect.flatMap(this.#connection.query("COMMIT", []), ({ command }) => {
      if (command === "ROLLBACK") return Effect.fail(rolledBack())
      this.#told.organization = organization
      return Effect.void
    })
  }
}

const rolledBack = () => {
  const message = "COMMIT rolled back an aborted transaction"
  return new SqlError.SqlError({
    reason: new SqlError.UnknownError({ cause: new Error(message), message, operation: "commit" })
  })
}

/** The fragment of a JSON parameter, in the form that PgClient's compiler expects. */
const json = Statement.custom<Statement.Custom<"PgJson", unknown>>("PgJson")

const scopedClients = new WeakSet<object>()

/** Whether the client's statements run as the organization of their fiber. */
export const isScopedClient = (client: object): boolean => scopedClients.has(client)

/** Like `PgClient.make`, with connections that set their session's organization. */
export const makeScopedClient = Effect.fnUntraced(function*(config: PgClient.PgPoolConfig) {
  const pool = yield* PgPool.make(config)
  const told = new WeakMap<PgConnection.PgConnection, Told>()
  /** The organization that was last set in a session, which may be used for a single statement or for a transaction. */
  const getTold = (session: PgConnection.PgConnection): Told => {
    const known = told.get(session) ?? { organization: undefined }
    told.set(session, known)
    return known
  }
  const acquirer = Effect.map(pool.get, (session) => new ScopedConnection(session, getTold(session)))
  const client = yield* SqlClient.make({
    driver: "pg",
    acquirer,
    borrower: (use) => pool.use((session) => use(new ScopedConnection(session, getTold(session)))),
    transactionAcquirer: Effect.flatMap(
      pool.get,
      (session) => Effect.map(session.pin, (pinned) => new ScopedConnection(pinned, getTold(session)))
    ),
    compiler: PgClient.makeCompiler(),
    prepareTransactionControls: true,
    commit: (connection) => (connection as ScopedConnection).commit(),
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  const scoped: PgClient.PgClient = Object.assign(client, {
    [PgClient.TypeId]: PgClient.TypeId,
    config,
    json: (value: unknown) => Statement.fragment([json(value)]),
    listen: (channel: string) => Effect.flatMap(pool.reserve, (session) => session.listen(channel)),
    notify: (channel: string, payload: string) =>
      Effect.asVoid(pool.use((session) => session.query("select pg_notify($1, $2)", [channel, payload])))
  })
  scopedClients.add(scoped)
  return scoped
})
