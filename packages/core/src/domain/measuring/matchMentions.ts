/**
 * Selects mentions among occurrences (M2, M10, M11): checks case and boundaries, then selects the leftmost and longest
 * across all entities.
 */
import { Boundaries } from "./boundaries.ts"
import { CLASS_NONE, classOf, isAsciiAlphanumeric, pointBefore } from "./characters.ts"
import { type FoldedText, WRITTEN_LOWER, WRITTEN_UPPER } from "./comparisonForm.ts"
import { isOrdinaryWord } from "./homonyms.ts"
import { opensCommand } from "./imperatives.ts"
import type { Mention } from "./Measurement.ts"
import { placeOf } from "./namePlaces.ts"
import { SPACE } from "./offsetText.ts"
import type { CompiledTerm, CompiledTerms, TermOwner } from "./terms.ts"
import { type Verdict, verdicts } from "./verdicts.ts"
import { isWordPlace } from "./wordPlaces.ts"

/** A mention as a range of the folded text, for the rules applied afterwards (prompt echo, stance). */
export interface Hit {
  readonly entity: Mention["entity"]
  readonly start: number
  readonly end: number
}

/** One occurrence of a term, as a range of folded units, with the reason why it counts or does not. */
export interface Occurrence {
  /** The index into {@link CompiledTerms.terms}. */
  readonly term: number
  readonly start: number
  readonly end: number
  readonly verdict: Verdict
}

/** Receives each occurrence that does not count. */
export type OnUncounted = (occurrence: Occurrence) => void

const DOT = 0x2e
const HYPHEN = 0x2d

const isHostUnit = (unit: number): boolean => isAsciiAlphanumeric(unit) || unit === DOT || unit === HYPHEN

/**
 * Whether the unit is part of addresses, paths, identifiers or command options: `/`, `@`, `\`, `=` or `$`. Sentence
 * punctuation and emphasis marks are not.
 */
const isMachineMark = (unit: number | undefined): boolean =>
  unit === 0x2f || unit === 0x40 || unit === 0x5c || unit === 0x3d || unit === 0x24
const maxHostLength = 253

/** Whether the word at `[start, end)` is an account name: `@acme`, but not `me@acme` or `@acme/core`. */
const isHandle = ({ length, units }: FoldedText, start: number, end: number): boolean =>
  units[start - 1] === 0x40 && (start < 2 || !isHostUnit(units[start - 2]!)) && !isMachineMark(units[end]) &&
  (end >= length || !isHostUnit(units[end]!) || (units[end] === DOT && !isHostUnit(units[end + 1] ?? 0)))

/**
 * Whether the word at `[start, end)` is part of an address, a path, an identifier or an option rather than of prose.
 */
const isInAddress = (text: FoldedText, start: number, end: number): boolean => {
  const { length, units } = text
  if (isHandle(text, start, end)) return false
  let from = start
  while (from > 0 && start - from < maxHostLength && isHostUnit(units[from - 1]!)) from--
  let to = end
  while (to < length && to - end < maxHostLength && isHostUnit(units[to]!)) to++
  while (to > end && !isAsciiAlphanumeric(units[to - 1]!)) to--
  if (units[from] === HYPHEN || isMachineMark(units[from - 1]) || (units[to] === 0x28 && to === end)) return true
  if (isMachineMark(units[to])) return true
  for (let i = from; i < to; i++) if (units[i] === DOT && (i < start || i >= end)) return true
  return false
}

const fitsCase = (
  text: FoldedText,
  boundaries: Boundaries,
  { capitals, caseRule, wordIn }: CompiledTerm,
  start: number,
  end: number
): boolean => {
  if (caseRule === "any") return true
  const exact = caseRule === "asWritten" || caseRule === "humped"
  if (exact && !capitals.every((at) => text.written[start + at] === WRITTEN_UPPER)) return false
  if (caseRule === "asWritten") return true
  let written = 0
  for (let i = start; i < end; i++) written |= text.written[i]!
  if (caseRule === "humped") return (written & WRITTEN_LOWER) !== 0
  // "BMWs" matches, but "BMWS" does not
  if (caseRule === "capitals") {
    return (written & WRITTEN_LOWER) === 0 && (end >= text.length || text.written[end] !== WRITTEN_UPPER)
  }
  if ((written & WRITTEN_UPPER) !== 0) return true
  const lower = caseRule === "prose" || (wordIn !== undefined && boundaries.isForeignTo(wordIn))
  return lower && !isInAddress(text, start, end)
}

/** Whether the domain at `[start, end)` is the end of a host, and not part of a longer or different host (M2). */
const isWholeHost = (text: FoldedText, start: number, end: number): boolean => {
  const { units, length } = text
  if (start > 1 && units[start - 1] === HYPHEN && classOf(pointBefore(units, start - 1)) !== CLASS_NONE) return false
  if (units[start - 1] === 0x40) return false
  let stop = end
  while (stop < length && stop - end < maxHostLength && isHostUnit(units[stop]!)) stop++
  while (stop > end && !isAsciiAlphanumeric(units[stop - 1]!)) stop--
  for (let i = end; i < stop; i++) {
    // "acme.com.Then" is a sentence without a space, "acme.com.evil.io" is another host
    if (units[i] === DOT && (text.written[i + 1]! & WRITTEN_UPPER) === 0) return false
  }
  return true
}

/**
 * Whether the text spells the host exactly, because the search treats space and hyphen as equal. A host has no spaces,
 * so a space in its comparison form means a hyphen.
 */
