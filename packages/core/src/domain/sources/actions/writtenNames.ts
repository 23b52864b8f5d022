/**
 * Names that answers write and that are not tracked: other spellings of tracked names, and other brands. Whether they
 * matter is for the rules to decide (findNames.ts).
 */
import { isAlertable } from "../../alerts/newCompetitor.ts"
import { editDistance } from "../../didYouMean.ts"
import type { CompetitorId } from "../../ids.ts"
import { toComparisonForm } from "../../measuring/measureAnswer.ts"
import type { EntityTerms } from "../../measuring/Measurement.ts"
import { offeredSpellings } from "../../measuring/spellings.ts"
import type { Names } from "../../tracking/namesChange.ts"
import type { FoundNames } from "../../tracking/untracked/SuggestionSearch.ts"

/** An untracked name. */
export interface WrittenName {
  readonly name: string
  /** The tracked entity whose spelling it may be; null for another brand. */
  readonly spells: "brand" | CompetitorId | null
}

/** Shorter names have neighbours that are other words. */
const shortest = 5
const maxWords = 4
/**
 * Maximum number of names of each kind that come from answers, and of phrases that are compared: hostile answers
 * contain as many as they like.
 */
const maxNames = 50
const maxPhrases = 50_000

/** Whether two forms differ by one letter after the first: dropped, added, changed or swapped. Numbers tell models. */
const isNear = (form: string, own: string): boolean =>
  form[0] === own[0] && Math.abs(form.length - own.length) <= 1 &&
  form.replace(/\p{N}/gu, "") !== own.replace(/\p{N}/gu, "") && editDistance(form, own) === 1

const capitalised = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]*(?:['’&-][\p{L}\p{N}]+)*/gu

type Entity = Pick<EntityTerms, "name" | "aliases"> & { readonly spells: Exclude<WrittenName["spells"], null> }

const entitiesOf = ({ brand, competitors }: Names): ReadonlyArray<Entity & EntityTerms> => [
  { ...brand, spells: "brand" },
  ...competitors.map((one) => ({ ...one, spells: one.id }))
]

/** Collects phrases of capitalised words that differ from a tracked name by one letter. */
export class NearSpellings {
  private readonly own: ReadonlyArray<{ readonly form: string; readonly spells: Entity["spells"] }>
  private readonly lengths: ReadonlyArray<number>
  private readonly seen = new Set<string>()
  private readonly found = new Map<string, WrittenName>()

  constructor(set: Names) {
    this.own = entitiesOf(set).flatMap(({ aliases, name, spells }) =>
      [name, ...aliases].map((one) => ({ form: toComparisonForm(one), spells }))
    ).filter(({ form }) => form.length >= shortest)
    const words = this.own.map(({ form }) => form.split(" ").length)
    this.lengths = [...new Set(words)].filter((n) => n <= maxWords)
  }

  read(text: string): void {
    const words = [...text.matchAll(capitalised)].map((match) => ({ at: match.index, text: match[0] }))
    for (const length of this.lengths) {
      for (let i = 0; i + length <= words.length; i++) {
        const [first, last] = [words[i]!, words[i + length - 1]!]
        const phrase = text.slice(first.at, last.at + last.text.length)
        if (phrase.split(" ").length !== length || this.seen.has(phrase) || this.seen.size >= maxPhrases) continue
        this.seen.add(phrase)
        const form = toComparisonForm(phrase)
        const near = this.own.filter((one) => isNear(form, one.form))
        // Between two tracked names it could be either, and a tracked name itself counts already
        if (new Set(near.map(({ spells }) => spells)).size !== 1 || this.own.some((one) => one.form === form)) continue
        this.found.set(form, { name: phrase, spells: near[0]!.spells })
      }
    }
  }

  list(): ReadonlyArray<WrittenName> {
    return [...this.found.values()]
  }
}

/**
 * The untracked names to test, from what answers write and a search of them for brands, which come by descending
 * share. Spellings that are offered as aliases need not be in any answer.
 */
export const listWrittenNames = (
  set: Names,
  ignored: ReadonlyArray<string>,
  near: ReadonlyArray<WrittenName>,
  suggestions: FoundNames["suggestions"]
): ReadonlyArray<WrittenName> => {
  const left = new Set([...set.brand.excludes, ...ignored].map(toComparisonForm))
  const offered = entitiesOf(set).flatMap((one) =>
    offeredSpellings(one).map(({ text }) => ({ name: text, spells: one.spells }))
  )
  const others = suggestions.filter(isAlertable).slice(0, maxNames).map(({ name }) => ({ name, spells: null }))
  const found = new Map<string, WrittenName>()
  for (const one of [...others, ...near.slice(0, maxNames), ...offered]) {
    const form = toComparisonForm(one.name)
    if (!left.has(form)) found.set(form, one)
  }
  return [...found.values()]
}
