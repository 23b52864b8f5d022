/** The views of sources as JSON, for programs. */
import type { Scan } from "@sov/core/scanning"
import { otherQuestions, roundHalfUp } from "@sov/core/scoring"
import type { SourceChange, SourceRates, SourceReport } from "@sov/core/sources"

const rounded = (value: number | null): number | null => value === null ? null : roundHalfUp(value, 1)

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

/** The members that every view begins with. */
export const headJson = ({ keywords, scans: [latest, ...earlier], summary }: SourceReport) => ({
  as_of: (latest.completedAt ?? latest.startedAt).toISOString(),
  scans: 1 + earlier.length,
  answers: summary.answers,
  grounded: summary.grounded,
  not_read: summary.unread,
  keywords: keywords.length,
  ...latest.simulated ? { simulated: true } : {}
})

/** The rates over all platforms and for each platform; `no_sources` lists platforms that report no sources. */
export const summaryJson = ({ summary }: SourceReport) => {
  const { answers: _, grounded: __, ...rates } = ratesJson(summary)
  const interval = summary.ownCitationInterval
  return {
    ...rates,
    own_citation_interval: interval === null
      ? null
      : { low: rounded(interval.low), high: rounded(interval.high) },
    own_citation_interval_about: otherQuestions,
    named_not_cited: rounded(summary.namedNotCited),
    cited_not_named: rounded(summary.citedNotNamed),
    platforms: Object.fromEntries(
      Object.entries(summary.platforms).map(([platform, own]) => [platform, ratesJson(own)])
    ),
    no_sources: summary.silent
  }
}

/** The changes since the scan before, beyond chance; `up` and `down` count cells. */
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
