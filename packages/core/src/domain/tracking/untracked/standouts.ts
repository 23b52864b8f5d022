/**
 * What an answer sets apart from its running text: bold words, headings, heads of list items and table rows, heads
 * before a colon.
 */

/** Phrases of one answer, and characters of one phrase: beyond them nobody lists names. */
const maxPhrases = 300
const maxPhraseLength = 90

const linkTargets = /\]\([^()\s]{0,600}(?:\s"[^"]{0,200}")?\)|\]\[[^\]\n]{0,40}\]/g
const bold = /\*\*([^*\n]{2,160})\*\*|__([^_\n]{2,160})__/g
const headLine = /^([ \t]*)>?[ \t]?(?:(#{1,6})[ \t]+|(?:[-*+•·]|\d{1,3}[.)、])[ \t]+|\|[ \t]*)([^\n]{2,220})/gm
/** Ends the head of a list item: `Name: text`, `Name – text`, `Name (text)`, a table cell. */
const headEnd = /[:：|(（]|\s[-–—]\s|[–—]|\s{3,}/u
/** A head in running text, as engines without Markdown write it: `…in price. Acme Pro 3: A light …`. */
const proseHead = /(?:^|[.:!?。！？)\]”"’\n])\s?((?:\p{Lu}|\d\p{Lu})[^.:!?\n,;()]{1,60})[:：](?=\s?\p{L})/gmu

/**
 * The phrases that an answer sets apart, in the order found, Markdown marks gone. Linear in the text and bounded: at
 * most 300 phrases of at most 90 characters.
 */
export const listStandouts = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const add = (phrase: string) => {
    if (found.length >= maxPhrases) return
    const shown = phrase.replace(linkTargets, "").replace(/[®™©℠¹²³]/g, "").replace(/[*_`[\]~\\]+/g, " ").replace(
      /\s+/g,
      " "
    ).trim()
    if (shown.length > 1) found.push(shown.slice(0, maxPhraseLength))
  }
  for (const [, stars, underscores] of text.matchAll(bold)) {
    add(stars ?? underscores!)
    if (found.length >= maxPhrases) break
  }
  for (const [, indent, heading, line] of text.matchAll(headLine)) {
    // Below another item stands what is said of it; a name there is bold, and found so
    if (indent!.length > 1) continue
    const shown = line!.replace(linkTargets, "").replace(/\*\*|__/g, "")
    const end = heading === undefined ? shown.search(headEnd) : -1
    // A list item without a head is a sentence, unless it is as short as a name
    if (end > 0) add(shown.slice(0, end))
    else if (heading !== undefined || shown.length <= 60) add(shown)
    if (found.length >= maxPhrases) break
  }
  for (const [, head] of text.matchAll(proseHead)) {
    add(head!)
    if (found.length >= maxPhrases) break
  }
  return found
}
