/** The sources in the tool's summary: the pages that the answers rest on, and how far own pages get. */
import { otherQuestions, roundHalfUp, roundOrNull } from "@sov/core/scoring"
import { funnelJson, type Owner, type SourceHighlights } from "@sov/core/sources"
import { Schema } from "effect"
import { Percent, Platform } from "../parameters.ts"
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

const Step = Schema.Struct({
  answers: Schema.Int,
  rate: Percent,
  interval_95: Schema.NullOr(Schema.Struct({ low: Percent, high: Percent }))
})

export const FunnelFigures = Schema.NullOr(Schema.Struct({
  scans: Schema.Int.annotate({ description: "Scans with such answers" }),
  platforms: Schema.Array(Platform).annotate({
    description: "The platforms that show which pages they read; no other counts"
  }),
  answers: Schema.Int.annotate({ description: "Answers of these platforms; every rate is of them, per cent" }),
  interval_about: Schema.String,
  steps: Schema.Struct({
    retrieved: Step.annotate({ description: "The platform read a page of the brand" }),
    cited: Step.annotate({ description: "The answer cites one" }),
    named: Step.annotate({ description: "It cites one and names the brand" }),
    named_first: Step.annotate({ description: "It cites one and names the brand before every competitor" })
  }),
  named_only: Schema.Int.annotate({ description: "Answers that name the brand and cite no page of it" })
})).annotate({
  description:
    "How far the brand's own pages get over up to 4 scans; null where no platform shows which pages it read, which is no 0"
})

export const toFunnel = ({ funnel }: SourceHighlights): typeof FunnelFigures.Type => {
  if (funnel === null) return null
  const { steps, ...rest } = funnelJson(funnel)
  const { cited, named, named_first, retrieved } = steps
  return {
    scans: funnel.scanIds.size,
    platforms: funnel.platforms,
    interval_about: otherQuestions,
    ...rest,
    steps: { retrieved: retrieved!, cited: cited!, named: named!, named_first: named_first! }
  }
}

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
