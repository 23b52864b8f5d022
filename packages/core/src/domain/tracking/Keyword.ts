import { Schema } from "effect"
import { KeywordId } from "../ids.ts"

/** All states of a keyword. */
export const keywordStatuses = ["active", "paused", "archived"] as const

/**
 * `active` keywords are asked, `paused` keywords are not. `archived` keywords are removed from lists but kept, because
 * answers refer to them.
 */
export const KeywordStatus = Schema.Literals(keywordStatuses)
export type KeywordStatus = typeof KeywordStatus.Type

/**
 * Trims the text and collapses white space to single spaces. Keywords with the same tidy text are the same keyword.
 */
export const tidyKeyword = (text: string): string => text.trim().replace(/\s+/g, " ")

/** Maximum length of a search for keywords, in UTF-16 code units. */
export const maxKeywordQuery = 200

/**
 * The prompt that platforms receive: 1–2,000 characters, not only white space, without lone surrogates, and without
 * control characters except tabs and line breaks.
 */
export const KeywordText = Schema.String.check(
  Schema.makeFilter((s) =>
    s.trim() !== "" && s.length <= 2000 && !/[^\P{Cc}\t\r\n]/u.test(s) && s.isWellFormed()
      ? true
      : "must be 1–2,000 characters of text without control characters"
  )
)

/** A tracked prompt. */
export const Keyword = Schema.Struct({
  id: KeywordId,
  text: KeywordText,
  status: KeywordStatus,
  createdAt: Schema.Date
})
export type Keyword = typeof Keyword.Type
