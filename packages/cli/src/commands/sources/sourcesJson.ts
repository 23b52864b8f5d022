/** The views of sources as JSON, for programs. */
import type { Scan } from "@sov/core/scanning"
import { interval95Json, otherQuestions, roundOrNull, simulatedJson } from "@sov/core/scoring"
import type { SourceChange, SourceRates, SourceReport } from "@sov/core/sources"

const ratesJson = ({ answers, grounded, outcomes, ownCitationRate, searchRate }: SourceRates) => ({
  answers,
  grounded,
  search_rate: roundOrNull(searchRate, 1),
  own_citation_rate: roundOrNull(ownCitationRate, 1),
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
  ...simulatedJson(latest.simulated)
})

/** The rates over all platforms and for each platform; `no_sources` lists platforms that report no sources. */
export const summaryJson = ({ summary }: SourceReport) => {
  const { answers: _, grounded: __, ...rates } = ratesJson(summary)
  return {
    ...rates,
    own_citation_interval: interval95Json(summary.ownCitationInterval),
    own_citation_interval_about: otherQuestions,
    named_not_cited: roundOrNull(summary.namedNotCited, 1),
    cited_not_named: roundOrNull(summary.citedNotNamed, 1),
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
