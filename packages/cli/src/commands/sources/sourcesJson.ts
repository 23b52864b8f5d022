/** What sources say, as programs get it. */
import {
  type CitedSite,
  isSteady,
  type Owner,
  roundHalfUp,
  type Scan,
  type Search,
  type SourceChange,
  type SourceGap,
  type SourceRates,
  type SourceReport
} from "@sov/core"

const rounded = (value: number | null): number | null => value === null ? null : roundHalfUp(value, 1)

/** Whose page: `you`, a competitor's name, or null for anybody else. */
export const ownerText = (owner: Owner | null): string | null =>
  owner?.kind === "own" ? "you" : owner?.kind === "competitor" ? owner.name : null

const ratesJson = ({ answers, grounded, outcomes, ownCitationRate, searchRate }: SourceRates) => ({
  answers,
  grounded,
  search_rate: rounded(searchRate),
  own_citation_rate: rounded(ownCitationRate),
  outcomes: {
    named_and_cited: outcomes.namedAndCited,
    named_only: outcomes.namedOnly,
    cited_only: outcomes.citedOnly,
    neither: outcomes.neither
  }
})

/** What every view begins with. */
export const headJson = ({ keywords, scans: [latest, ...earlier], summary }: SourceReport) => ({
  as_of: (latest.completedAt ?? latest.startedAt).toISOString(),
  scans: 1 + earlier.length,
  answers: summary.answers,
  grounded: summary.grounded,
  keywords: keywords.length,
  ...latest.simulated ? { simulated: true } : {}
})

/** Rates over all platforms and by platform; `no_sources` are platforms that name none to us. */
export const summaryJson = ({ summary }: SourceReport) => {
  const { answers: _, grounded: __, ...rates } = ratesJson(summary)
  const interval = summary.ownCitationInterval
  return {
    ...rates,
    own_citation_interval: interval === null
      ? null
      : { low: rounded(interval.low), high: rounded(interval.high) },
    named_not_cited: rounded(summary.namedNotCited),
    cited_not_named: rounded(summary.citedNotNamed),
    platforms: Object.fromEntries(
      Object.entries(summary.platforms).map(([platform, own]) => [platform, ratesJson(own)])
    ),
    no_sources: summary.silent
  }
}

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

/** A gap, with the rivals' names. */
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

/** What changed since the scan before by more than chance; `up` and `down` count cells. */
export const changesJson = (
  found: { readonly since: Scan; readonly changes: ReadonlyArray<SourceChange> } | null
) =>
  found === null ? null : {
    since: (found.since.completedAt ?? found.since.startedAt).toISOString(),
    domains: found.changes.map(({ domain, down, probability, up }) => ({
      domain,
      up,
      down,
      probability: Number(probability.toPrecision(2))
    }))
  }

export const searchJson = ({ answers, of, platform, query }: Search) => ({ query, platform, answers, of })
