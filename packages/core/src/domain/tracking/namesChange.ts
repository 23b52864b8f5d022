/** Changes the tracked names. Each function returns a new tracked set. */
import type { CompetitorId } from "../ids.ts"
import { toEntityTerms } from "../measuring/Measurement.ts"
import type { Brand, Competitor, TrackedSet } from "./TrackedSet.ts"

/** The names of one version of the tracked set. */
export type Names = Pick<TrackedSet, "brand" | "competitors">

/**
 * A change of the names. `brand` replaces all names of the brand, which keeps its id. `competitor` adds a competitor;
 * if one with this name exists, it keeps its id, and its aliases, domains and context words are extended, or replaced
 * with `replace`. `removal` removes a competitor.
 */
export type NamesChange =
  | { readonly kind: "brand"; readonly brand: Omit<Brand, "id"> }
  | { readonly kind: "competitor"; readonly competitor: Omit<Competitor, "id">; readonly replace: boolean }
  | { readonly kind: "removal"; readonly id: CompetitorId }

/** Replaces the names of the brand. `freshId` becomes the brand's id if there is no brand yet. */
export const replaceBrand = (current: Names | null, brand: Omit<Brand, "id">, freshId: Brand["id"]): Names => ({
  brand: { ...toEntityTerms(brand), excludes: brand.excludes, id: current?.brand.id ?? freshId },
  competitors: current?.competitors ?? []
})

/** Adds or changes a competitor. `freshId` is the id for a new name. */
export const putCompetitor = (
  { brand, competitors }: Names,
  { competitor: { aliases, context = [], domains, name }, replace }: Omit<
    Extract<NamesChange, { kind: "competitor" }>,
    "kind"
  >,
  freshId: CompetitorId
): Names => {
  const same = competitors.find((one) => one.name === name)
  const kept = replace ? undefined : same
  const added = {
    id: same?.id ?? freshId,
    ...toEntityTerms({
      name,
      aliases: [...new Set([...kept?.aliases ?? [], ...aliases])],
      domains: [...new Set([...kept?.domains ?? [], ...domains])],
      context: [...new Set([...kept?.context ?? [], ...context])]
    })
  }
  return {
    brand,
    competitors: same === undefined
      ? [...competitors, added]
      : competitors.map((one) => one.id === same.id ? added : one)
  }
}

/** Removes a competitor. */
export const dropCompetitor = ({ brand, competitors }: Names, id: CompetitorId): Names => ({
  brand,
  competitors: competitors.filter((one) => one.id !== id)
})

// Sorts the terms, so that entities whose terms differ only in order are equal
const sortEntity = <A extends Omit<Competitor, "id">>(one: A): A => ({
  ...one,
  aliases: one.aliases.toSorted(),
  domains: one.domains.toSorted(),
  ...(one.context === undefined ? {} : { context: one.context.toSorted() })
})

/** Sorts the terms of the brand, so that brands with the same terms are equal. */
export const sortBrand = (brand: Brand): Brand => ({ ...sortEntity(brand), excludes: brand.excludes.toSorted() })

/** Sorts the terms of a competitor. */
export const sortCompetitor = (competitor: Competitor): Competitor => sortEntity(competitor)

/** Sorts all terms. */
export const sortTerms = ({ brand, competitors }: Names): Names => ({
  brand: sortBrand(brand),
  competitors: competitors.map(sortEntity)
})
