import { pluralized } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { platformIds } from "@sov/core/platforms"
import {
  askedJson,
  interval95Json,
  otherQuestions,
  readGrade,
  readMeasuredVoice,
  readSurfaceLine,
  readVisibilityWithSources,
  roundHalfUp,
  roundOrNull,
  roundPoints,
  sentimentJson,
  standingJson,
  summarizeAsked,
  summaryJson,
  type Visibility
} from "@sov/core/scoring"
import { type ActionReport, describeAction, readKeptActions } from "@sov/core/sources"
import { findScannedView } from "@sov/core/tracking"
import { Effect, Schema } from "effect"
import { rowsBudget, takeFitting } from "../budget.ts"
import { IsoTime, Percent, Platform, simulatedMember, viewArgument, viewMembers } from "../parameters.ts"
import { defineTool, type ToolOutput, ToolRefusal } from "../Tool.ts"
import { quoteUntrustedName } from "../untrusted.ts"
import { Rate } from "./rates.ts"
import { SummaryEvidence, toEvidence } from "./summaryEvidence.ts"
import { FunnelFigures, Sources, toFunnel, toSources } from "./summarySources.ts"
import { describeRank, describeTrendSince, listCaveats } from "./summaryWords.ts"

const Interval95 = Schema.NullOr(Schema.Struct({ low: Percent, high: Percent }))

const Trend = Schema.Struct({
  previous_scan_id: Schema.String,
  previous_completed_at: IsoTime,
  previous_avg_sov: Schema.NullOr(Percent).annotate({
    description: "Share of voice then, over the cells (keyword × platform) that were answered in both scans"
  }),
  delta: Schema.NullOr(Schema.Finite).annotate({
    description: "Percentage points since then over the cells that were answered in both scans, of unrounded values"
  }),
  direction: Schema.NullOr(Schema.Literals(["up", "down", "flat"])).annotate({
    description:
      "flat: no more than two scans of an unchanged world differ by. Null, as is delta: fewer than 5 cells, or than " +
      "half, were answered in both scans, too few to compare (the sentence says so); previous_avg_sov is then that " +
      "scan's own share of voice, or null if a platform is not compared"
  }),
  n_cells: Schema.Int.annotate({ description: "Cells that were answered in both scans" }),
  of_cells: Schema.Int.annotate({ description: "Cells of the larger of the two scans" }),
  per_platform: Schema.Array(Schema.Struct({ platform: Platform, delta: Schema.Finite })).annotate({
    description: "The platforms of these cells; a single one may differ by noise"
  })
})

const Prompt = Schema.NullOr(Schema.String)
const change = { before: Percent, after: Percent, delta: Schema.Finite.annotate({ description: "Percentage points" }) }

const maxNext = 3

const Next = Schema.Array(Schema.Struct({
  action_id: Schema.String,
  title: Schema.String,
  why: Schema.String,
  answers: Schema.Int.annotate({ description: "Answers behind it" }),
  answer_id: Schema.NullOr(Schema.String).annotate({ description: "One of them, for get_answer_archive" })
})).annotate({
  description:
    "What to do next: at most three, each beyond chance, from the newest comparable scans. Empty where nothing is"
})

const standing = {
  brand: Schema.NullOr(Schema.Struct({
    name: Schema.String,
    sov: Schema.NullOr(Percent),
    interval_95: Interval95,
    rank: Schema.NullOr(Schema.Int).annotate({ description: "Among brand and competitors, 1 = highest share" }),
    rank_of: Schema.Int
  })),
  competitors: Schema.Array(
    Schema.Struct({ name: Schema.String, sov: Percent, interval_95: Interval95, rank: Schema.Int })
  ).annotate({ description: "The highest share first; overlapping intervals prove no order" }),
  competitors_not_listed: Schema.Int.annotate({ description: "Competitors beyond this list, to keep it short" }),
  platform_labels: Schema.Record(Platform, Schema.optionalKey(Schema.String)).annotate({
    description: "What the operator calls the platforms"
  }),
  keywords: Schema.Array(Schema.Struct({
    keyword_id: Schema.String,
    prompt: Prompt,
    sov: Percent,
    platform_breakdown: Schema.Record(Platform, Schema.optionalKey(Percent))
  })).annotate({ description: "The brand's share on each question, the weakest first" }),
  keywords_not_listed: Schema.Int,
  moved: Schema.Struct({
    platforms: Schema.Array(Schema.Struct({ platform: Platform, ...change })),
    keywords: Schema.Array(Schema.Struct({ keyword_id: Schema.String, prompt: Prompt, ...change })),
    competitors: Schema.Array(Schema.Struct({ name: Schema.String, ...change }))
  }).annotate({ description: "What changed beyond noise since the scan before; what is not listed did not" }),
  history: Schema.Array(Schema.Struct({
    scan_id: Schema.String,
    completed_at: IsoTime,
    avg_sov: Schema.NullOr(Percent),
    leaders: Schema.Array(Schema.String).annotate({ description: "Names with the highest share; several when equal" })
  })).annotate({ description: "This scan and comparable ones before it, the newest first: who leads since when" })
}

