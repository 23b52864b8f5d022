/** What a file of keywords changes, as a function of the keywords and tags that are there. */
import type { KeywordId } from "../ids.ts"
import { type Keyword, type KeywordStatus, tidyKeyword } from "./Keyword.ts"
import type { FiledKeyword, RefusedLine } from "./keywordFile.ts"
import type { TaggedKeyword } from "./Tag.ts"
import { makeTagBook, tooManyTags } from "./tagging.ts"

/** A keyword after the import. */
export interface ImportedKeyword {
  readonly id: KeywordId
  readonly text: string
  /** Null where it is not there yet. */
  readonly before: KeywordStatus | null
  status: KeywordStatus
}

/** What an import does, and what it says of each line. */
export interface ImportPlan {
  /** Lines with a keyword that was not tracked before: a new one, or one that was archived. */
  readonly added: number
  /** Lines with a keyword that was tracked already, or stands in a line before. */
  readonly existing: number
  readonly refused: ReadonlyArray<RefusedLine>
  /** The keywords of the lines that are taken, each once. */
  readonly keywords: ReadonlyArray<ImportedKeyword>
  /** Tags that are given. */
  readonly tagged: ReadonlyArray<TaggedKeyword>
}

/**
 * Plans the import. A status in the file is what the keyword gets; without one a new keyword is active, an archived one
 * becomes active again, and others keep theirs. Tags are given beside those that are there. `makeId` gives ids of new
 * keywords.
 */
export const planImport = (
  known: ReadonlyArray<Keyword>,
  knownTags: ReadonlyArray<TaggedKeyword>,
  filed: ReadonlyArray<FiledKeyword>,
  makeId: () => KeywordId
): ImportPlan => {
  const keywords = new Map<string, ImportedKeyword>()
  for (const { id, status, text } of known) {
    const one = { id, text, before: status, status }
    keywords.set(tidyKeyword(text), one)
    keywords.set(text, one)
  }
  const book = makeTagBook(knownTags)
  const refused: Array<RefusedLine> = []
  const touched = new Set<ImportedKeyword>()
  const tagged: Array<TaggedKeyword> = []
  let added = 0
  let existing = 0
  for (const { line, status, tags, text } of filed) {
    const found = keywords.get(text)
    const keyword = found ?? { id: makeId(), text, before: null, status: status ?? "active" }
    const given = book.give(keyword.id, tags)
    if (given === null) {
      refused.push({ line, reason: tooManyTags })
      continue
    }
    tagged.push(...given)
    const next = status ?? (keyword.status === "archived" && found !== undefined ? "active" : keyword.status)
    if (found === undefined || (keyword.status === "archived" && next !== "archived")) added++
    else existing++
    keyword.status = next
    keywords.set(text, keyword)
    touched.add(keyword)
  }
  return {
    added,
    existing,
    refused,
    keywords: [...touched],
    tagged
  }
}