const isSpelledAsHost = (text: FoldedText, start: number, form: string): boolean => {
  for (let i = 0; i < form.length; i++) {
    const wanted = form.charCodeAt(i)
    if (text.units[start + i]! !== (wanted === SPACE ? HYPHEN : wanted)) return false
  }
  return true
}

/** The verdict on one occurrence; `open` or `doubtful` if another occurrence in the text decides. */
const verdictOf = (
  text: FoldedText,
  boundaries: Boundaries,
  term: CompiledTerm,
  start: number,
  end: number,
  raw: string
): Verdict | "open" | "doubtful" => {
  if (term.domain && !isSpelledAsHost(text, start, term.form)) return "noHost"
  const fit = boundaries.fit(start, end, term)
  if (fit === "none") return "insideWord"
  if (!fitsCase(text, boundaries, term, start, end)) return "spelling"
  if (term.domain) return isWholeHost(text, start, end) ? "host" : "foreignHost"
  if (term.verb && opensCommand(text, start, end)) return "verb"
  if (term.homonym !== undefined && isOrdinaryWord(text, term.homonym, start, end, raw)) return "word"
  if (term.doubtful && !term.placed && isWordPlace(text, start, end, fit === "ending")) return "doubtful"
  if (term.placed) {
    const place = placeOf(text, start, end)
    return place === "name" ? "form" : place === "open" ? "open" : "place"
  }
  return fit === "ending" ? "ending" : term.derived ? "form" : "name"
}

/**
 * Whether an occurrence blocks its text, so that no other term matches there. A foreign host also does, so that no name
 * is found inside it.
 */
const takesText = (verdict: Verdict): boolean => verdicts[verdict].accepted || verdict === "foreignHost"

/** The owners whose context words occur in a text (M18). */
export const findContexts = (text: FoldedText, compiled: CompiledTerms): ReadonlySet<TermOwner> => {
  const boundaries = new Boundaries(text)
  const shown = new Set<TermOwner>()
  compiled.automaton.search(text.units, text.length, (term, start, end) => {
    const found = compiled.terms[term]!
    if (found.context === "shows" && boundaries.fit(start, end, found) !== "none") shown.add(found.owner)
  })
  return shown
}

const noContexts: ReadonlySet<TermOwner> = new Set()

/**
 * Finds all mentions in folded text, in order of start; among equal matches, the term registered first wins. `observe`
 * receives every occurrence that does not count. `raw` is the answer as received; `asked` contains the owners whose
 * context words occur in the question.
 */
export const matchMentions = (
  text: FoldedText,
  compiled: CompiledTerms,
  raw: string,
  observe?: OnUncounted,
  asked: ReadonlySet<TermOwner> = noContexts
): ReadonlyArray<Hit & Occurrence> => {
  const boundaries = new Boundaries(text)
  const contexts = new Set(asked)
  let takers: Array<Occurrence> = []
  const open: Array<Occurrence> = []
  const doubtful: Array<Occurrence> = []
  const shown = new Set<number>()
  compiled.automaton.search(text.units, text.length, (term, start, end) => {
    const found = compiled.terms[term]!
    if (found.context === "shows") {
      if (!contexts.has(found.owner) && boundaries.fit(start, end, found) !== "none") contexts.add(found.owner)
      return
    }
    const verdict = verdictOf(text, boundaries, found, start, end, raw)
    if (verdict === "open") {
      open.push({ term, start, end, verdict: "place" })
      return
    }
    if (verdict === "doubtful") {
      doubtful.push({ term, start, end, verdict: "word" })
      return
    }
    if (verdict === "host") contexts.add(found.owner)
    if (found.placed && verdict === "form") shown.add(term)
    const occurrence = { term, start, end, verdict }
    if (takesText(verdict)) takers.push(occurrence)
    else observe?.(occurrence)
  })
  for (const occurrence of open) {
    if (shown.has(occurrence.term)) takers.push({ ...occurrence, verdict: "form" })
    else observe?.(occurrence)
  }
  // If one occurrence is clearly the name, all doubtful occurrences count as the name
  const doubted = new Set(doubtful.map(({ term }) => term))
  const certain = new Set(
    takers.filter(({ end, start, term }) => doubted.has(term) && placeOf(text, start, end) === "name").map(({ term }) =>
      term
    )
  )
  for (const occurrence of doubtful) {
    if (certain.has(occurrence.term)) takers.push({ ...occurrence, verdict: "name" })
    else observe?.(occurrence)
  }
  if (compiled.hasContext) {
    takers = takers.filter((taker) => {
      const { context, owner } = compiled.terms[taker.term]!
      const counts = context !== "needs" || contexts.has(owner)
      if (!counts) observe?.({ ...taker, verdict: "context" })
      return counts
    })
  }
  const rank = ({ verdict }: Occurrence): number => verdict === "foreignHost" ? 0 : 1
  takers.sort((a, b) => a.start - b.start || b.end - a.end || rank(a) - rank(b) || a.term - b.term)
  const hits: Array<Hit & Occurrence> = []
  let consumed = 0
  for (const taker of takers) {
    if (taker.start < consumed) {
      observe?.({ ...taker, verdict: "overlap" })
      continue
    }
    consumed = taker.end
    const { owner } = compiled.terms[taker.term]!
    if (taker.verdict === "foreignHost") observe?.(taker)
    else if (owner === "exclude") observe?.({ ...taker, verdict: "excluded" })
    else hits.push({ ...taker, entity: owner })
  }
  return hits
}
