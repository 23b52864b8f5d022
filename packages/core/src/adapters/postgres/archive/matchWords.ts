/** Answers whose text has the words of a search, in Postgres' full text search without a language. */
import type { PgClient } from "@effect/sql-pg"
import type { Statement } from "effect/sql"
import { formatWordArray } from "../values.ts"

/** Characters of an answer that are searched as words: more may have more words than a `tsvector` takes. */
const searchedLength = 100_000

/** Scripts that put no space between words: their texts are searched for the characters. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** What may stand for no word: an alternative, an exclusion, a tag or an entity. */
const mayBeNoWord = /\bor\b|[-<>&]/i

/**
 * Matches texts that have all words of a search, in any order; `"two words"` stand beside each other, `-word` is
 * absent, `or` offers an alternative. Words are looked for as they are, in either case. A text without the
 * letters is passed over before its words are told apart, which takes twenty times as long.
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
