/** Adds tags to keywords, considering the existing tags. */
import type { KeywordId } from "../ids.ts"
import { findTagFault, maxTags, separatesTags, type TaggedKeyword, tagKey, tidyTag } from "./Tag.ts"

/** Groups tags by keyword, in the order of the list. */
export const groupTags = (tagged: ReadonlyArray<TaggedKeyword>): ReadonlyMap<KeywordId, ReadonlyArray<string>> =>
  new Map(
    [...Map.groupBy(tagged, ({ keywordId }) => keywordId)].map(([id, own]) => [id, own.map(({ tag }) => tag)])
  )

/** Reads the tags in a cell of a CSV file: tidied and without duplicates, or the reason why one of them is invalid. */
export const readTagCell = (cell: string): ReadonlyArray<string> | { readonly fault: string } => {
  const tags = new Map<string, string>()
  for (const part of cell.split(separatesTags)) {
    const tag = tidyTag(part)
    if (tag === "") continue
    const fault = findTagFault(tag)
    if (fault !== null) return { fault }
    if (!tags.has(tagKey(tag))) tags.set(tagKey(tag), tag)
  }
  return tags.size > maxTags ? { fault: tooManyTags } : [...tags.values()]
}

/** Why a keyword cannot get another tag. */
export const tooManyTags = `a keyword has at most ${maxTags} tags`

/**
 * Creates a record of the tags of keywords. It gives a tag its first spelling on all keywords, and lets no keyword have
 * too many tags.
 */
export const makeTagBook = (known: ReadonlyArray<TaggedKeyword>) => {
  const spellings = new Map(known.map(({ tag }) => [tagKey(tag), tag]))
  const keysOf = new Map(
    [...Map.groupBy(known, ({ keywordId }) => keywordId)].map(([id, own]) => [
      id,
      new Set(own.map(({ tag }) => tagKey(tag)))
    ])
  )
  /** Adds the tags that the keyword lacks and returns them; null if the keyword would have too many tags. */
  const give = (keywordId: KeywordId, tags: ReadonlyArray<string>): ReadonlyArray<TaggedKeyword> | null => {
    const has = keysOf.get(keywordId) ?? new Set()
    const missing = new Map(tags.map((tag) => [tagKey(tag), tidyTag(tag)]))
    for (const key of has) missing.delete(key)
    if (has.size + missing.size > maxTags) return null
    for (const [key, tag] of missing) if (!spellings.has(key)) spellings.set(key, tag)
    keysOf.set(keywordId, new Set([...has, ...missing.keys()]))
    return [...missing.keys()].map((key) => ({ keywordId, tag: spellings.get(key)! }))
  }
  return { give }
}
