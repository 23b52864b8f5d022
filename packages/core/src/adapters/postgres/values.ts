/** How values are written to columns and read from them, where the driver's codecs do not decide that. */
import { Array, Effect } from "effect"
import { type SqlClient, type SqlError, Statement } from "effect/sql"
import { toArchivableText } from "../../domain/archive/Answer.ts"

const maxInt4 = 2_147_483_647

/** Rounds and clamps a number from a provider's answer to fit an `integer` column; the payload keeps the original. */
export const toInt4 = (value: number | null): number | null =>
  value === null ? null : Math.max(-maxInt4, Math.min(maxInt4, Math.round(value)))

/** Outside text, or null, that fits a text or jsonb column. */
export const storableText = <A extends string | null>(text: A): A =>
  (text === null ? null : toArchivableText(text)) as A

/** Ids as a `uuid[]` literal, because the driver would bind an array of strings as `text[]`. */
export const formatUuidArray = (ids: ReadonlyArray<string>): string => `{${ids.join(",")}}`

/**
 * Names from the code, which are plain words, or integers, as an array literal: the driver would encode each one
 * separately.
 */
export const formatWordArray = (words: ReadonlyArray<string | number>): string => `{${words.join(",")}}`

const literal = (text: string): Statement.Fragment => Statement.fragment([Statement.literal(text)])

/**
 * An integer as part of a statement's text. Postgres plans a statement again at each call if a parameter with an
 * unknown value makes it expect more work, above all in LIMIT. Throws for anything but a safe integer.
 */
export const literalInteger = (value: number): Statement.Fragment => {
  if (!Number.isSafeInteger(value)) throw new RangeError("a literal of a statement must be a safe integer")
  return literal(String(value))
}

/** A boolean, for the same reason. Throws for anything else. */
export const literalBoolean = (value: boolean): Statement.Fragment => {
  if (typeof value !== "boolean") throw new TypeError("a literal of a statement must be a boolean")
  return literal(String(value))
}

/**
 * Names from the code as a `text[]`, for the same reason. Throws unless each is a lower-case ASCII word, as platform
 * names are.
 */
export const literalNames = (names: ReadonlyArray<string>): Statement.Fragment => {
  if (!names.every((name) => /^[a-z][a-z0-9_]*$/.test(name))) {
    throw new RangeError("a name of a statement must be a word")
  }
  return literal(`'{${names.join(",")}}'::text[]`)
}

/** The usual page sizes, and each plus the row that says whether another page follows. */
const commonLimits = new Set([1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].flatMap((size) => [size, size + 1]))

/**
 * The expression after LIMIT: a literal for a usual number. Clients choose the number, and each literal is another
 * prepared statement in a session.
 */
export const literalLimit = (limit: number): Statement.Fragment =>
  commonLimits.has(limit) ? literalInteger(limit) : Statement.fragment([Statement.parameter(limit)])

/** Rows in one INSERT: fast, and far below the protocol's 65,535 parameters. */
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
