/** Stance toward the brand (M16): a rule core for English that abstains to `neutral` wherever it is not sure. */
import type { Sentiment } from "../Measurement.ts"
import type { FoldedText } from "./comparisonForm.ts"
import type { Hit } from "./matchMentions.ts"
import { NEWLINE, sliceUnits, WALL } from "./offsetText.ts"

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "))

const praise = words(
  "outstanding trustworthy excellent great good best easiest easy reliable fast affordable favorite recommend " +
    "recommended recommends superb impressive solid robust powerful intuitive popular praised love loved perfect " +
    "ideal superior top exceptional fantastic amazing quality safe secure winner leading leader strong generous " +
    "responsive seamless user-friendly helpful smooth accurate durable trusted cheap cheaper cheapest " +
    "well-designed standout versatile"
)
const blame = words(
  "slow buggy overpriced unreliable bad poor worst terrible awful avoid expensive outdated disappointing scam risky " +
    "clunky confusing frustrating mediocre weak flawed broken insecure complaints complaint lawsuit fraud dangerous " +
    "inferior worse unsafe complicated costly pricey crashes unresponsive misleading lacks limited problematic"
)
const negations = words(
  "not no never hardly isn't aren't wasn't weren't doesn't don't didn't can't cannot won't without"
)
/** The entity before the cue wins; the one after it loses. */
const wins = new RegExp(
  "\\b(?:beats?|outperform(?:s|ed)?|surpass(?:es)?|better than|superior to|ahead of|instead of|rather than|" +
    "(?:choose|pick|prefer|recommend) [^.]{0,40} over)\\b"
)
const loses = /\b(?:worse than|inferior to|loses to|behind|falls short of|no match for)\b/
const warnings =
  /\b(?:stay away from|steer clear of|avoid|(?:don't|do not) (?:use|buy|choose)|(?:would not|wouldn't) recommend)\b/
/** Refusals and unknowns are no stance. */
const unknown = new RegExp(
  "\\b(?:no|any|enough|lack) (?:[a-z-]{1,20} )?(?:data|information|details|reviews)\\b|" +
    "\\b(?:cannot|can't|unable to) (?:verify|confirm)\\b"
)
const contrasts = /;|\b(?:but|however|although|though|whereas|while|yet)\b/
const BRAND = "\u0002"
const RIVAL = "\u0003"
const joined = new RegExp(`([${BRAND}${RIVAL}](?:,? ?(?:and|or|&|,) ?[${BRAND}${RIVAL}])+)`, "g")

/** Sentences that name the brand, with every hit as one mark. One pass over text and hits. */
const brandSentences = (text: FoldedText, hits: ReadonlyArray<Hit>): ReadonlyArray<string> => {
  // The answer may contain the marks themselves, and must not pass for a hit by it.
  const plain = (from: number, to: number): string => sliceUnits(text, from, to).replace(/[\u0002\u0003]/g, " ")
  const sentences: Array<string> = []
  let next = 0
  let start = 0
  for (let i = 0; i <= text.length; i++) {
    const unit = i < text.length ? text.units[i]! : WALL
    const stop = unit === 0x2e || unit === 0x21 || unit === 0x3f
    const follower = text.units[i + 1] ?? WALL
    const ends = unit === WALL || unit === NEWLINE || (stop && (i + 1 >= text.length || follower <= 0x20))
    if (!ends) continue
    let sentence = ""
    let at = start
    for (; next < hits.length && hits[next]!.start < i; next++) {
      const hit = hits[next]!
      sentence += plain(at, hit.start) + (hit.entity === "brand" ? BRAND : RIVAL)
      at = hit.end
    }
    if (sentence.includes(BRAND)) sentences.push(sentence + plain(at, Math.max(at, i)))
    start = i + 1
  }
  return sentences
}

/** +1 or -1 when a comparison in the clause decides for or against the brand, else 0. */
const comparison = (clause: string): number => {
  for (const [cue, sign] of [[wins, 1], [loses, -1]] as const) {
    const found = cue.exec(clause)
    if (found === null) continue
    const before = clause.slice(0, found.index + found[0].length)
    const after = clause.slice(found.index + found[0].length)
    if (before.includes(BRAND) && !after.includes(BRAND)) return sign
    if (after.includes(BRAND) && !before.includes(BRAND)) return -sign
  }
  return 0
}

/** Praise minus blame in words whose nearest entity before (else after) is the brand. */
const valence = (clause: string): number => {
  const tokens = clause.replace(joined, (group) => group.includes(BRAND) ? BRAND : RIVAL)
    .match(/[\u0002\u0003]|[a-z][a-z'-]*/g) ?? []
  let owner = tokens.find((token) => token === BRAND || token === RIVAL)
  let sum = 0
  tokens.forEach((token, index) => {
    if (token === BRAND || token === RIVAL) owner = token
    if (owner !== BRAND) return
    const sign = praise.has(token) ? 1 : blame.has(token) ? -1 : 0
    const negated = sign !== 0 && tokens.slice(Math.max(0, index - 3), index).some((word) => negations.has(word))
    sum += negated ? -sign : sign
  })
  return sum
}

const clauseStance = (clause: string): number => {
  if (unknown.test(clause)) return 0
  if (warnings.test(clause)) return clause.slice(clause.search(warnings)).includes(BRAND) ? -1 : 0
  const compared = comparison(clause)
  return compared !== 0 ? compared : Math.sign(valence(clause))
}

/** The stance of an answer toward the brand, from the clauses about it; `neutral` when mixed, factual or unknown. */
export const sentimentOf = (text: FoldedText, hits: ReadonlyArray<Hit>): Sentiment => {
  let positive = 0
  let negative = 0
  for (const sentence of brandSentences(text, hits)) {
    for (const clause of sentence.split(contrasts)) {
      // A clause about a rival alone says nothing about the brand; one without any name goes on about the brand.
      if (clause.includes(RIVAL) && !clause.includes(BRAND)) continue
      const stance = clause.includes(BRAND) ? clauseStance(clause) : clauseStance(BRAND + clause)
      if (stance > 0) positive++
      if (stance < 0) negative++
    }
  }
  if (positive >= 3 * negative && positive > 0) return "positive"
  return negative >= 3 * positive && negative > 0 ? "negative" : "neutral"
}
