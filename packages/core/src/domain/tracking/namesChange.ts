/** Changes of the names that answers are read for, as functions of the tracked set. */
import type { CompetitorId } from "../ids.ts"
import { toEntityTerms } from "../measuring/Measurement.ts"
import type { Brand, Competitor, TrackedSet } from "./TrackedSet.ts"

/** What a version of the tracked set says. */
export type Names = Pick<TrackedSet, "brand" | "competitors">

/**
 * A change of the names: `brand` replaces all names of the brand, which keeps its id · `competitor` adds a competitor;
 * one that has this name keeps its id and gets aliases, domains and context words beside its own, or with `replace` in
 * place of them · `removal` removes a competitor.
 */
export type NamesChange =
  | { readonly kind: "brand"; readonly brand: Omit<Brand, "id"> }
  | { readonly kind: "competitor"; readonly competitor: Omit<Competitor, "id">; readonly replace: boolean }
  | { readonly kind: "removal"; readonly id: CompetitorId }

/** The names with these of the brand in place of its present ones. `freshId` is for the first brand. */
export const replaceBrand = (current: Names | null, brand: Omit<Brand, "id">, freshId: Brand["id"]): Names => ({
  brand: { ...toEntityTerms(brand), excludes: brand.excludes, id: current?.brand.id ?? freshId },
  competitors: current?.competitors ?? []
})

/** The names with a competitor added or changed. `freshId` is for one that has a new name. */
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

/** The names without this competitor. */
export const dropCompetitor = ({ brand, competitors }: Names, id: CompetitorId): Names => ({
  brand,
  competitors: competitors.filter((one) => one.id !== id)
})

// With terms in a fixed order: two that differ in order only are equal
const sortEntity = <A extends Omit<Competitor, "id">>(one: A): A => ({
  ...one,
  aliases: one.aliases.toSorted(),
  domains: one.domains.toSorted(),
  ...(one.context === undefined ? {} : { context: one.context.toSorted() })
})

/** The brand with its terms in a fixed order, so that two that say the same are equal. */
export const sortBrand = (brand: Brand): Brand => ({ ...sortEntity(brand), excludes: brand.excludes.toSorted() })

/** A competitor with its terms in a fixed order. */
export const sortCompetitor = (competitor: Competitor): Competitor => sortEntity(competitor)

/** Names with all terms in a fixed order. */
export const sortNames = ({ brand, competitors }: Names): Names => ({
  brand: sortBrand(brand),
  competitors: competitors.map(sortEntity)
})
