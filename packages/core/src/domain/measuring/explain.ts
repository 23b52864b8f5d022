/**
 * Explains a measurement: every occurrence of a term in the raw answer, with the rule that counts or rejects it.
 */
import { scanBlocks } from "./blocks.ts"
import { type Candidate, toCandidate } from "./candidates.ts"
import { foldText, makeLiteralText, toComparisonForm } from "./comparisonForm.ts"
import { matchMentions, type Occurrence } from "./matchMentions.ts"
import { measureWithTerms } from "./measureAnswer.ts"
import type { Measured } from "./Measurement.ts"
import { SEPARATOR } from "./offsetText.ts"
import type { CompiledTerms } from "./terms.ts"
import type { Verdict } from "./verdicts.ts"
import { visibleText } from "./visibleText.ts"

/** A measurement with its reasons. */
export interface Explained {
  readonly measured: Measured
  /**
   * Sorted by `start`, without names inside longer names of the same entity. The accepted candidates are exactly the
   * mentions in `measured`.
   */
  readonly candidates: ReadonlyArray<Candidate>
}

/** Orders candidates by position, longer ones first, accepted ones before others. */
const compareCandidates = (a: Candidate, b: Candidate): number =>
  a.start - b.start || b.end - a.end || Number(b.accepted) - Number(a.accepted)

type Range = readonly [number, number]

const makeOverlapTest = (ranges: ReadonlyArray<Range>) => {
  let next = 0
  /** Whether `[start, end)` overlaps a range; must be called in ascending order of `start`. */
  return (start: number, end: number): boolean => {
    while (next < ranges.length && ranges[next]![1] <= start) next++
    return next < ranges.length && ranges[next]![0] < end
  }
}

/** The ranges that separators replaced: addresses and citations. Images are hidden, so they are not included. */
const findReplacedRanges = (compiled: CompiledTerms, text: string): ReadonlyArray<Range> => {
  const { from, length, to, units } = visibleText(text, (label) => compiled.names.has(toComparisonForm(label)))
  const ranges: Array<Range> = []
  for (let i = 0; i < length; i++) {
    if (units[i] === SEPARATOR && !text.startsWith("![", from[i])) ranges.push([from[i]!, to[i]!])
  }
  return ranges
}

/** Finds occurrences in the raw answer outside its visible text: in markup, addresses and program code. */
const findUnseenOccurrences = (
  compiled: CompiledTerms,
  text: string,
  seen: ReadonlyArray<Candidate>
): ReadonlyArray<Candidate> => {
  const raw = foldText(makeLiteralText(text))
  const all: Array<Occurrence> = []
  const hits = matchMentions(raw, compiled, text, (occurrence) => {
    if (occurrence.verdict !== "insideWord" && occurrence.verdict !== "noHost") all.push(occurrence)
  })
  const isSeen = makeOverlapTest(seen.map(({ end, start }): Range => [start, end]))
  const isCited = makeOverlapTest(findReplacedRanges(compiled, text))
  const isCode = makeOverlapTest(scanBlocks(text).code)
  const found: Array<Candidate> = []
  let last = 0
  for (const occurrence of [...all, ...hits].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const { end, start } = toCandidate(compiled, raw, occurrence)
    if (start < last || isSeen(start, end)) continue
    last = end
    const verdict: Verdict = isCode(start, end) ? "code" : isCited(start, end) ? "citation" : "hidden"
    found.push(toCandidate(compiled, raw, { ...occurrence, verdict }))
  }
  return found
}

/** Keeps only the longest of nested names of one entity, since a reader sees them as one occurrence. */
const removeNested = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const outer = new Map<Candidate["entity"], Candidate>()
  return candidates.filter((found) => {
    const last = outer.get(found.entity)
    if (!found.accepted && last !== undefined && found.end <= last.end) return false
    outer.set(found.entity, found)
    return true
  })
}

/**
 * Measures one answer like {@link measureWithTerms} and explains the result. The explanation also lists occurrences
 * outside the visible text. Like measuring, it never throws and is deterministic.
 */
export const explainWithTerms = (compiled: CompiledTerms, text: string, prompt?: string): Explained => {
  const seen: Array<Candidate> = []
  const measured = measureWithTerms(compiled, text, prompt, (candidate) => seen.push(candidate))
  seen.sort(compareCandidates)
  const candidates = [...seen, ...findUnseenOccurrences(compiled, text, seen)].sort(compareCandidates)
  return { measured, candidates: removeNested(candidates) }
}
