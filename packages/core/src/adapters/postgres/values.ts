/** Converts values to columns and back where the driver's codecs do not. */
import { Array, Effect } from "effect"
import { type SqlClient, type SqlError, Statement } from "effect/sql"
import { toArchivableText } from "../../domain/archive/Answer.ts"

const maxInt4 = 2_147_483_647

/** Rounds and clamps a number from a provider's answer to fit an `integer` column; the payload keeps the original. */
export const toInt4 = (value: number | null): number | null =>
  value === null ? null : Math.max(-maxInt4, Math.min(maxInt4, Math.round(value)))

/** Makes text from outside, or null, fit into a text or jsonb column. */
export const toStorableText = <A extends string | null>(text: A): A =>
  (text === null ? null : toArchivableText(text)) as A

/** Formats ids as a `uuid[]` literal, because the driver would bind an array of strings as `text[]`. */
export const formatUuidArray = (ids: ReadonlyArray<string>): string => `{${ids.join(",")}}`

/**
 * Formats names from the code (plain words) or integers as an array literal, because the driver would encode each one
 * separately.
 */
export const formatWordArray = (words: ReadonlyArray<string | number>): string => `{${words.join(",")}}`

const literal = (text: string): Statement.Fragment => Statement.fragment([Statement.literal(text)])

/**
 * Writes an integer into a statement's text. With a parameter whose value it does not know, above all in LIMIT,
 * Postgres may expect more work and then plans the statement again at each call. Throws for anything but a safe
 * integer.
 */
export const literalInteger = (value: number): Statement.Fragment => {
  if (!Number.isSafeInteger(value)) throw new RangeError("a literal of a statement must be a safe integer")
  return literal(String(value))
}

/** Writes a boolean into a statement's text, for the same reason as `literalInteger`. Throws for anything else. */
export const literalBoolean = (value: boolean): Statement.Fragment => {
  if (typeof value !== "boolean") throw new TypeError("a literal of a statement must be a boolean")
  return literal(String(value))
}

/**
 * Writes names from the code into a statement's text as a `text[]`, for the same reason as `literalInteger`. Throws
 * unless each is a lower-case ASCII word, as platform names are.
 */
export const literalNames = (names: ReadonlyArray<string>): Statement.Fragment => {
  if (!names.every((name) => /^[a-z][a-z0-9_]*$/.test(name))) {
    throw new RangeError("a name of a statement must be a word")
  }
  return literal(`'{${names.join(",")}}'::text[]`)
}

/** The usual page sizes, and each plus 1: the additional row shows whether another page follows. */
const commonLimits = new Set([1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].flatMap((size) => [size, size + 1]))

/**
 * The expression after LIMIT: a literal for a usual page size, otherwise a parameter, because clients choose the number
 * and each literal is another prepared statement in a session.
 */
export const literalLimit = (limit: number): Statement.Fragment =>
  commonLimits.has(limit) ? literalInteger(limit) : Statement.fragment([Statement.parameter(limit)])

/** Rows in one INSERT: large enough to be fast, and far below the protocol's limit of 65,535 parameters. */
const batchSize = 500

/** Runs `insert` for each batch of rows; several batches are all or nothing. */
export const inBatches = <A, B, E>(
  sql: SqlClient.SqlClient,
  rows: ReadonlyArray<A>,
  insert: (batch: Array.NonEmptyReadonlyArray<A>) => Effect.Effect<B, E>
): Effect.Effect<ReadonlyArray<B>, E | SqlError.SqlError> => {
  const all = Effect.forEach(Array.chunksOf(rows, batchSize), (batch) => insert(batch))
  return rows.length > batchSize ? sql.withTransaction(all) : all
}
