/**
 * Reads a block as a sequence of tokens (events): names, cues, and the punctuation that ends segments, clauses and
 * sentences.
 */
import { CLASS_NONE, classOf, pointBefore, readCodePoint } from "../characters.ts"
import { type FoldedText, WRITTEN_LOWER, WRITTEN_UPPER } from "../comparisonForm.ts"
import type { Hit } from "../matchMentions.ts"
import { NEWLINE, sliceUnits, SPACE } from "../offsetText.ts"
import { type CompiledLexicon, cueBit } from "./Lexicon.ts"
import { BRAND, COMPETITOR, NOBODY, type Owner } from "./structure.ts"

/** `comma` ends a segment, `clause` a clause, `stop` and `question` a sentence; `name` and `cue` carry meaning. */
export type EventKind = "name" | "cue" | "comma" | "colon" | "clause" | "stop" | "question" | "foreign"

/** One token of a block; `[start, end)` are folded units. */
export interface StanceEvent {
  readonly kind: EventKind
  readonly start: number
  readonly end: number
  /** The owner of a `name`. */
  readonly owner: Owner
  /** The kinds of a `cue`, as a set of bits. */
  readonly cues: number
}

/** A cue found in the text, before names and punctuation are merged in. */
interface Cue {
  readonly start: number
  readonly end: number
  readonly cues: number
}

const isWord = (text: FoldedText, at: number): boolean =>
  at >= 0 && at < text.length && classOf(readCodePoint(text.units, at, text.length)) !== CLASS_NONE

/** Finds all cues outside names, leftmost-longest. Linear, because an entry reads at most one further word. */
const findCues = (text: FoldedText, hits: ReadonlyArray<Hit>, lexicon: CompiledLexicon): ReadonlyArray<Cue> => {
  const loose = lexicon.source.unspaced === true
  const found: Array<Cue> = []
  let wordEnd = 0
  const endOfWord = (from: number): number => {
    if (from < wordEnd) return wordEnd
    wordEnd = from
    while (isWord(text, wordEnd)) wordEnd++
    return wordEnd
  }
  lexicon.automaton.search(text.units, text.length, (index, start, end) => {
    if (!loose) {
      if (start > 0 && classOf(pointBefore(text.units, start)) !== CLASS_NONE) return
      if (!lexicon.open[index] && isWord(text, end)) return
    }
    const stop = loose ? end : endOfWord(end)
    found.push({ start, end: stop, cues: lexicon.kinds[index]! })
  })
  found.sort((a, b) => a.start - b.start || b.end - a.end)
  const kept: Array<Cue> = []
  let hit = 0
  let consumed = 0
  for (const cue of found) {
    if (cue.start < consumed) continue
    while (hit < hits.length && hits[hit]!.end <= cue.start) hit++
    if (hit < hits.length && hits[hit]!.start < cue.end) continue
    kept.push(cue)
    consumed = cue.end
  }
  return kept
}

