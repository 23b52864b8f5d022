/** From occurrences to mentions (M2, M10, M11): case, boundaries, then leftmost-longest over all entities together. */
import type { Mention } from "../Measurement.ts"
import { Boundaries } from "./boundaries.ts"
import { CLASS_NONE, classOf, isAsciiAlphanumeric, pointBefore } from "./characters.ts"
import { type FoldedText, WRITTEN_LOWER, WRITTEN_UPPER } from "./comparisonForm.ts"
import { SPACE } from "./offsetText.ts"
import type { CaseRule, CompiledTerm, CompiledTerms } from "./terms.ts"

/** A mention with its place in the folded text, which the later rules (echo, stance) work on. */
export interface Hit {
  readonly entity: Mention["entity"]
  readonly start: number
  readonly end: number
}

interface Candidate {
  readonly term: number
  readonly start: number
  readonly end: number
  /** Takes its text and counts for nobody: an excluded term, or a registered domain inside of a foreign host. */
  readonly silent: boolean
}

const DOT = 0x2e
const HYPHEN = 0x2d

const fitsCase = (text: FoldedText, start: number, end: number, rule: CaseRule): boolean => {
  if (rule === "any") return true
  let written = 0
  for (let i = start; i < end; i++) written |= text.written[i]!
  return rule === "notLower" ? (written & WRITTEN_UPPER) !== 0 : (written & WRITTEN_LOWER) === 0
}

const isHostUnit = (unit: number): boolean => isAsciiAlphanumeric(unit) || unit === DOT || unit === HYPHEN

/** Whether the domain at `[start, end)` is the end of a host, not a part of a longer or foreign one (M2). */
const isWholeHost = (text: FoldedText, start: number, end: number): boolean => {
  const { units, length } = text
  if (start > 1 && units[start - 1] === HYPHEN && classOf(pointBefore(units, start - 1)) !== CLASS_NONE) return false
  if (units[start - 1] === 0x40) return false
  let stop = end
  while (stop < length && stop - end < 253 && isHostUnit(units[stop]!)) stop++
  while (stop > end && !isAsciiAlphanumeric(units[stop - 1]!)) stop--
  for (let i = end; i < stop; i++) {
    // "acme.com.Then" is a sentence without its space, "acme.com.evil.io" another host.
    if (units[i] === DOT && (text.written[i + 1]! & WRITTEN_UPPER) === 0) return false
  }
  return true
}

/** The search takes space and hyphen for one; a host has no spaces, so a space in its form stands for a hyphen. */
const isSpelledAsHost = (text: FoldedText, start: number, form: string): boolean => {
  for (let i = 0; i < form.length; i++) {
    const wanted = form.charCodeAt(i)
    if (text.units[start + i]! !== (wanted === SPACE ? HYPHEN : wanted)) return false
  }
  return true
}

const judge = (
  text: FoldedText,
  boundaries: Boundaries,
  term: CompiledTerm,
  index: number,
  start: number,
  end: number
): Candidate | undefined => {
  if (!fitsCase(text, start, end, term.caseRule)) return undefined
  if (term.domain && !isSpelledAsHost(text, start, term.form)) return undefined
  if (!boundaries.accepts(start, end, term)) return undefined
  const foreign = term.domain && !isWholeHost(text, start, end)
  return { term: index, start, end, silent: foreign || term.owner === "exclude" }
}

/** Finds all mentions in folded text, in order of start. First registered wins where two are equal. */
export const matchMentions = (text: FoldedText, compiled: CompiledTerms): ReadonlyArray<Hit> => {
  const boundaries = new Boundaries(text)
  const candidates: Array<Candidate> = []
  compiled.automaton.search(text.units, text.length, (index, start, end) => {
    const candidate = judge(text, boundaries, compiled.terms[index]!, index, start, end)
    if (candidate !== undefined) candidates.push(candidate)
  })
  const foreign = (candidate: Candidate): number => candidate.silent && compiled.terms[candidate.term]!.domain ? 0 : 1
  candidates.sort((a, b) => a.start - b.start || b.end - a.end || foreign(a) - foreign(b) || a.term - b.term)
  const hits: Array<Hit> = []
  let consumed = 0
  for (const candidate of candidates) {
    if (candidate.start < consumed) continue
    consumed = candidate.end
    const { owner } = compiled.terms[candidate.term]!
    if (!candidate.silent && owner !== "exclude") {
      hits.push({ entity: owner, start: candidate.start, end: candidate.end })
    }
  }
  return hits
}
