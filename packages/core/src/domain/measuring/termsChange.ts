/** Finds measurements that remain valid after a change of the tracked names. */
import type { EntityTerms, Measured, Mention } from "./Measurement.ts"
import { makeNameFilter } from "./nameLetters.ts"
import { type CompiledTerm, compileTerms, type TermOwner } from "./terms.ts"

/** The names with which answers are measured; ids identify the competitors. */
export interface MeasuredNames {
  readonly brand: EntityTerms
  readonly competitors: ReadonlyArray<EntityTerms & { readonly id: string }>
  readonly excludes: ReadonlyArray<string>
}

/** The effect of replacing one set of names by another. */
export interface TermsChange {
  /**
   * Whether the answer or its prompt may contain a changed name. If not, both sets of names give the same measurement.
   */
  readonly mayConcern: (answer: string, prompt: string) => boolean
  /** The new index of each old competitor; undefined if it was removed. */
  readonly numbers: ReadonlyArray<number | undefined>
}

/** A compiled term with an owner and a key that can be compared between sets of names. */
interface KeyedTerm {
  readonly owner: string
  readonly form: string
  readonly key: string
  readonly shows: boolean
}

const keyTerms = ({ brand, competitors, excludes }: MeasuredNames): ReadonlyArray<KeyedTerm> => {
  const nameOwner = (owner: TermOwner): string => typeof owner === "number" ? competitors[owner]!.id : owner
  const toKeyed = (term: CompiledTerm): KeyedTerm => {
    const owner = nameOwner(term.owner)
    // The form and the name determine the homonym, so the key only contains whether there is one
    const { context, form, homonym } = term
    const key = JSON.stringify({ ...term, owner, homonym: homonym !== undefined })
    return { owner, form, key, shows: context === "shows" }
  }
  return compileTerms(brand, competitors, excludes).terms.map(toKeyed)
}

/** The owners whose context words changed. */
const findOtherContexts = (
  before: ReadonlyArray<KeyedTerm>,
  after: ReadonlyArray<KeyedTerm>
): ReadonlySet<string> => {
  const collect = (terms: ReadonlyArray<KeyedTerm>, owner: string): string =>
    terms.filter((term) => term.shows && term.owner === owner).map(({ key }) => key).sort().join("\n")
  const owners = new Set([...before, ...after].filter(({ shows }) => shows).map(({ owner }) => owner))
  return new Set([...owners].filter((owner) => collect(before, owner) !== collect(after, owner)))
}

/**
 * Compares the names with which answers were measured (`before`) with the current names (`after`). A measurement
 * depends on the text, on the terms in it and their order, and on link labels and prompts that are names (M3, M12). It
 * is the same for both sets if the text has no term that only one of them contains. A change of context words (M18)
 * affects all names of their owner. Undefined if the order of the shared terms changed, because among equal matches the
 * first wins (M11).
 */
export const compareTerms = (before: MeasuredNames, after: MeasuredNames): TermsChange | undefined => {
  const [earlier, later] = [keyTerms(before), keyTerms(after)]
  const otherContexts = findOtherContexts(earlier, later)
  const keysOf = (terms: ReadonlyArray<KeyedTerm>) => new Set(terms.map(({ key }) => key))
  const [earlierKeys, laterKeys] = [keysOf(earlier), keysOf(later)]
  const isKept = (term: KeyedTerm): boolean =>
    earlierKeys.has(term.key) && laterKeys.has(term.key) && !otherContexts.has(term.owner)
  const listKept = (terms: ReadonlyArray<KeyedTerm>) =>
    terms.filter((term) => !term.shows && isKept(term)).map(({ key }) => key).join("\n")
  if (listKept(earlier) !== listKept(later)) return undefined
  const changed = [...earlier, ...later].filter((term) => !term.shows && !isKept(term))
  const mayBeIn = makeNameFilter(changed.map(({ form }) => form))
  return {
    mayConcern: (answer, prompt) => mayBeIn(answer) || mayBeIn(prompt),
    numbers: before.competitors.map(({ id }) => {
      const number = after.competitors.findIndex((one) => one.id === id)
      return number < 0 ? undefined : number
    })
  }
}

/**
 * Converts a measurement to the new indexes of the competitors. Use it only for answers for which `mayConcern` returns
 * false. Undefined if the measurement mentions a removed competitor.
 */
export const renumber = (
  { mentions, ...measured }: Measured,
  { numbers }: Pick<TermsChange, "numbers">
): Measured | undefined => {
  const renumbered = mentions.flatMap((mention): ReadonlyArray<Mention> => {
    const entity = mention.entity === "brand" ? mention.entity : numbers[mention.entity]
    return entity === undefined ? [] : [{ ...mention, entity }]
  })
  return renumbered.length < mentions.length ? undefined : { ...measured, mentions: renumbered }
}