const Secondary = Schema.Struct({
  definition: Schema.String.annotate({
    description: "mention_rate, named_first, rank_weighted or occurrences; share is avg_sov. More may follow"
  }),
  value: Rate,
  interval_95: Interval95
})

const SentimentFigures = Schema.Struct({
  named: Schema.Int.annotate({ description: "Answers that name the brand" }),
  judged: Schema.Int.annotate({ description: "How many of these are judged; the others are in no share" }),
  interval_about: Schema.String,
  shares: Schema.Array(Schema.Struct({
    sentiment: Schema.Literals(["positive", "neutral", "negative"]),
    answers: Schema.Int,
    value: Rate.annotate({ description: "Of the judged answers; null if none is judged" }),
    interval_95: Interval95
  }))
})

const Output = Schema.Struct({
  status: Schema.Literals(["ok", "no_completed_scan"]),
  scan_id: Schema.NullOr(Schema.String),
  completed_at: Schema.NullOr(IsoTime),
  avg_sov: Schema.NullOr(Percent).annotate({ description: "Mean of the platforms' shares of voice, per cent" }),
  surface: Schema.optionalKey(viewMembers.surface),
  view: Schema.optionalKey(viewMembers.view),
  surface_line: Schema.optionalKey(Schema.String).annotate({
    description: "Whose view the numbers are, in one line: surface, web search, market, persona"
  }),
  interval_95: Interval95.annotate({
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
      "Against the previous scan of the same kind; null without one, or when it was measured with other names or " +
      "rules (the sentence says which)"
  }),
  sources: Schema.NullOr(Sources).annotate({
    description: "The pages that the answers of the scan rest on; null before the first scan"
  }),
  funnel: FunnelFigures,
  definitions: Schema.Array(Secondary).annotate({
    description: "The brand in the same answers by other definitions of voice, with intervals as interval_95"
  }),
  sentiment: Schema.NullOr(SentimentFigures).annotate({
    description: "How the answers that name the brand speak of it; interval_95 as above. Null before the first scan"
  }),
  evidence: SummaryEvidence,
  next: Next,
  ...standing,
  ...simulatedMember
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
    sources: null,
    funnel: null,
    definitions: [],
    sentiment: null,
    evidence: null,
    next: [],
    brand: null,
    competitors: [],
    competitors_not_listed: 0,
    platform_labels: {},
    keywords: [],
    keywords_not_listed: 0,
    moved: { platforms: [], keywords: [], competitors: [] },
    history: []
  },
  sentence: "No scan has completed yet; a scan is started with `sov scan` or POST /api/v1/scans, not from here."
}

const toNext = (kept: ActionReport | null): typeof Next.Type =>
  kept === null ? [] : kept.actions.slice(0, maxNext).map((action) => ({
    action_id: action.id,
    ...describeAction(action, kept),
    answers: action.answers,
    answer_id: action.examples[0] ?? null
  }))

const toTrend = ({ previous, previousSov, since }: Visibility): typeof Trend.Type | null => {
  if (previous === null || since === null) return null
  const { breaks, nCells, ofCells, platforms, trend } = since
  return {
    previous_scan_id: previous.id,
    previous_completed_at: (previous.completedAt ?? previous.startedAt).toISOString(),
    previous_avg_sov: roundOrNull(trend?.before ?? (breaks.length > 0 ? null : previousSov), 0),
    delta: trend === null ? null : roundPoints(trend.delta),
    direction: trend?.direction ?? null,
    n_cells: nCells,
    of_cells: ofCells,
    per_platform: trend === null ?
      [] :
      platformIds.flatMap((platform) =>
        platforms.filter(({ id }) => id === platform).map(({ delta }) => ({ platform, delta: roundPoints(delta) }))
      )
  }
}

