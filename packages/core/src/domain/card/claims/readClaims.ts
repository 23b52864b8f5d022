/**
 * Compares an answer with the facts of a business card (docs/business-card.md): finds statements about a fact near the
 * brand's name, and compares each with the card. It applies rules for eight languages, takes time linear in the
 * answer's length, and never follows instructions in the answer. A statement contradicts the card only if nothing in
 * its sentence can refer to another subject, time or speaker.
 */
import { toComparisonForm } from "../../measuring/comparisonForm.ts"
import { measureWithTerms } from "../../measuring/measureAnswer.ts"
import { NEWLINE, type OffsetText } from "../../measuring/offsetText.ts"
import { type Block, splitIntoBlocks } from "../../measuring/stance/structure.ts"
import type { CompiledTerms } from "../../measuring/terms.ts"
import { visibleText } from "../../measuring/visibleText.ts"
import type { CheckedFact } from "./checkedFacts.ts"
import { type Candidate, candidatesOf, compare } from "./values.ts"
import {
  comparedAfter,
  condition,
  genitive,
  hypothetical,
  isFiller,
  negationWords,
  otherRole,
  otherTimeWords,
  past
} from "./words.ts"

/** How an answer's statement about a fact compares with the card; an answer without such a statement has no verdict. */
export type ClaimVerdict = "agrees" | "contradicts" | "out_of_date"

/** A statement about a fact: the first one in the answer with this verdict. */
export interface Claim {
  /** The name of the fact. */
  readonly fact: string
  readonly verdict: ClaimVerdict
  /** The value that the answer states, in its own words. */
  readonly stated: string
  /** The sentence in the raw answer, at `[start, end)` in UTF-16 code units. */
  readonly quote: string
  readonly start: number
  readonly end: number
}

/**
 * Longer sentences are skipped. They are lists or not prose, and it is unclear which of their parts belong together.
 */
const maxSentence = 400
/** Maximum number of sentences that are read per answer. */
const maxSentences = 2_000

interface Span {
  readonly start: number
  readonly end: number
}
interface Name extends Span {
  readonly own: boolean
}

/** One sentence of the visible text, and the tracked names in it. */
interface Sentence {
  readonly text: string
  /** The sentence's offset in the visible text. */
  readonly at: number
  readonly names: ReadonlyArray<Name>
  /** The heading above the sentence, if the heading is about the brand alone and the sentence contains no name. */
  readonly heading: string | null
}

/** Converts special white space and full-width digits to plain ones, unit for unit, which keeps offsets valid. */
const plain = (unit: number): number =>
  unit === 0xa0 || unit === 0x202f || unit === 0x2009 || unit === NEWLINE
    ? 0x20
    : unit > 0xff0f && unit < 0xff1a
    ? unit - 0xfee0
    : unit

const decode = ({ length, units }: OffsetText): string => {
  let out = ""
  for (let i = 0; i < length; i += 4096) {
    out += String.fromCharCode(...units.subarray(i, Math.min(length, i + 4096)).map(plain))
  }
  return out
}

