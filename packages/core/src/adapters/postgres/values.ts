/** How values go into columns and come out of them where the driver's own codecs do not decide it. */
import { Array, Effect } from "effect"
import { type SqlClient, type SqlError, Statement } from "effect/sql"
import { toArchivableText } from "../../domain/archive/Answer.ts"

const maxInt4 = 2_147_483_647

/** A number of a provider's answer as an `integer` column can hold it; the payload keeps the exact one. */
export const toInt4 = (value: number | null): number | null =>
  value === null ? null : Math.max(-maxInt4, Math.min(maxInt4, Math.round(value)))

/** Foreign text, or null, as a text or jsonb column can hold it. */
export const storableText = <A extends string | null>(text: A): A =>
  (text === null ? null : toArchivableText(text)) as A

/** Ids as a `uuid[]` literal: the driver would bind an array of strings as `text[]`. */
export const formatUuidArray = (ids: ReadonlyArray<string>): string => `{${ids.join(",")}}`

/** Names of the code, which are words, or integers as an array literal: the driver would encode each alone. */
export const formatWordArray = (words: ReadonlyArray<string | number>): string => `{${words.join(",")}}`

const literal = (text: string): Statement.Fragment => Statement.fragment([Statement.literal(text)])

/**
 * An integer as part of a statement's text. Postgres plans a statement again at each call where a parameter, of which
 * it knows no value, makes it expect more work: most of all in LIMIT. Throws for anything but a safe integer.
 */
export const literalInteger = (value: number): Statement.Fragment => {
  if (!Number.isSafeInteger(value)) throw new RangeError("a literal of a statement must be a safe integer")
  return literal(String(value))
}

/** A boolean, likewise. Throws for anything else. */
export const literalBoolean = (value: boolean): Statement.Fragment => {
  if (typeof value !== "boolean") throw new TypeError("a literal of a statement must be a boolean")
  return literal(String(value))
}

/**
 * Names of the code as a `text[]`, likewise. Throws unless each is a lower-case word of ASCII, as names of platforms
 * are.
 */
export const literalNames = (names: ReadonlyArray<string>): Statement.Fragment => {
  if (!names.every((name) => /^[a-z][a-z0-9_]*$/.test(name))) {
    throw new RangeError("a name of a statement must be a word")
  }
  return literal(`'{${names.join(",")}}'::text[]`)
}

/** Sizes that pages commonly have, and one more for the row that says whether another page follows. */
const commonLimits = new Set([1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].flatMap((size) => [size, size + 1]))

/**
 * What stands after LIMIT: a literal where the number is a common one. Clients choose it, and each literal is another
 * statement of those that a session keeps prepared.
 */
export const literalLimit = (limit: number): Statement.Fragment =>
  commonLimits.has(limit) ? literalInteger(limit) : Statement.fragment([Statement.parameter(limit)])

/** Rows of one INSERT: fast, and far from the protocol's 65,535 parameters. */
const batchSize = 500

/** Runs `insert` for each batch of rows; more than one batch is all or nothing. */
export const inBatches = <A, B, E>(
  sql: SqlClient.SqlClient,
  rows: ReadonlyArray<A>,
  insert: (batch: Array.NonEmptyReadonlyArray<A>) => Effect.Effect<B, E>
): Effect.Effect<ReadonlyArray<B>, E | SqlError.SqlError> => {
  const all = Effect.forEach(Array.chunksOf(rows, batchSize), (batch) => insert(batch))
  return rows.length > batchSize ? sql.withTransaction(all) : all
}
