/**
 * Maps database errors to StoreError. Messages name the operation, the error and the SQLSTATE. They never contain
 * values: DETAIL lines and messages about data are dropped, because both quote rows.
 */
import { Cause, Effect, Layer, Schema, SchemaIssue } from "effect"
import { SqlError } from "effect/sql"
import { StoreError, type StoreFailure } from "../../ports/StoreError.ts"

const byTag: { readonly [tag: string]: StoreFailure } = {
  ConnectionError: "unavailable",
  AuthenticationError: "denied",
  AuthorizationError: "denied",
  UniqueViolation: "constraint",
  ConstraintError: "constraint",
  DeadlockError: "busy",
  SerializationError: "busy",
  LockTimeoutError: "busy",
  StatementTimeoutError: "busy",
  SqlSyntaxError: "internal"
}

/** SQLSTATEs (or their classes) that the client library does not distinguish. */
const byState: ReadonlyArray<readonly [prefix: string, reason: StoreFailure]> = [
  ["53100", "full"],
  ["53", "unavailable"], // out of memory or of connections
  ["57P", "unavailable"], // the server shuts down, starts, or has crashed
  ["25P03", "unavailable"], // the transaction idled too long and was ended
  ["25006", "denied"], // read-only transaction
  ["40", "busy"]
]

const plain: { readonly [K in StoreFailure]: string } = {
  unavailable: "the database cannot be reached or the connection was lost",
  busy: "the database is busy with a conflicting change",
  constraint: "a rule of the schema forbids it",
  full: "no space left for the database",
  denied: "the database refuses this role",
  internal: "the database refused the statement"
}

/** SQLSTATE classes whose primary message names only objects of the schema or the server. */
const namesNoValues = /^(?:23|42|53|57|58|25)/

const readField = (value: unknown, name: string): string => {
  const found = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined
  return typeof found === "string" ? found : ""
}

const firstLine = (text: string): string => text.split(/[\r\n]/, 1)[0]!.slice(0, 300)

/** The SQLSTATE or system error code of a SqlError; "" without one. */
export const sqlState = (error: SqlError.SqlError): string => readField(error.reason.cause, "code")

const listIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/**
 * The StoreError for a row that cannot be decoded. The issue's text quotes the row, so only the column's name is used.
 */
const toUndecodable = (operation: string, { issue }: Schema.SchemaError): StoreError => {
  const column = listIssues(issue).issues[0]?.path?.[0]
  const where = typeof column === "string" ? `column ${column} of a row` : "a row"
  return new StoreError({ reason: "internal", message: `${operation}: ${where} cannot be decoded` })
}

/** The StoreError for a SqlError; `operation` begins its message. */
export const toStoreError = (operation: string, error: SqlError.SqlError): StoreError => {
  const state = sqlState(error)
  const said = readField(error.reason.cause, "message")
  const reason = byState.find(([prefix]) => state.startsWith(prefix))?.[1] ??
    (/no space left on device/i.test(said) ? "full" : byTag[error.reason._tag]) ?? "internal"
  const what = namesNoValues.test(state)
    ? firstLine(said)
    : error.reason._tag === "AuthenticationError"
    ? "the database refuses this user or password"
    : plain[reason]
  return new StoreError({ reason, message: `${operation}: ${what}${state === "" ? "" : ` (${state})`}` })
}

/**
 * The database error in a cause. If a connection is lost inside a transaction, `withTransaction` turns the error into a
 * defect (its ROLLBACK fails with `orDie`). Therefore a defect that is a SqlError outranks the failure beside it,
 * unless the fiber is being interrupted.
 */
const findStoreError = (operation: string, cause: Cause.Cause<unknown>): StoreError | undefined => {
  if (Cause.hasInterrupts(cause)) return undefined
  const errors = cause.reasons.map((reason) =>
    Cause.isDieReason(reason) ? reason.defect : Cause.isFailReason(reason) ? reason.error : undefined
  )
  const sqlError = errors.find(SqlError.isSqlError)
  if (sqlError !== undefined) return toStoreError(operation, sqlError)
  const undecodable = errors.find(Schema.isSchemaError)
  return undecodable === undefined ? undefined : toUndecodable(operation, undecodable)
}

type Translated = SqlError.SqlError | Schema.SchemaError

/** Converts every SqlError of an effect (failure or defect) and every row that cannot be decoded to a StoreError. */
export const withStoreErrors = (operation: string) =>
<A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, Translated> | StoreError, R> =>
  Effect.catchCause(effect, (cause): Effect.Effect<never, Exclude<E, Translated> | StoreError> => {
    const error = findStoreError(operation, cause)
    return error === undefined
      ? Effect.failCause(cause as Cause.Cause<Exclude<E, Translated>>)
      : Effect.fail(error)
  })

/** Like `withStoreErrors`, for a layer that queries the database while it is built. */
export const layerWithStoreErrors =
  (operation: string) =>
  <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, Exclude<E, Translated> | StoreError, R> =>
    Layer.effectContext(withStoreErrors(operation)(Layer.build(layer)))
