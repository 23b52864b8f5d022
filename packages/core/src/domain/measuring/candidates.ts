/**
 * Describes occurrences of terms for an explanation: the term, its place in the raw answer, and the rule that counted
 * or rejected it.
 */
import type { FoldedText } from "./comparisonForm.ts"
import type { Occurrence } from "./matchMentions.ts"
import type { CompiledTerms, TermOwner } from "./terms.ts"
import { type Reason, type Verdict, verdicts } from "./verdicts.ts"

/** One occurrence of a term, whether counted or not; `[start, end)` are UTF-16 offsets into the raw answer. */
export interface Candidate extends Reason {
  /** `brand`, the 0-based index into the competitors, or `exclude`. */
  readonly entity: TermOwner
  /** The name, alias, domain or excluded term as registered. */
  readonly term: string
  readonly start: number
  readonly end: number
  readonly verdict: Verdict
}

/** Converts an occurrence in folded text to a candidate with offsets into the raw answer. */
export const toCandidate = (compiled: CompiledTerms, text: FoldedText, occurrence: Occurrence): Candidate => {
  const { name, owner } = compiled.terms[occurrence.term]!
  return {
    entity: owner,
    term: name,
    start: text.from[occurrence.start]!,
    end: text.to[occurrence.end - 1]!,
    verdict: occurrence.verdict,
    ...verdicts[occurrence.verdict]
  }
}
