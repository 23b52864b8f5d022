/** Measuring an answer: which tracked entities it mentions, how often, in which order, and its stance to the brand. */
import type { EntityTerms, Measured, MeasureInput } from "../Measurement.ts"
import { comparisonForm, type FoldedText, foldText } from "./comparisonForm.ts"
import { findEchoes } from "./echo.ts"
import { type Hit, matchMentions } from "./matchMentions.ts"
import { sentimentOf } from "./sentiment.ts"
import { type CompiledTerms, compileTerms } from "./terms.ts"
import { visibleText } from "./visibleText.ts"

export { comparisonForm } from "./comparisonForm.ts"
export { type CompiledTerms, compileTerms, termConflicts } from "./terms.ts"

/**
 * The version of the measuring rules. Stamp it, with the runtime's ICU version, on every measured row: scores of
 * different versions are not comparable.
 */
export const measureVersion = 1

const read = (compiled: CompiledTerms, text: string): FoldedText =>
  foldText(visibleText(text, (label) => compiled.names.has(comparisonForm(label))))

const withoutEchoes = (
  compiled: CompiledTerms,
  text: FoldedText,
  hits: ReadonlyArray<Hit>,
  prompt: string
): ReadonlyArray<Hit> => {
  const echoes = findEchoes(text, read(compiled, prompt), compiled.names)
  let next = 0
  return hits.filter((hit) => {
    while (next < echoes.length && echoes[next]!.end <= hit.start) next++
    const echo = echoes[next]
    return echo === undefined || hit.start < echo.start
  })
}

/** The rank of the brand by first mention among the entities that are mentioned (M15). */
const positionOf = (hits: ReadonlyArray<Hit>): number | null => {
  const seen = new Set<Hit["entity"]>()
  for (const hit of hits) {
    seen.add(hit.entity)
    if (hit.entity === "brand") return seen.size
  }
  return null
}

/**
 * Measures one answer against compiled terms, so that a scan compiles its tracked entities once. Pure, deterministic
 * and total: any UTF-16 string is measured, in time linear in its length, and nothing in it is obeyed (M13).
 */
export const measureWith = (compiled: CompiledTerms, text: string, prompt?: string): Measured => {
  const folded = read(compiled, text)
  const found = matchMentions(folded, compiled)
  const hits = prompt === undefined || found.length === 0 ? found : withoutEchoes(compiled, folded, found, prompt)
  const count = hits.reduce((sum, hit) => hit.entity === "brand" ? sum + 1 : sum, 0)
  return {
    mentioned: count > 0,
    count,
    position: positionOf(hits),
    sentiment: count > 0 ? sentimentOf(folded, text, hits) : null,
    mentions: hits.map((hit) => ({
      entity: hit.entity,
      start: folded.from[hit.start]!,
      end: folded.to[hit.end - 1]!
    }))
  }
}

/** Measures one answer (rules M1–M16). See {@link measureWith} to measure many answers against the same entities. */
export const measureAnswer = (input: MeasureInput): Measured =>
  measureWith(compileTerms(input.brand, input.competitors, input.excludes), input.text, input.prompt)

/**
 * Whether the prompt itself names the brand, by the same matcher. Answers to branded prompts are measured like all
 * others, but left out of the headline score while any unbranded keyword exists.
 */
export const isBranded = (prompt: string, brand: EntityTerms, excludes: ReadonlyArray<string> = []): boolean =>
  measureAnswer({ text: prompt, brand, competitors: [], excludes }).mentioned
