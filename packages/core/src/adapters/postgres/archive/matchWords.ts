/** Finds answers that contain the words of a search, with Postgres' full text search without a language. */
import type { PgClient } from "@effect/sql-pg"
import type { Statement } from "effect/sql"
import { formatWordArray } from "../values.ts"

/**
 * The number of characters of an answer that are searched as words: a longer text may have more words than fit into a
 * `tsvector`.
 */
const searchedLength = 100_000

/** Scripts without spaces between words: texts in these scripts are searched by character. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** Syntax whose words need not occur in the text: an alternative, an exclusion, a tag or an entity. */
const mayBeNoWord = /\bor\b|[-<>&]/i

/**
 * Matches texts that contain all words of a search, in any order; `"two words"` must be adjacent, `-word` must be
 * absent, `or` separates alternatives. Words are not stemmed, and case is ignored. Texts that lack the letters are
 * skipped before the slow step, which splits a text into words and takes twenty times as long.
 */
export const matchWords = (sql: PgClient.PgClient, column: string, search: string): Statement.Fragment => {
  const parts = mayBeNoWord.test(search) ? [] : search.match(/[\p{L}\p{N}]+/gu) ?? []
  const patterns = formatWordArray(parts.map((part) => `%${part}%`))
  const letters = sql`lower(${sql.literal(column)}) like all (lower(${patterns})::text[])`
  return unspaced.test(search) && parts.length > 0 ?
    letters :
    sql`(${letters} and to_tsvector('simple', left(${
      sql.literal(`${column}, ${searchedLength}`)
    })) @@ websearch_to_tsquery('simple', ${search.replaceAll("\0", " ").toWellFormed()}))`
}
