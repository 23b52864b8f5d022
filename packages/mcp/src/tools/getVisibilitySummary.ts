import { brandedOnlyNote, pluralized } from "@sov/core/common"
import { type PlatformId, platformIds } from "@sov/core/platforms"
import {
  type Asked,
  askedJson,
  describeNotComparable,
  describeTrend,
  formatAsked,
  otherQuestions,
  readVisibilityWithSources,
  roundHalfUp,
  roundPoints,
  type Score,
  summarizeAsked,
  summaryJson,
  type Visibility
} from "@sov/core/scoring"
import type { Owner, SourceHighlights } from "@sov/core/sources"
import { Effect, Schema } from "effect"
import { Percent, Platform, simulated, Time } from "../parameters.ts"
import { defineTool, type ToolOutput } from "../Tool.ts"

const Trend = Schema.Struct({
  previous_scan_id: Schema.String,
  previous_completed_at: Time,
  previous_avg_sov: Percent.annotate({
    description: "Share of voice then, over the cells (keyword × platform) that were answered in both scans"
  }),
  delta: Schema.Finite.annotate({
    description: "Percentage points since then over the cells that were answered in both scans, of unrounded values"
  }),
  direction: Schema.Literals(["up", "down", "flat"]).annotate({
    description: "flat: no more than two scans of an unchanged world differ by"
  }),
  n_cells: Schema.Int.annotate({ description: "Cells that were answered in both scans" }),
  of_cells: Schema.Int.annotate({ description: "Cells of the larger of the two scans" }),
  per_platform: Schema.Array(Schema.Struct({ platform: Platform, delta: Schema.Finite })).annotate({
    description: "The platforms of these cells; a single one may differ by noise"
  })
})

const maxDomains = 10

const Rate = Schema.NullOr(Percent)

