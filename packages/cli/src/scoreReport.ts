/** The current share of voice, as programs and people get it. */
import {
  breakdownJson,
  type OrganizationId,
  roundHalfUp,
  type Scan,
  type Score,
  ScoreStore,
  type TrackedSet,
  TrackedSetStore
} from "@sov/core"
import { Effect } from "effect"
import { CliError } from "./CliError.ts"
import { exitCodes } from "./exitCodes.ts"
import { printable } from "./Output.ts"
import { type Canvas, scoreRows, simulatedMark } from "./render/scoreView.ts"
import { platformRows } from "./scanReport.ts"

/** The newest completed scan with its score, who was tracked then, and the scores before it. */
export interface ScoreReport {
  readonly scan: Scan
  readonly score: Score
  readonly trackedSet: TrackedSet
  /** Scores up to this one, oldest first; only of the same kind (simulated or real). */
  readonly history: ReadonlyArray<Score>
}

/** Reads the newest score with a history of at most `scans`. */
export const readScore = Effect.fnUntraced(function*(organizationId: OrganizationId, scans: number) {
  const [latest, ...earlier] = yield* (yield* ScoreStore).history(organizationId, scans)
  if (latest === undefined) {
    return yield* Effect.fail(
      new CliError("no-completed-scan", exitCodes.notFound, "no scan has completed yet", "sov scan runs one")
    )
  }
  const { scan, score } = latest
  const trackedSet = (yield* (yield* TrackedSetStore).find(organizationId, score.trackedSetVersion))!
  const alike = earlier.filter((one) => one.scan.simulated === scan.simulated).map((one) => one.score)
  const report: ScoreReport = { scan, score, trackedSet, history: [...alike.reverse(), score] }
  return report
})

const rounded = (value: number | null, digits: number): number | null =>
  value === null ? null : roundHalfUp(value, digits)

/** The SOV summary of the service contract, with more beside it. */
export const scoreJson = ({ scan, score, trackedSet }: ScoreReport) => ({
  scan_id: scan.id,
  completed_at: scan.completedAt!.toISOString(),
  avg_sov: rounded(score.avgSov, 0),
  platform_breakdown: breakdownJson(score.platformBreakdown),
  ...scan.simulated ? { simulated: true } : {},
  competitors: score.competitors.map(({ id, sov }) => ({
    id,
    name: trackedSet.competitors.find((one) => one.id === id)?.name ?? null,
    sov: roundHalfUp(sov, 1)
  })),
  nobody: rounded(score.nobody, 1),
  results_count: score.resultsCount,
  mentioned_count: score.mentionedCount,
  failed_count: score.failedCount,
  low_coverage: score.lowCoverage
})

/** The same for people: brand per platform with its history, then everybody's share. */
export const scoreText = (report: ScoreReport, canvas: Canvas): string => {
  const { history, scan, score, trackedSet } = report
  const mark = simulatedMark(scan.simulated, canvas)
  const brand = printable(trackedSet.brand.name)
  const json = scoreJson(report)
  const shares = [
    { name: brand, value: rounded(score.avgSov, 1), strong: true },
    ...json.competitors.map(({ id, name, sov }) => ({ name: printable(name ?? id), value: sov })),
    { name: "(nobody)", value: json.nobody }
  ].sort((a, b) => (b.value ?? -1) - (a.value ?? -1))
  const trend = {
    name: "all platforms",
    value: rounded(score.avgSov, 1),
    strong: true,
    history: history.map((one) => one.avgSov)
  }
  // One scan makes no trend.
  const platforms = [trend, ...platformRows(scan, score, history)].map((row) =>
    history.length > 1 ? row : { ...row, history: [] }
  )
  const heading = (text: string) => canvas.style("bold", text)
  return [
    `${heading(`${brand}: share of voice ${json.avg_sov ?? "-"} %`)}${mark}`,
    ...scoreRows(platforms, canvas, scan.simulated, shares),
    "",
    `${heading("Who is named")}${mark}`,
    ...scoreRows(shares, canvas, scan.simulated, platforms),
    "",
    `${score.resultsCount} answers, ${score.mentionedCount} name ${brand}, ${score.failedCount} failed · ` +
    `scan of ${scan.startedAt.toISOString().slice(0, 16).replace("T", " ")} UTC` +
    (history.length > 1 ? ` · trend over ${history.length} scans` : "") + mark,
    ...score.brandedOnly ? ["Only keywords that name the brand have answers, so they were scored."] : []
  ].join("\n")
}