const joints =
  /^[\s,\u3001\uff0c]*(?:[\u3001&/()]|(?:and|or|und|oder|et|ou|y|o|e|en|of)\b|[\u3068\u3084\u548c\u4e0e\u53ca])?[\s(]*$/
const conjunctions = /[\p{L}\u3001&/]/u
/** Maximum length of a joint such as ", and ", in units. */
const maxJointLength = 8

/** The owners of names, by group: in "A, B and C" a statement about one name is about all of them. */
const groupOwners = (text: FoldedText, hits: ReadonlyArray<Hit>): ReadonlyArray<Owner> => {
  const own = hits.map((hit) => hit.entity === "brand" ? BRAND : COMPETITOR)
  const owners: Array<Owner> = []
  for (let first = 0; first < hits.length;) {
    let next = first + 1
    let owner = own[first]!
    let isGroup = false
    for (; next < hits.length; next++) {
      const [before, after] = [hits[next - 1]!.end, hits[next]!.start]
      const joint = after - before <= maxJointLength ? sliceUnits(text, before, after) : "."
      if (!joints.test(joint)) break
      // Commas join names only in a group with a conjunction: "unlike A, B is …" is not a group
      isGroup ||= conjunctions.test(joint)
      owner |= own[next]!
    }
    while (owners.length < next) owners.push(isGroup ? owner : own[owners.length]!)
    first = next
  }
  return owners
}

const punctuation = new Map<number, EventKind>([
  [0x2c, "comma"],
  [0x28, "comma"],
  [0x29, "comma"],
  [0x2014, "comma"],
  [0x3001, "comma"],
  [0xff0c, "comma"],
  [0x3a, "colon"],
  [0x2192, "colon"],
  [0x3b, "clause"],
  [0x2e, "stop"],
  [0x21, "stop"],
  [0x3002, "stop"],
  [0x3f, "question"],
  [NEWLINE, "stop"]
])

/**
 * Whether the mark at `at` is a divider. The dots of "3.5" and "acme.com" are not dividers, and neither is a line break
 * within a sentence.
 */
const isDivider = (text: FoldedText, at: number): boolean => {
  const unit = text.units[at]!
  const next = at + 1 < text.length ? text.units[at + 1]! : SPACE
  if (unit === NEWLINE) return (text.written[at + 1]! & WRITTEN_LOWER) === 0
  // The Chinese comma folds to this comma and is not followed by a space
  if (unit === 0x2c) return next < 0x30 || next > 0x39
  if (unit === 0x2e || unit === 0x3a) return next <= SPACE || next > 0x7f || next === 0x22
  return true
}

/** Whether the word at `start` has the capitals of a name within a sentence: "Acme" has, "API" and "I" do not. */
const looksLikeName = (text: FoldedText, start: number, end: number, opens: boolean): boolean => {
  if (end - start < 3) return false
  let capitals = 0
  let small = 0
  for (let i = start + 1; i < end; i++) {
    if ((text.written[i]! & WRITTEN_UPPER) !== 0) capitals++
    else if ((text.written[i]! & WRITTEN_LOWER) !== 0) small++
  }
  return small > 0 && (capitals > 0 || (!opens && (text.written[start]! & WRITTEN_UPPER) !== 0))
}

/** Reads hits and cues block by block. Both are in order, so each is read only once. */
export class EventReader {
  private hit = 0
  private cue = 0
  private readonly owners: ReadonlyArray<Owner>
  private readonly text: FoldedText
  private readonly hits: ReadonlyArray<Hit>
  private readonly cues: ReadonlyArray<Cue>
  private readonly lexicon: CompiledLexicon

  constructor(text: FoldedText, hits: ReadonlyArray<Hit>, lexicon: CompiledLexicon) {
    this.text = text
    this.hits = hits
    this.cues = findCues(text, hits, lexicon)
    this.lexicon = lexicon
    this.owners = groupOwners(text, hits)
  }

  /** The events of `[start, end)`; ranges must be read in ascending order. */
  read(start: number, end: number): ReadonlyArray<StanceEvent> {
    const { cues, hits, text } = this
    const events: Array<StanceEvent> = []
    const push = (kind: EventKind, from: number, to: number, owner: Owner = NOBODY, bits = 0): void => {
      events.push({ kind, start: from, end: to, owner, cues: bits })
    }
    let opens = true
    let i = start
    while (i < end) {
      while (this.cue < cues.length && cues[this.cue]!.start < i) this.cue++
      while (this.hit < hits.length && hits[this.hit]!.start < i) this.hit++
      const hit = hits[this.hit]
      const cue = cues[this.cue]
      if (hit?.start === i) {
        push("name", i, hit.end, this.owners[this.hit]!)
        i = hit.end
        opens = false
      } else if (cue?.start === i) {
        if ((cue.cues & cueBit.but) !== 0 && cue.cues === cueBit.but) push("clause", i, i, NOBODY, cue.cues)
        else push("cue", i, cue.end, NOBODY, cue.cues)
        i = cue.end
        opens = false
      } else if (isWord(text, i)) {
        const from = i
        const limit = Math.min(end, hit?.start ?? end)
        do i++
        while (i < limit && isWord(text, i) && !this.startsCue(i))
        if (this.lexicon.source.capitalNouns !== true && looksLikeName(text, from, i, opens)) push("foreign", from, i)
        opens = false
      } else {
        const kind = punctuation.get(text.units[i]!)
        if (kind !== undefined && isDivider(text, i)) {
          // In Japanese, a question can end like a statement
          push(text.units[i] === 0x3002 && text.units[i - 1] === 0x304b ? "question" : kind, i, i + 1)
          opens = kind !== "comma"
        } else if (this.isDash(i)) push("comma", i, i + 1)
        i++
      }
    }
    return events
  }

  private startsCue(at: number): boolean {
    if (this.lexicon.source.unspaced !== true) return false
    while (this.cue < this.cues.length && this.cues[this.cue]!.start < at) this.cue++
    return this.cues[this.cue]?.start === at
  }

  private isDash(at: number): boolean {
    const { units } = this.text
    return units[at] === 0x2d && units[at - 1] === SPACE && units[at + 1] === SPACE
  }
}
