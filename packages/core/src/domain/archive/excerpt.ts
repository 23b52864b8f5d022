/** Excerpts of answers for lists: a few lines without Markdown marks, with the mentioned names. */
import type { NamedMention } from "./AnswerDetail.ts"

/** A part of an excerpt: plain text, or a name. */
export interface ExcerptPart {
  readonly text: string
  /** The entity whose name this part is; null for plain text. */
  readonly who: NamedMention["who"] | null
}

/** A part of an answer's text. `cut…` tells whether the text continues beyond that end. */
export interface Excerpt {
  readonly parts: ReadonlyArray<ExcerptPart>
  readonly cutBefore: boolean
  readonly cutAfter: boolean
}

/** A placeholder before a part that does not start at the beginning of a line. */
const inLine = "\u0001"

/** Removes the marks of Markdown, keeps the marked text, and collapses white space. */
const dropMarks = (text: string, beginsLine: boolean): string =>
  `${beginsLine ? "" : inLine}${text}`
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|(?:[-*+]|\d{1,9}[.)])[ \t]+)/gm, "")
    .replace(/^[ \t]*\|?[ \t:|-]*-{3,}[ \t:|-]*$/gm, " ")
    .replace(/\]\([^()\s]*(?:\s+"[^"]*")?\)/g, "")
    .replace(/\[\d{1,3}\]|!?\[|\]|\*+|__|~~|`+/g, "")
    .replaceAll("|", " ")
    .replace(/\s+/g, " ")
    .replaceAll(inLine, "")

/** The share of an excerpt's length that is before the first name. */
const leadShare = 1 / 4

/** The next white space at or after `at`, if it is near, so that no word is cut. */
const nextGap = (text: string, at: number): number => {
  const gap = text.slice(at, at + 40).search(/\s/)
  return gap === -1 ? at : at + gap
}

/** The position of the first word of a search that occurs in the text; null if no word occurs. */
const findWord = (text: string, search: string): number | null => {
  const lower = text.toLowerCase()
  const found = (search.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => lower.indexOf(word))
  return found.find((at) => at !== -1) ?? null
}

/**
 * About `length` characters of the text: around the first searched word that occurs in it, or else around the first
 * mention (of the brand if there is one), or else from the start. `mentions` are those of this text, in order.
 */
export const makeExcerpt = (
  text: string,
  mentions: ReadonlyArray<NamedMention>,
  length: number,
  search = ""
): Excerpt => {
  const first = findWord(text, search) ?? (mentions.find(({ who }) => who === "brand") ?? mentions[0])?.start ?? null
  const lead = Math.floor(length * leadShare)
  const start = first === null || first <= length - lead ? 0 : nextGap(text, first - lead)
  const end = start + length >= text.length ? text.length : nextGap(text, start + length)
  const parts: Array<ExcerptPart> = []
  let at = start
  const push = (to: number, who: ExcerptPart["who"]) => {
    const shown = dropMarks(text.slice(at, to), at === 0 || text[at - 1] === "\n")
    if (shown !== "") parts.push({ text: shown, who })
    at = to
  }
  for (const mention of mentions) {
    if (mention.start < at || mention.end > end) continue
    push(mention.start, null)
    push(mention.end, mention.who)
  }
  push(end, null)
  return { parts, cutBefore: start > 0, cutAfter: end < text.length }
}
