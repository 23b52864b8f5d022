/** Plans the import of a file of keywords, given the existing keywords and tags. */
import type { KeywordId } from "../ids.ts"
import { type Keyword, type KeywordStatus, tidyKeyword } from "./Keyword.ts"
import type { FiledKeyword, RefusedLine } from "./keywordFile.ts"
import type { TaggedKeyword } from "./Tag.ts"
import { makeTagBook, tooManyTags } from "./tagging.ts"

/** A keyword after the import. */
export interface ImportedKeyword {
  readonly id: KeywordId
  readonly text: string
  /** The previous status; null for a new keyword. */
  readonly before: KeywordStatus | null
  status: KeywordStatus
}

/** The changes of an import, and its result for each line. */
export interface ImportPlan {
  /** Number of lines whose keyword was not tracked, because it was new or archived. */
  readonly added: number
  /** Number of lines whose keyword was already tracked, or occurs in an earlier line. */
  readonly existing: number
  readonly refused: ReadonlyArray<RefusedLine>
  /** The keywords of the accepted lines, each once. */
  readonly keywords: ReadonlyArray<ImportedKeyword>
  /** Tags that the import adds. */
  readonly tagged: ReadonlyArray<TaggedKeyword>
}

/**
 * Plans the import. A keyword gets the status that the file states. Without a status, new and archived keywords become
 * active, and others keep their status. Tags are added to the existing ones. `makeId` creates the ids of new keywords.
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