/** Shortens each list to its share of the available length, because clients truncate longer results. */
const fitLists = (made: ReturnType<typeof standingJson>, taken: number) => {
  const room = rowsBudget - taken
  const competitors = takeFitting(made.competitors, room / 4)
  const keywords = takeFitting(made.keywords, room / 3)
  return {
    ...made,
    competitors,
    competitors_not_listed: made.competitors.length - competitors.length,
    keywords,
    keywords_not_listed: made.keywords_not_listed + made.keywords.length - keywords.length,
    moved: {
      ...made.moved,
      keywords: takeFitting(made.moved.keywords, room / 6),
      competitors: takeFitting(made.moved.competitors, room / 12)
    },
    history: takeFitting(made.history, room / 12)
  }
}

export const getVisibilitySummary = defineTool({
  name: "get_visibility_summary",
  title: "Visibility summary",
  description: [
    "Current share of voice (SOV) of brand and competitors in AI answers: overall, for each platform and question, what to do next, the trend since the scan before, what moved beyond noise, and who led in the scans before; with what failed or was not asked.",
    "Use when: someone asks who leads and since when, how visible the brand is, on which questions it is weak, or what changed.",
    "Do not use for: single answers (get_scan_results says who is named in each), texts (get_answer_archive).",
    "The trend compares what both scans answered; direction flat means noise. Views are never added up: ask for one. Example: {}"
  ].join("\n"),
  hadNone: true,
  input: Schema.Struct({ view: Schema.optionalKey(viewArgument("Numbers")) }),
  output: Output,
  handle: ({ view }, organizationId, configured) =>
    (view === undefined ? Effect.succeed(null) : findScannedView(organizationId, view)).pipe(
      Effect.flatMap((named) =>
        Effect.all([
          readVisibilityWithSources(organizationId, named),
          // Actions exist only for the standard view
          named === null ? readKeptActions(organizationId, wholeHistory) : Effect.succeed(null)
        ], { concurrency: 2 })
      ),
      Effect.flatMap(([found, kept]) =>
        Effect.all({
          found: Effect.succeed(found),
          kept: Effect.succeed(kept),
          // The grade exists only for the standard view
          facts: found.visibility.latest.scan.view === undefined
            ? readGrade(organizationId, found.visibility.latest)
            : Effect.succeed(null),
          line: readSurfaceLine(organizationId, found.visibility.latest.scan),
          voice: readMeasuredVoice(organizationId, found.visibility.latest)
        })
      ),
      Effect.map(({ found: { sources, visibility }, facts, kept, line, voice }): ToolOutput<Summary> => {
        const { scan, score } = visibility.latest
        const { simulated, ...summary } = summaryJson(scan, score)
        const silent = scan.platforms.filter((platform) => score.platformBreakdown[platform] === undefined).sort()
        const asked = summarizeAsked(scan, configured, visibility.keywords)
        const named = standingJson(score, visibility.standing, configured ?? [])
        const rest = {
          status: "ok" as const,
          ...summary,
          surface_line: line,
          interval_95: interval95Json(score.uncertainty?.interval),
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
          funnel: toFunnel(sources),
          evidence: facts === null ? null : toEvidence(facts),
          next: toNext(kept),
          definitions: voice.columns.filter(({ definition }) => definition !== "share").map((
            { definition, shares }
          ) => ({
            definition,
            value: roundOrNull(shares[0]!.value, 1),
            interval_95: interval95Json(shares[0]!.interval)
          })),
          sentiment: sentimentJson(voice.sentiment),
          ...simulated === true ? { simulated } : {}
        }
        return {
          structured: { ...rest, ...fitLists(named, JSON.stringify(rest).length) },
          sentence: [
            `${simulated === true ? "SIMULATED: " : ""}Share of voice ${summary.avg_sov ?? "-"} % on ${
              pluralized(Object.keys(score.platformBreakdown).length, "platform")
            }.${describeRank(named)} ${line}.`,
            ...listCaveats(score, silent, asked),
            describeTrendSince(visibility)
          ].join(" ")
        }
      }),
      Effect.catchTags({
        NoCompletedScan: () => Effect.succeed(noScanOutput),
        NotFound: () => Effect.fail(new ToolRefusal({ message: `There is no view ${quoteUntrustedName(view ?? "")}.` }))
      })
    )
})
