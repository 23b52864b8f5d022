import { Schema } from "effect"
import { KeywordId } from "../ids.ts"

/** All states of a keyword. */
export const keywordStatuses = ["active", "paused", "archived"] as const

/** `active` keywords are asked; `paused` wait; `archived` are gone from lists but answers still point at them. */
export const KeywordStatus = Schema.Literals(keywordStatuses)
export type KeywordStatus = typeof KeywordStatus.Type

/** A question with single spaces between its words and none round it: two that differ in that only are one. */
export const tidyKeyword = (text: string): string => text.trim().replace(/\s+/g, " ")

/**
 * The question as it is sent: 1–2,000 characters, not only white space, no lone surrogate, and no control characters but
 * tab and line breaks.
 */
export const KeywordText = Schema.String.check(
  Schema.makeFilter((s) =>
    s.trim() !== "" && s.length <= 2000 && !/[^\P{Cc}\t\r\n]/u.test(s) && s.isWellFormed()
      ? true
      : "must be 1–2,000 characters of text without control characters"
  )
)

export const Keyword = Schema.Struct({
  id: KeywordId,
  text: KeywordText,
  status: KeywordStatus,
  createdAt: Schema.Date
})
export type Keyword = typeof Keyword.Type
