/** A few lines of an answer for reading in a list: without Markdown marks, with the names that it mentions. */
import type { NamedMention } from "./AnswerDetail.ts"

/** A part of an excerpt: plain text, or a name. */
export interface ExcerptPart {
  readonly text: string
  /** Null for plain text. */
  readonly who: NamedMention["who"] | null
}

/** A part of an answer's text; `cut…` = the text goes on there. */
export interface Excerpt {
  readonly parts: ReadonlyArray<ExcerptPart>
  readonly cutBefore: boolean
  readonly cutAfter: boolean
}

/** Stands for what comes before a part that does not begin a line. */
const inLine = "\u0001"

/** Drops the marks of Markdown and draws white space together. What they mark stays. */
const dropMarks = (text: string, beginsLine: boolean): string =>
  `${beginsLine ? "" : inLine}${text}`
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|(?:[-*+]|\d{1,9}[.)])[ \t]+)/gm, "")
    .replace(/^[ \t]*\|?[ \t:|-]*-{3,}[ \t:|-]*$/gm, " ")
    .replace(/\]\([^()\s]*(?:\s+"[^"]*")?\)/g, "")
    .replace(/\[\d{1,3}\]|!?\[|\]|\*+|__|~~|`+/g, "")
    .replaceAll("|", " ")
    .replace(/\s+/g, " ")
    .replaceAll(inLine, "")

/** Characters before the first name that an excerpt shows, as a part of its length. */
const leadShare = 1 / 4

/** The next white space at or after `at`, so that no word is cut, if it is near. */
const nextGap = (text: string, at: number): number => {
  const gap = text.slice(at, at + 40).search(/\s/)
  return gap === -1 ? at : at + gap
}

/**
 * About `length` characters of the text around its first mention, or from its beginning where it has none near. The
 * mentions are those of this text, in order.
 */
export const makeExcerpt = (text: string, mentions: ReadonlyArray<NamedMention>, length: number): Excerpt => {
  const first = mentions.find(({ who }) => who === "brand") ?? mentions[0]
  const lead = Math.floor(length * leadShare)
  const start = first === undefined || first.start <= length - lead ? 0 : nextGap(text, first.start - lead)
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
