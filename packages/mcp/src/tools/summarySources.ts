/** The sources in the tool's summary: the pages that the answers rest on. */
import { roundHalfUp, roundOrNull } from "@sov/core/scoring"
import type { Owner, SourceHighlights } from "@sov/core/sources"
import { Schema } from "effect"
import { Percent } from "../parameters.ts"
import { Rate } from "./rates.ts"

const maxDomains = 10

export const Sources = Schema.Struct({
  grounded_answers: Schema.Int.annotate({ description: "Answers with a cited or in-text source" }),
  search_rate: Rate.annotate({ description: "Of the answers that could be searched for, per cent" }),
  own_citation_rate: Rate.annotate({ description: "Of the grounded answers, those that cite a page of the brand" }),
  named_not_cited: Rate.annotate({ description: "Answers that name the brand and cite no page of it, per cent" }),
  cited_not_named: Rate,
  domains: Schema.Array(Schema.Struct({
    domain: Schema.String,
    answers: Schema.Int,
    share: Percent,
    owner: Schema.NullOr(Schema.String).annotate({ description: "you, a competitor's name, or null for others" })
  })).annotate({ description: `Cited in 3 answers to 2 keywords or more, at most ${maxDomains}` }),
  not_listed: Schema.Int.annotate({
    description:
      "Domains that came less often or are beyond the list: most of the rare ones would be others in another scan"
  }),
  gaps: Schema.Array(Schema.Struct({ domain: Schema.String, rivals: Schema.Array(Schema.String) })).annotate({
    description:
      "Domains cited where a rival is named and the brand is not, by more than chance, over up to 4 scans; often none"
  })
})

const formatOwner = (owner: Owner | null): string | null =>
  owner?.kind === "own" ? "you" : owner?.kind === "competitor" ? owner.name : null

export const toSources = (
  { competitors, domains, gaps, notListed, summary }: SourceHighlights
): typeof Sources.Type => {
  const names = new Map<string, string>(competitors.map(({ id, name }) => [id, name]))
  return {
    grounded_answers: summary.grounded,
    search_rate: roundOrNull(summary.searchRate, 1),
    own_citation_rate: roundOrNull(summary.ownCitationRate, 1),
    named_not_cited: roundOrNull(summary.namedNotCited, 1),
    cited_not_named: roundOrNull(summary.citedNotNamed, 1),
    domains: domains.slice(0, maxDomains).map(({ answers, name, owner, share }) => ({
      domain: name,
      answers,
      share: roundHalfUp(share, 1),
      owner: formatOwner(owner)
    })),
    not_listed: notListed + Math.max(0, domains.length - maxDomains),
    gaps: gaps.map(({ domain, rivals }) => ({ domain, rivals: rivals.map((id) => names.get(id) ?? id) }))
  }
}
