/** How values go into columns and come out of them where the driver's own codecs do not decide it. */
import { Array, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
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

/** Rows of one INSERT: fast, and far from the protocol's 65,535 parameters. */
const batchSize = 500

/** Runs `insert` for each batch of rows; more than one batch is all or nothing. */
export const inBatches = <A, B>(
  sql: SqlClient.SqlClient,
  rows: ReadonlyArray<A>,
  insert: (batch: Array.NonEmptyReadonlyArray<A>) => Effect.Effect<B, SqlError.SqlError>
): Effect.Effect<ReadonlyArray<B>, SqlError.SqlError> => {
  const all = Effect.forEach(Array.chunksOf(rows, batchSize), (batch) => insert(batch))
  return rows.length > batchSize ? sql.withTransaction(all) : all
}
