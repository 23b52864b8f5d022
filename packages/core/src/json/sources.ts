/** Cited sites, gaps and searches as clients see them: `sov sources --json`, and the tables of the dashboard. */
import { roundHalfUp } from "../domain/scoring/Score.ts"
import { type CitedSite, isSteady, type SourceGap } from "../domain/sources/metrics.ts"
import type { Owner } from "../domain/sources/owners.ts"
import type { Search } from "../domain/sources/searches.ts"

/** The owner of a page: `you`, a competitor's name, or null for anybody else. */
export const ownerText = (owner: Owner | null): string | null =>
  owner?.kind === "own" ? "you" : owner?.kind === "competitor" ? owner.name : null

/** A cited domain (`by` "domain") or page. */
export const siteJson = (by: "domain" | "page") => (site: CitedSite) => ({
  [by]: site.name,
  answers: site.answers,
  keywords: site.keywords,
  share: roundHalfUp(site.share, 1),
  owner: ownerText(site.owner),
  names_you: site.namingBrand,
  ...site.samples === null
    ? {}
    : { cited_samples: site.samples.cited, samples: site.samples.of, steady: isSteady(site.samples) },
  listed: site.listed
})

/** A gap, with the names of the rivals. */
export const gapJson = (names: ReadonlyMap<string, string>) => (gap: SourceGap) => ({
  domain: gap.domain,
  rival_only: gap.rivalOnly,
  rival_only_cells: gap.rivalOnlyCells,
  with_you: gap.withBrand,
  with_you_cells: gap.withBrandCells,
  rivals: gap.rivals.map((id) => names.get(id) ?? id),
  probability: Number(gap.probability.toPrecision(2)),
  beyond_chance: gap.proven
})

/** A search, and how many of its platform's answers used it. */
export const searchJson = ({ answers, of, platform, query }: Search) => ({ query, platform, answers, of })
