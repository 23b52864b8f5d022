/**
 * Measures an answer: the tracked entities that it mentions, how often and in which order, and its stance toward the
 * brand.
 */
import type { KeywordId } from "../ids.ts"
import type { Keyword } from "../tracking/Keyword.ts"
import type { TrackedSet } from "../tracking/TrackedSet.ts"
import { type Candidate, toCandidate } from "./candidates.ts"
import { type FoldedText, foldText, type FoldWriter, toComparisonForm } from "./comparisonForm.ts"
import { findContexts, type Hit, matchMentions, type Occurrence, type OnUncounted } from "./matchMentions.ts"
import type { EntityTerms, Measured, MeasureInput } from "./Measurement.ts"
import { findEchoes } from "./promptEcho.ts"
import { sentimentOf } from "./sentiment.ts"
import { type CompiledTerms, compileTerms, type TermOwner } from "./terms.ts"
import { visibleText } from "./visibleText.ts"

export type { Candidate } from "./candidates.ts"
export { toComparisonForm } from "./comparisonForm.ts"
export { type CompiledTerms, compileTerms, termConflicts } from "./terms.ts"

/**
 * The version of the measuring rules. Store it with every measurement, together with the runtime's ICU version: scores
 * of different versions are not comparable.
 *
 * 1: the first rules; sentiment in English only. 2: fixes matching errors that labelled cases revealed; sentiment is
 * read in nine languages, and each cue is attributed to the name it describes. 3: names that are not common words count
 * in lower case; names count without their legal form, joined, split, and with the case endings of more languages; the
 * neighbouring words separate some ordinary words from names. 4: an ambiguous spelling counts where its capitals show
 * the name; more company names are separated from words; Finnish gradation; more neighbours of ordinary words. 5: an
 * ambiguous spelling also counts after "Use" and "With" at the start of a sentence; "Uber" does not match "Über". 6: a
 * name that is a common word does not count where its position shows the word; "BMWs", "P & G", "@acme", Greek endings,
 * curly quotation marks; no sentiment in a language without a lexicon. In intervals, the questions of one topic are one
 * observation. 7: the reach of negations and comparisons in sentiment; common words with an article ("a Dove is") or
 * joined with a word do not count.
 */
export const measureVersion = 7

const foldVisibleText = (compiled: CompiledTerms, text: string): FoldWriter => {
  const visible = visibleText(text, (label) => compiled.names.has(toComparisonForm(label)))
  const folded = foldText(visible)
  visible.release()
  return folded
}

/** The owners whose context words occur in the question; undefined without context words or without a question. */
const contextsOf = (compiled: CompiledTerms, prompt: string | undefined): ReadonlySet<TermOwner> | undefined => {
  if (!compiled.hasContext || prompt === undefined) return undefined
  const asked = foldVisibleText(compiled, prompt)
  const contexts = findContexts(asked, compiled)
  asked.release()
  return contexts
}

const removeEchoes = (
  compiled: CompiledTerms,
  text: FoldedText,
  hits: ReadonlyArray<Hit & Occurrence>,
  prompt: string,
  observe: OnUncounted | undefined
): ReadonlyArray<Hit & Occurrence> => {
  const asked = foldVisibleText(compiled, prompt)
  const echoes = findEchoes(text, asked, compiled.names)
  asked.release()
  let next = 0
  return hits.filter((hit) => {
    while (next < echoes.length && echoes[next]!.end <= hit.start) next++
    const echo = echoes[next]
    const counts = echo === undefined || hit.start < echo.start
    if (!counts) observe?.({ ...hit, verdict: "echo" })
    return counts
  })
}

/** The rank of the brand, by first mention, among the mentioned entities (M15). */
const findBrandPosition = (hits: ReadonlyArray<Hit>): number | null => {
  const seen = new Set<Hit["entity"]>()
  for (const hit of hits) {
    seen.add(hit.entity)
    if (hit.entity === "brand") return seen.size
  }
  return null
}

/**
 * Measures one answer against compiled terms, so that a scan compiles its tracked entities only once. Pure and
 * deterministic; never throws. Measures any UTF-16 string in linear time, and ignores instructions in the text (M13).
 *
 * @param explain receives every occurrence in the visible text, whether it counts or not; see `explainWithTerms`
 */
export const measureWithTerms = (
  compiled: CompiledTerms,
  text: string,
  prompt?: string,
  explain?: (candidate: Candidate) => void
): Measured => {
  const folded = foldVisibleText(compiled, text)
  const observe = explain && ((occurrence: Occurrence) => explain(toCandidate(compiled, folded, occurrence)))
  const found = matchMentions(folded, compiled, text, observe, contextsOf(compiled, prompt))
  const hits = prompt === undefined || found.length === 0
    ? found
    : removeEchoes(compiled, folded, found, prompt, observe)
  if (observe !== undefined) hits.forEach(observe)
  const count = hits.reduce((sum, hit) => hit.entity === "brand" ? sum + 1 : sum, 0)
  const measured: Measured = {
    mentioned: count > 0,
    count,
    position: findBrandPosition(hits),
    sentiment: count > 0 ? sentimentOf(folded, text, hits) : null,
    mentions: hits.map((hit) => ({
      entity: hit.entity,
      start: folded.from[hit.start]!,
      end: folded.to[hit.end - 1]!
    }))
  }
  folded.release()
  return measured
}

/**
 * Measures one answer (rules M1–M18). See {@link measureWithTerms} to measure many answers against the same entities.
 */
export const measureAnswer = (input: MeasureInput): Measured =>
  measureWithTerms(compileTerms(input.brand, input.competitors, input.excludes), input.text, input.prompt)

/**
 * Whether the prompt itself names the brand. Brand, competitors and excludes are matched together, so "Delta Dental"
 * names the competitor and not "Delta". Answers to branded prompts are measured like all others, but the headline score
 * leaves them out if there is any unbranded keyword. Context words are ignored, because a question that contains the
 * name asks about it.
 */
export const isBranded = (compiled: CompiledTerms, prompt: string): boolean =>
  measureWithTerms(compiled, prompt).mentioned

const withoutContext = (entity: EntityTerms): EntityTerms => {
  const { context: _, ...terms } = entity
  return terms
}

/** The ids of the branded keywords. */
export const brandedAmong = (
  { brand, competitors }: Pick<TrackedSet, "brand" | "competitors">,
  keywords: Iterable<Pick<Keyword, "id" | "text">>
): ReadonlySet<KeywordId> => {
  const compiled = compileTerms(withoutContext(brand), competitors.map(withoutContext), brand.excludes)
  return new Set([...keywords].filter(({ text }) => isBranded(compiled, text)).map(({ id }) => id))
}
