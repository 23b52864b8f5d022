/**
 * Tags of keywords. They belong to the keyword, not to its answers: a tag that is given today holds for every scan that
 * ever asked the keyword.
 */
import { Schema } from "effect"
import type { KeywordId } from "../ids.ts"

/** The longest tag, in characters (UTF-16 code units). */
export const maxTagLength = 50
/** The most tags of one keyword. */
export const maxTags = 20

/**
 * Tags that every keyword has without being given them: `branded` where the question names the brand itself,
 * `unbranded` where it does not, by the names that are tracked.
 */
export const systemTags = ["branded", "unbranded"] as const
export type SystemTag = typeof systemTags[number]

/**
 * The tag with white space collapsed and trimmed, and accents composed (NFC), so that a tag looks and compares as one.
 */
export const tidyTag = (tag: string): string => tag.normalize("NFC").trim().replace(/\s+/g, " ")

/** What two tags have in common that are the same one: case does not matter, the first spelling is kept. */
export const tagKey = (tag: string): string => tidyTag(tag).toLowerCase()

/** The system tag of this name, in any case; null for every other tag. */
export const findSystemTag = (tag: string): SystemTag | null => systemTags.find((one) => one === tagKey(tag)) ?? null

/** Tags stand in one cell of a CSV file between commas, and spreadsheets put semicolons in their place. */
export const separatesTags = /[,;]/

/** How a sentence ends: what stands behind a comma of a question without quotation marks does, and no tag. */
export const endsSentence = /[?!.？！。؟]$/u

/** Why a text is no tag; null when it is one. */
export const findTagFault = (text: string): string | null => {
  const tag = tidyTag(text)
  if (tag === "" || tag.length > maxTagLength) return `a tag has 1–${maxTagLength} characters`
  if (separatesTags.test(tag)) return "a tag has no comma or semicolon"
  if (endsSentence.test(tag)) return "a tag does not end with a question mark, an exclamation mark or a full stop"
  if (/\p{Cc}/u.test(tag) || !tag.isWellFormed()) return "a tag has no control characters"
  return findSystemTag(tag) === null ? null : `the tag ${tagKey(tag)} is computed: it follows the brand's names`
}

/** A tag as a person gives it to keywords. */
export const Tag = Schema.String.check(
  Schema.makeFilter((text) => findTagFault(text) ?? true)
)

/** A keyword and one of its tags. */
export interface TaggedKeyword {
  readonly keywordId: KeywordId
  readonly tag: string
}