/** The end of a sentence: a full stop before a space and a capital, unless an abbreviation or a number precedes it. */
const sentenceEnd = /(?<=[\p{L}\p{N})"”»’%€$]{2})[.!?]+["”»“]?(?=\s+["“„«(*]?[\p{Lu}\p{N}])|[。！？]」?/gu
const abbreviation = /(?:^|[\s(])(?:ca|approx|Inc|Ltd|Co|Corp|Mr|Mrs|Dr|Nr|No|St|bzw|usw|etc|Art|Tel|Sr|Sra)$/u

const sentencesOf = (block: string): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  let start = 0
  for (const { 0: mark, index } of block.matchAll(sentenceEnd)) {
    if (abbreviation.test(block.slice(Math.max(start, index - 12), index))) continue
    spans.push({ start, end: index + mark.length })
    start = index + mark.length
  }
  if (start < block.length) spans.push({ start, end: block.length })
  return spans
}

/** The first index of `from` whose offset is at least `offset`. The offsets never decrease. */
const indexOf = ({ from, length }: OffsetText, offset: number): number => {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (from[middle]! < offset) low = middle + 1
    else high = middle
  }
  return low
}

/** Maximum length of a block that can be the heading of the text below it. */
const maxHeading = 80

/**
 * The headings, titles and items that contain the current block; `text` is null if one is not about the brand alone.
 */
class Headings {
  private readonly above: Array<{ readonly level: number; readonly text: string | null }> = []

  /** Returns the innermost heading above `block`, and adds the block itself. */
  enter(block: Block, text: string, names: ReadonlyArray<Name>): string | null {
    while (this.above.length > 0 && this.above.at(-1)!.level >= block.level) this.above.pop()
    const heading = this.above.at(-1)?.text ?? null
    const opens = block.kind !== "cell" && block.level !== Infinity && (block.kind !== "text" || text.endsWith(":"))
    if (opens) {
      const own = names.length > 0 && names.every(({ own }) => own) && text.length <= maxHeading
      // "Price: 5 €" below a name is not about another thing, but "2. Other name" ends the scope of the name above
      this.above.push({
        level: block.level,
        text: own ? text : names.length === 0 && /[:：]/.test(text) ? heading : null
      })
    }
    return heading
  }
}

const readSentences = (
  raw: string,
  visible: OffsetText,
  text: string,
  compiled: CompiledTerms
): ReadonlyArray<Sentence> => {
  const names = measureWithTerms(compiled, raw).mentions.map(({ end, entity, start }): Name => ({
    start: indexOf(visible, start),
    end: indexOf(visible, end),
    own: entity === "brand"
  }))
  const sentences: Array<Sentence> = []
  const headings = new Headings()
  let next = 0
  for (const block of splitIntoBlocks(visible, raw)) {
    const inBlock: Array<Name> = []
    while (next < names.length && names[next]!.start < block.end) inBlock.push(names[next++]!)
    const content = text.slice(block.start, block.end)
    const heading = headings.enter(block, content, inBlock)
    let read = 0
    for (const { end, start } of sentencesOf(content)) {
      if (end - start > maxSentence || sentences.length >= maxSentences) continue
      const at = block.start + start
      const inside: Array<Name> = []
      for (; read < inBlock.length && inBlock[read]!.end <= block.start + end; read++) {
        const name = inBlock[read]!
        if (name.start >= at) inside.push({ ...name, start: name.start - at, end: name.end - at })
      }
      const below = inside.length === 0 && inBlock.length === 0 && block.kind !== "cell" ? heading : null
      if (inside.length > 0 || below !== null) {
        sentences.push({ text: content.slice(start, end), at, names: inside, heading: below })
      }
    }
  }
  return sentences
}

const quoted = /"[^"]*"|“[^”]*”|„[^“”"]*[“”"]|«[^»]*»|「[^」]*」|»[^«]*«/gu

/** Whether a position is within quotation marks, so that somebody else is speaking. */
const isQuoted = (sentence: string, at: number): boolean =>
  [...sentence.matchAll(quoted)].some(({ 0: part, index }) => index < at && at < index + part.length)

const allMatches = (pattern: RegExp, sentence: string): ReadonlyArray<Span> =>
  [...sentence.matchAll(pattern)].slice(0, 20).map(({ 0: part, index }) => ({ start: index, end: index + part.length }))

/**
 * Removes a description between commas right after a name, which is not about others: "Acme, a maker of anvils, was …".
 */
const withoutApposition = (gap: string): string => gap.replace(/^\s*,[^,;:.]{1,80},/u, " ")

/** The texts between spans, in the order of the sentence; there is no text between overlapping spans. */
const gapsBetween = (sentence: string, spans: ReadonlyArray<Span>): ReadonlyArray<string> => {
  const sorted = spans.toSorted((a, b) => a.start - b.start)
  return sorted.slice(1).flatMap(({ start }, i) => {
    const before = Math.max(...sorted.slice(0, i + 1).map(({ end }) => end))
    return start > before ? [withoutApposition(sentence.slice(before, start))] : []
  })
}

const overlaps = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end

/** Matches where one clause ends and another begins, which may have another subject. */
const clauseEnd =
  /[;–—]|,\s|\s(?:while|whereas|but|and|während|aber|und|tandis|mais|et|pero|mientras|y|mentre|ma|mas|enquanto|terwijl|maar|en)\s/giu

/** The clause around a position. */
const clauseAround = (sentence: string, { end, start }: Span): Span => {
  let from = 0
  for (const { 0: mark, index } of sentence.matchAll(clauseEnd)) {
    if (index >= end) return { start: from, end: index }
    if (index + mark.length <= start) from = index + mark.length
  }
  return { start: from, end: sentence.length }
}

/** Whether the statement is about this name: nothing in the sentence can refer to another subject. */
const isAbout = (sentence: Sentence, subject: Span, others: ReadonlyArray<Span>): boolean => {
  const { text } = sentence
  const before = text.slice(Math.max(0, subject.start - 40), subject.start)
  if (otherRole.test(before) || comparedAfter.test(text.slice(subject.end, subject.end + 8))) return false
  const first = Math.min(...others.map(({ start }) => start))
  if (genitive.test(before) && first > subject.start) return false
  const rivals = sentence.names.filter(({ own }) => !own)
  const clause = clauseAround(text, others.at(-1)!)
  if (rivals.some((rival) => overlaps(rival, clause)) || (rivals.length > 0 && !overlaps(subject, clause))) return false
  return gapsBetween(text, [subject, ...others]).every(isFiller)
}

const isYear = /(?<![\p{L}\p{N}.,€$£-])((?:19|20)\d\d)(?![\p{N}%€$£])/u

/** Whether the statement is about the present and is asserted as true. */
const isAsserted = ({ text }: Sentence, fact: CheckedFact, value: Span): boolean => {
  if (/[?？]\s*$/u.test(text) || isQuoted(text, value.start)) return false
  if (hypothetical.test(text) || condition.test(text)) return false
  if (fact.kind === "year" || fact.lasting) return true
  const outside = text.slice(0, value.start) + text.slice(value.end)
  const said = isYear.exec(outside)
  return !otherTimeWords.test(outside) && !past.test(outside) && (said === null || Number(said[1]) >= fact.since)
}

interface Statement {
  readonly verdict: ClaimVerdict
  readonly stated: string
}

/** Whether a heading contains exactly this name and not a longer one: "Acme One" does not match "Acme One Pro". */
const isWholeName = (about: RegExp, heading: string): boolean =>
  allMatches(about, heading).some(({ end }) => /^\s*(?:[(:–—-].*)?$/u.test(heading.slice(end)))

/** The subjects of a fact that occur in the sentence; the start of the sentence if its heading is about the subject. */
const subjectsIn = (sentence: Sentence, fact: CheckedFact): ReadonlyArray<Span> => {
  const own = fact.about === null
    ? sentence.names.filter(({ own }) => own)
    : allMatches(fact.about, sentence.text)
  const { heading } = sentence
  const isBelow = heading !== null && !fact.inSentence && (fact.about === null || isWholeName(fact.about, heading))
  return own.length > 0 || !isBelow ? own : [{ start: 0, end: 0 }]
}

const nearest = (spans: ReadonlyArray<Span>, to: Span): Span | undefined =>
  spans.toSorted((a, b) => Math.abs(a.start - to.start) - Math.abs(b.start - to.start))[0]

/** Reads a yes/no fact: its words assert it, and a negation in the same clause denies it. */
const readYesNo = (sentence: Sentence, fact: CheckedFact, subjects: ReadonlyArray<Span>): Statement | null => {
  const cue = allMatches(fact.cue, sentence.text)[0]
  const subject = cue === undefined ? undefined : nearest(subjects, cue)
  if (cue === undefined || subject === undefined || !isAsserted(sentence, fact, cue)) return null
  const clause = clauseAround(sentence.text, cue)
  const said = sentence.text.slice(clause.start, clause.end)
  const no = negationWords.test(said)
  const wanted = fact.values[0]!.text === "yes"
  const stated = no ? "no" : "yes"
  if (no !== wanted) {
    const others = sentence.names.some(({ own }) => !own)
    return others || !overlaps(subject, clause) ? null : { verdict: "agrees", stated }
  }
  // Only a negation may come between
  const gaps = gapsBetween(sentence.text, [subject, cue]).map((gap) =>
    gap.replace(new RegExp(negationWords, "giu"), " ")
  )
  const before = sentence.text.slice(Math.max(0, subject.start - 40), subject.start)
  const clear = gaps.every((gap) => isFiller(gap.replace(/\b(?:does|do|did)\b/giu, " ").replaceAll("'", " "))) &&
    !otherRole.test(before) && !genitive.test(before) && sentence.names.every(({ own }) => own)
  return clear ? { verdict: "contradicts", stated } : null
}

/** Reads a choice: exactly one of the options must occur in the sentence. */
const readChoice = (sentence: Sentence, fact: CheckedFact): ReadonlyArray<Candidate> => {
  const found = fact.options.flatMap((option) =>
    allMatches(option.pattern, sentence.text).slice(0, 1).map((span) => ({ ...span, text: option.name }))
  )
  return found.length === 1 ? found : []
}

/** The value that the sentence states for a fact. */
const readStatement = (sentence: Sentence, fact: CheckedFact): Statement | null => {
  const subjects = subjectsIn(sentence, fact)
  if (subjects.length === 0) return null
  if (fact.kind === "yes_no") return readYesNo(sentence, fact, subjects)
  const cues = allMatches(fact.cue, sentence.text)
  if (cues.length === 0 && !fact.cueless) return null
  // Names and job titles are not parts of a person's name: "Acme von Ada Example" names one person
  const unnamed = [...sentence.names, ...fact.kind === "person" ? cues : []].reduce(
    (text, { end, start }) => text.slice(0, start) + "¤".repeat(end - start) + text.slice(end),
    sentence.text
  )
  const candidates = fact.kind === "choice" ? readChoice(sentence, fact) : candidatesOf(fact.kind, fact.unit, unnamed)
  let best: Statement | null = null
  for (const candidate of candidates) {
    const subject = nearest(subjects, candidate)
    if (subject === undefined || negationWords.test(sentence.text) || !isAsserted(sentence, fact, candidate)) continue
    const announced = cues.some((cue) => isAbout(sentence, subject, [cue, candidate])) ||
      (fact.cueless && isAbout(sentence, subject, [candidate]))
    if (!announced) continue
    const stated = sentence.text.slice(candidate.start, candidate.end).trim()
    const compared = fact.values.map((own) => compare(fact.kind, own, candidate))
    if (compared.includes("same")) return { verdict: "agrees", stated }
    if (fact.earlier.some((own) => compare(fact.kind, own, candidate) === "same")) {
      best = { verdict: "out_of_date", stated }
    } else if (compared.length > 0 && compared.every((one) => one === "other")) {
      best ??= { verdict: "contradicts", stated }
    }
  }
  return best
}

const rank: { readonly [V in ClaimVerdict]: number } = { agrees: 2, out_of_date: 1, contradicts: 0 }

/**
 * The statements of an answer about the facts, at most one claim per fact. If sentences differ, agreement takes
 * precedence over an earlier value, and an earlier value over a contradiction.
 */
export const readClaims = (
  raw: string,
  compiled: CompiledTerms,
  facts: ReadonlyArray<CheckedFact>
): ReadonlyArray<Claim> => {
  const visible = visibleText(raw, (label) => compiled.names.has(toComparisonForm(label)))
  const claims = new Map<string, Claim>()
  const text = decode(visible)
  // Most answers contain no word that introduces a fact, so their names need not be found
  const said = facts.filter(({ cue, cueless }) => cueless || text.search(cue) !== -1)
  for (const sentence of said.length === 0 ? [] : readSentences(raw, visible, text, compiled)) {
    for (const fact of said) {
      const known = claims.get(fact.name)
      const one = known?.verdict === "agrees" ? null : readStatement(sentence, fact)
      if (one === null || (known !== undefined && rank[one.verdict] <= rank[known.verdict])) continue
      const start = visible.from[sentence.at]!
      const end = visible.to[sentence.at + sentence.text.length - 1]!
      claims.set(fact.name, { fact: fact.name, ...one, quote: raw.slice(start, end), start, end })
    }
  }
  visible.release()
  return facts.flatMap(({ name }) => claims.get(name) ?? [])
}
