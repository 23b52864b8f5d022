import { breakdownJson, platformIds, readVisibility, roundHalfUp, type ScoredScan, summaryJson } from "@sov/core"
import { Effect, Schema } from "effect"
import { Percent, Platform, simulated, Time } from "../parameters.ts"
import { defineTool, type ToolOutput } from "../Tool.ts"

const Trend = Schema.Struct({
  previous_scan_id: Schema.String,
  previous_completed_at: Time,
  previous_avg_sov: Percent,
  delta: Schema.Finite.annotate({ description: "Percentage points since the previous scan, of unrounded values" }),
  direction: Schema.Literals(["up", "down", "flat"]),
  per_platform: Schema.Array(Schema.Struct({ platform: Platform, delta: Schema.Finite }))
})

const Output = Schema.Struct({
  status: Schema.Literals(["ok", "no_completed_scan"]),
  scan_id: Schema.NullOr(Schema.String),
  completed_at: Schema.NullOr(Time),
  avg_sov: Schema.NullOr(Percent).annotate({ description: "Mean of the platforms' shares of voice, per cent" }),
  interval_95: Schema.NullOr(Schema.Struct({ low: Percent, high: Percent })).annotate({
    description: "Where avg_sov would lie for other questions like these; null when there are too few keywords"
  }),
  platform_breakdown: Schema.Record(Platform, Schema.optionalKey(Percent)),
  platforms: Schema.Array(Schema.Struct({
    platform: Platform,
    score: Percent,
    mentioned: Schema.Boolean.annotate({ description: "Whether a scored answer of the platform names the brand" }),
    low_coverage: Schema.Boolean.annotate({ description: "True: fewer than half of the keywords were answered" })
  })),
  trend: Schema.NullOr(Trend).annotate({
    description: "Against the previous scan of the same kind; null when there is none"
  }),
  ...simulated
})
type Summary = typeof Output.Type

const nothing: ToolOutput<Summary> = {
  structured: {
    status: "no_completed_scan",
    scan_id: null,
    completed_at: null,
    avg_sov: null,
    interval_95: null,
    platform_breakdown: {},
    platforms: [],
    trend: null
  },
  sentence: "No scan has completed yet; a scan is started with `sov scan` or POST /api/v1/scans, not from here."
}

const difference = (now: number, before: number): number => roundHalfUp(now - before, 1) + 0

const trendOf = (latest: ScoredScan, previous: ScoredScan): typeof Trend.Type => {
  const delta = difference(latest.score.avgSov ?? 0, previous.score.avgSov ?? 0)
  const [now, before] = [latest.score.platformBreakdown, previous.score.platformBreakdown]
  return {
    previous_scan_id: previous.scan.id,
    previous_completed_at: (previous.scan.completedAt ?? previous.scan.startedAt).toISOString(),
    previous_avg_sov: roundHalfUp(previous.score.avgSov ?? 0, 0),
    delta,
    direction: delta > 0 ? "up" : delta < 0 ? "down" : "flat",
    per_platform: platformIds.flatMap((platform) => {
      const [one, other] = [now[platform], before[platform]]
      return one === undefined || other === undefined ? [] : [{ platform, delta: difference(one, other) }]
    })
  }
}

export const getVisibilitySummary = defineTool({
  name: "get_visibility_summary",
  title: "Visibility summary",
  description: [
    "Current share of voice (SOV) of the brand in AI answers: overall, for each platform, and the trend since the scan before.",
    "Use when: someone asks how visible the brand is, or whether it went up or down.",
    "Do not use for: single answers or keywords (get_scan_results, get_answer_archive), or changes over a longer time (get_answer_archive with from and to).",
    "A delta that is small beside interval_95 may be noise. Takes no arguments. Example: {}"
  ].join("\n"),
  input: Schema.Struct({}),
  output: Output,
  handle: (_, organizationId) =>
    readVisibility(organizationId).pipe(
      Effect.map(({ latest, previous }): ToolOutput<Summary> => {
        const { scan, score } = latest
        const { simulated, ...summary } = summaryJson(scan, score)
        const scores = Object.entries(breakdownJson(score.platformBreakdown))
        const trend = previous === null ? null : trendOf(latest, previous)
        const interval = score.uncertainty?.interval
        return {
          structured: {
            status: "ok",
            ...summary,
            interval_95: interval == null
              ? null
              : { low: roundHalfUp(interval.low, 1), high: roundHalfUp(interval.high, 1) },
            platforms: platformIds.flatMap((platform) => {
              const share = score.platformBreakdown[platform]
              return share === undefined ? [] : [{
                platform,
                score: roundHalfUp(share, 1),
                mentioned: share > 0,
                low_coverage: score.lowCoverage.includes(platform)
              }]
            }),
            trend,
            ...simulated === true ? { simulated } : {}
          },
          sentence: `${
            simulated === true ? "SIMULATED: " : ""
          }Share of voice ${summary.avg_sov} % on ${scores.length} platform${scores.length === 1 ? "" : "s"}, ${
            trend === null ? "no earlier scan to compare with" : `${trend.delta >= 0 ? "+" : ""}${trend.delta} points`
          }.`
        }
      }),
      Effect.catchTag("NoCompletedScan", () => Effect.succeed(nothing))
    )
})