const Sources = Schema.Struct({
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

const Output = Schema.Struct({
  status: Schema.Literals(["ok", "no_completed_scan"]),
  scan_id: Schema.NullOr(Schema.String),
  completed_at: Schema.NullOr(Time),
  avg_sov: Schema.NullOr(Percent).annotate({ description: "Mean of the platforms' shares of voice, per cent" }),
  interval_95: Schema.NullOr(Schema.Struct({ low: Percent, high: Percent })).annotate({
    description: "Where avg_sov would lie for other questions like these; null when there are too few topics"
  }),
  interval_about: Schema.NullOr(Schema.String).annotate({ description: "What interval_95 is about, in one phrase" }),
  questions: Schema.NullOr(Schema.Int).annotate({ description: "Keywords with a scored answer" }),
  topics: Schema.NullOr(Schema.Int).annotate({
    description: "Topics of these keywords: keywords that ask the same in other words are one topic"
  }),
  platform_breakdown: Schema.Record(Platform, Schema.optionalKey(Percent)),
  platforms: Schema.Array(Schema.Struct({
    platform: Platform,
    score: Percent,
    mentioned: Schema.Boolean.annotate({ description: "Whether a scored answer of the platform names the brand" }),
    low_coverage: Schema.Boolean.annotate({ description: "True: fewer than half of the keywords were answered" })
  })),
  platforms_without_answer: Schema.Array(Platform).annotate({
    description: "Asked, but without a scored answer: they count in no number"
  }),
  failed_count: Schema.NullOr(Schema.Int).annotate({ description: "Questions that got no answer" }),
  no_overview_count: Schema.NullOr(Schema.Int).annotate({
    description: "Questions for which the app showed no overview; in no share"
  }),
  branded_only: Schema.Boolean.annotate({
    description: "True: only keywords that name the brand have answers, so they were scored"
  }),
  asked: Schema.NullOr(Schema.Struct({
    platforms: Schema.Int,
    configured_platforms: Schema.NullOr(Schema.Int).annotate({ description: "Null when no configuration is known" }),
    keywords: Schema.Int,
    tracked_keywords: Schema.Int
  })).annotate({ description: "How much of what is configured and tracked now the scan asked" }),
  trend: Schema.NullOr(Trend).annotate({
    description:
      "Against the previous scan of the same kind; null without one, when it was measured with other names or " +
      "rules, or when fewer than 5 cells, or than half, were answered in both (the sentence says which)"
  }),
  sources: Schema.NullOr(Sources).annotate({
    description: "The pages that the answers of the scan rest on; null before the first scan"
  }),
  ...simulated
})
type Summary = typeof Output.Type

const noScanOutput: ToolOutput<Summary> = {
  structured: {
    status: "no_completed_scan",
    scan_id: null,
    completed_at: null,
    avg_sov: null,
    interval_95: null,
    interval_about: null,
    questions: null,
    topics: null,
    platform_breakdown: {},
    platforms: [],
    platforms_without_answer: [],
    failed_count: null,
    no_overview_count: null,
    branded_only: false,
    asked: null,
    trend: null,
    sources: null
  },
  sentence: "No scan has completed yet; a scan is started with `sov scan` or POST /api/v1/scans, not from here."
}

const roundRate = (rate: number | null): number | null => rate === null ? null : roundHalfUp(rate, 1)

const formatOwner = (owner: Owner | null): string | null =>
  owner?.kind === "own" ? "you" : owner?.kind === "competitor" ? owner.name : null

const toSources = (
  { competitors, domains, gaps, notListed, summary }: SourceHighlights
): typeof Sources.Type => {
  const names = new Map<string, string>(competitors.map(({ id, name }) => [id, name]))
  return {
    grounded_answers: summary.grounded,
    search_rate: roundRate(summary.searchRate),
    own_citation_rate: roundRate(summary.ownCitationRate),
    named_not_cited: roundRate(summary.namedNotCited),
    cited_not_named: roundRate(summary.citedNotNamed),
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

const toTrend = ({ previous, since }: Visibility): typeof Trend.Type | null =>
  previous === null || since === null || since.trend === null ? null : {
    previous_scan_id: previous.id,
    previous_completed_at: (previous.completedAt ?? previous.startedAt).toISOString(),
    previous_avg_sov: roundHalfUp(since.trend.before, 0),
    delta: roundPoints(since.trend.delta),
    direction: since.trend.direction,
    n_cells: since.nCells,
    of_cells: since.ofCells,
    per_platform: platformIds.flatMap((platform) =>
      since.platforms.filter(({ id }) => id === platform).map(({ delta }) => ({ platform, delta: roundPoints(delta) }))
    )
  }

const describeTrendSince = ({ previous, since }: Visibility): string =>
  previous === null
    ? "There is no earlier scan to compare with."
    : since === null
    ? `${describeNotComparable("The scan before")}.`
    : `Since the scan before: ${describeTrend(since)}`

/** What the number leaves out, each in a sentence. */
const listCaveats = (score: Score, silent: ReadonlyArray<PlatformId>, asked: Asked): ReadonlyArray<string> => {
  const part = formatAsked(asked)
  return [
    ...silent.length === 0 ? [] : [`No scored answer from ${silent.join(", ")}.`],
    ...score.noOverviewCount === 0 ? [] : [`The app showed no overview for ${score.noOverviewCount} questions.`],
    ...score.failedCount === 0 ? [] : [`${pluralized(score.failedCount, "question")} failed.`],
    ...score.unmeasuredCount === 0 ? [] : [`${pluralized(score.unmeasuredCount, "answer")} could not be measured.`],
    ...score.brandedOnly ? [brandedOnlyNote] : [],
    ...part === null ? [] : [`Its scan asked only ${part}.`]
  ]
}

export const getVisibilitySummary = defineTool({
  name: "get_visibility_summary",
  title: "Visibility summary",
  description: [
    "Current share of voice (SOV) of the brand in AI answers: overall, for each platform, and the trend since the scan before; with what failed or was not asked.",
    "Use when: someone asks how visible the brand is, or whether it went up or down.",
    "Do not use for: single answers or keywords (get_scan_results, get_answer_archive), or changes over a longer time (get_answer_archive with from and to).",
    "The trend compares what both scans answered; direction flat means noise. Takes no arguments. Example: {}"
  ].join("\n"),
  input: Schema.Struct({}),
  output: Output,
  handle: (_, organizationId, configured) =>
    readVisibilityWithSources(organizationId).pipe(
      Effect.map(({ sources, visibility }): ToolOutput<Summary> => {
        const { scan, score } = visibility.latest
        const { simulated, ...summary } = summaryJson(scan, score)
        const silent = scan.platforms.filter((platform) => score.platformBreakdown[platform] === undefined).sort()
        const asked = summarizeAsked(scan, configured, visibility.keywords)
        const interval = score.uncertainty?.interval
        return {
          structured: {
            status: "ok",
            ...summary,
            interval_95: interval == null
              ? null
              : { low: roundHalfUp(interval.low, 1), high: roundHalfUp(interval.high, 1) },
            interval_about: otherQuestions,
            questions: score.uncertainty?.keywords ?? null,
            topics: score.uncertainty?.topics ?? null,
            platforms: platformIds.flatMap((platform) => {
              const share = score.platformBreakdown[platform]
              return share === undefined ? [] : [{
                platform,
                score: roundHalfUp(share, 1),
                mentioned: share > 0,
                low_coverage: score.lowCoverage.includes(platform)
              }]
            }),
            platforms_without_answer: silent,
            failed_count: score.failedCount,
            no_overview_count: score.noOverviewCount,
            branded_only: score.brandedOnly,
            asked: askedJson(asked),
            trend: toTrend(visibility),
            sources: toSources(sources),
            ...simulated === true ? { simulated } : {}
          },
          sentence: [
            `${simulated === true ? "SIMULATED: " : ""}Share of voice ${summary.avg_sov ?? "-"} % on ${
              pluralized(Object.keys(score.platformBreakdown).length, "platform")
            }.`,
            ...listCaveats(score, silent, asked),
            describeTrendSince(visibility)
          ].join(" ")
        }
      }),
      Effect.catchTag("NoCompletedScan", () => Effect.succeed(noScanOutput))
    )
})
