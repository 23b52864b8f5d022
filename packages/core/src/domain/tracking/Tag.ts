/**
 * Tags of keywords. A tag belongs to the keyword, not to its answers, so a new tag also applies to all earlier scans of
 * the keyword.
 */
import { Schema } from "effect"
import type { KeywordId } from "../ids.ts"

/** Maximum length of a tag, in characters (UTF-16 code units). */
export const maxTagLength = 50
/**
 * Maximum length of a tag in a search. It exceeds that of tags, so that a search for a tag that cannot exist returns an
 * empty list instead of an error.
 */
export const maxTagFilterLength = 200
/** Maximum number of tags per keyword. */
export const maxTags = 20

/**
 * Tags that every keyword has automatically: `branded` if the question names the tracked brand, otherwise `unbranded`.
 */
export const systemTags = ["branded", "unbranded"] as const
export type SystemTag = typeof systemTags[number]

/**
 * Trims the tag, collapses white space and composes accents (NFC), so that equal tags look and compare equal.
 */
export const tidyTag = (tag: string): string => tag.normalize("NFC").trim().replace(/\s+/g, " ")

/** The key that identifies a tag regardless of case. The first spelling of a tag is kept. */
export const tagKey = (tag: string): string => tidyTag(tag).toLowerCase()

/** The system tag with this name in any case, or null. */
export const findSystemTag = (tag: string): SystemTag | null => systemTags.find((one) => one === tagKey(tag)) ?? null

/** Separators of tags in a cell of a CSV file; spreadsheets use semicolons instead of commas. */
export const separatesTags = /[,;]/

/**
 * Matches the end of a sentence: a cell with it is the rest of an unquoted question after a comma rather than a tag.
 */
export const endsSentence = /[?!.？！。؟]$/u

/** Why a text is not a valid tag; null if it is. */
export const findTagFault = (text: string): string | null => {
  const tag = tidyTag(text)
  if (tag === "" || tag.length > maxTagLength) return `a tag has 1–${maxTagLength} characters`
  if (separatesTags.test(tag)) return "a tag has no comma or semicolon"
  if (endsSentence.test(tag)) return "a tag does not end with a question mark, an exclamation mark or a full stop"
  if (/\p{Cc}/u.test(tag) || !tag.isWellFormed()) return "a tag has no control characters"
  return findSystemTag(tag) === null ? null : `the tag ${tagKey(tag)} is computed: it follows the brand's names`
}

/** A tag that users give to keywords. */
export const Tag = Schema.String.check(
  Schema.makeFilter((text) => findTagFault(text) ?? true)
)

/** A keyword and one of its tags. */
export interface TaggedKeyword {
  readonly keywordId: KeywordId
  readonly tag: string
}
