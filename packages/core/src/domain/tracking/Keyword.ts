import { Schema } from "effect"
import { KeywordId } from "../ids.ts"

/** All states of a keyword. */
export const keywordStatuses = ["active", "paused", "archived"] as const

/**
 * `active` keywords are asked; `paused` ones are not; `archived` ones are removed from lists and kept because answers
 * refer to them.
 */
export const KeywordStatus = Schema.Literals(keywordStatuses)
export type KeywordStatus = typeof KeywordStatus.Type

/**
 * The text with white space collapsed to single spaces and trimmed: two keywords that differ in that only are the same
 * one.
 */
export const tidyKeyword = (text: string): string => text.trim().replace(/\s+/g, " ")

/**
 * The prompt as it is sent to platforms: 1–2,000 characters, not only white space, no lone surrogate, and no control
 * characters except tab and line breaks.
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
