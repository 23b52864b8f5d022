/** Which measurements hold although the tracked names have changed since. */
import type { EntityTerms, Measured, Mention } from "./Measurement.ts"
import { makeNameFilter } from "./nameLetters.ts"
import { type CompiledTerm, compileTerms, type TermOwner } from "./terms.ts"

/** The names that answers were, or are, measured with; competitors are known by their ids. */
export interface MeasuredNames {
  readonly brand: EntityTerms
  readonly competitors: ReadonlyArray<EntityTerms & { readonly id: string }>
  readonly excludes: ReadonlyArray<string>
}

/** How the names differ that an answer was measured with, and is to be measured with. */
export interface TermsChange {
  /**
   * Whether a name that differs may be in an answer, or in the prompt that brought it. Where none is, both sets measure
   * the answer alike.
   */
  readonly mayConcern: (answer: string, prompt: string) => boolean
  /** Of each competitor of the earlier names its number among the later ones; undefined where it is gone. */
  readonly numbers: ReadonlyArray<number | undefined>
}

/** One compiled term: whose it is under both sets of names, and all that it matches by. */
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
    // The form and the spelling of its name say which homonym it has
    const { context, form, homonym } = term
    const key = JSON.stringify({ ...term, owner, homonym: homonym !== undefined })
    return { owner, form, key, shows: context === "shows" }
  }
  return compileTerms(brand, competitors, excludes).terms.map(toKeyed)
}

/** The owners whose context words differ. */
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
 * Compares the names that answers were measured with (`before`) and those that hold (`after`). A measurement rests on
 * the text, on the terms that occur in it, in their order, and on the link labels and prompts that are a name (M3,
 * M12): where no term occurs that one of the sets has alone, it is the same. Context words (M18) decide about the names
 * of their owner, so that these differ with them. Undefined where the terms that both have are in another order: among
 * equals the first wins (M11).
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
 * A measurement of the earlier names as the later ones number their competitors. To be asked only of an answer that the
 * change does not concern (`mayConcern`). Undefined where it mentions a competitor that is gone.
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
