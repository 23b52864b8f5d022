/** The current share of voice, for programs and people. */
import { brandedOnlyNote, pluralized } from "@sov/core/common"
import {
  askedJson,
  breakdownJson,
  describeNoOverview,
  describeNotComparable,
  describeQuestions,
  formatAsked,
  formatAskedPlatforms,
  formatNarrowing,
  type Interval,
  interval95Json,
  listCourse,
  noInterval,
  otherQuestions,
  roundHalfUp,
  roundOrNull,
  sameQuestions,
  type ScoreReport,
  simulatedJson,
  surfaceLineOf,
  viewJson
} from "@sov/core/scoring"
import { printable } from "../../output/Output.ts"
import { keywordChangeJson, movedText, platformChangeJson, startOf, trendJson } from "../../render/changeReport.ts"
import { platformRows } from "../../render/scanReport.ts"
import {
  type Canvas,
  rangeText,
  type ScoreRow,
  scoreRows,
  simulatedMark,
  wrapSentence
} from "../../render/scoreView.ts"

const mapKeywordTexts = ({ movements }: ScoreReport): ReadonlyMap<string, string> =>
  new Map(movements.keywords.map(({ id, text }) => [id, text]))

/** The breakdowns of a score. */
export type ScorePart = "platform" | "keyword" | "competitor"

/** The SOV summary as defined by the service contract, with additional members. */
export const scoreJson = (report: ScoreReport, by?: ScorePart) => {
  const { asked, counts, movements, scan, score } = report
  const { comparison, next } = movements
  const texts = mapKeywordTexts(report)
  const rate = score.uncertainty?.mentionRate
  const moved = (comparison === null ? [] : [comparison]).map(({ keywords, platforms }) => ({
    platforms: platforms.filter((one) => one.beyondNoise).map(platformChangeJson),
    keywords: keywords.filter((one) => one.beyondNoise).map(keywordChangeJson(texts))
  }))
  return {
    scan_id: scan.id,
    completed_at: scan.completedAt!.toISOString(),
    avg_sov: roundOrNull(score.avgSov, 0),
    platform_breakdown: breakdownJson(score.platformBreakdown),
    ...simulatedJson(scan.simulated),
    ...viewJson(scan),
    surface_line: surfaceLineOf(report),
    asked: askedJson(asked),
    interval: interval95Json(score.uncertainty?.interval),
    interval_about: otherQuestions,
    questions: score.uncertainty?.keywords ?? null,
    topics: score.uncertainty?.topics ?? null,
    sampling_interval: interval95Json(score.uncertainty?.samplingInterval),
    sampling_interval_about: sameQuestions,
    next_scan: interval95Json(next),
    next_scan_about: sameQuestions,
    mention_rate: rate == null ? null : {
      rate: roundHalfUp(rate.rate, 1),
      ...interval95Json(rate),
      interval_about: sameQuestions,
      mentioned_count: rate.mentioned,
      results_count: rate.answers
    },
    platforms: [...scan.platforms].sort().map((platform) => {
      const count = counts.find((one) => one.platform === platform)
      return {
        platform,
        sov: roundOrNull(score.platformBreakdown[platform], 1),
        interval: interval95Json(score.uncertainty?.platforms[platform]),
        results_count: count?.answered ?? 0,
        failed_count: count?.failed ?? 0,
        no_overview_count: count?.noOverview ?? 0
      }
    }),
    competitors: report.movements.named.competitors.map(({ id, interval, name, sov }) => ({
      id,
      name,
      sov: roundHalfUp(sov, 1),
      interval: interval95Json(interval)
    })),
    nobody: roundOrNull(score.nobody, 1),
    ...by !== "keyword" ? {} : {
      keywords: movements.keywordShares.map(({ answers, id, sov }) => ({
        keyword_id: id,
        text: texts.get(id) ?? null,
        sov: roundHalfUp(sov, 1),
        results_count: answers
      }))
    },
    trend: comparison?.trend == null
      ? null
      : { previous_scan_id: comparison.before.id, ...trendJson(comparison.trend), breaks: comparison.breaks },
    moved: moved[0] ?? null,
    results_count: score.resultsCount,
    mentioned_count: score.mentionedCount,
    failed_count: score.failedCount,
    no_overview_count: score.noOverviewCount,
    unmeasured_count: score.unmeasuredCount,
    low_coverage: score.lowCoverage,
    measure_version: score.measureVersion,
    tracked_set_version: score.trackedSetVersion,
    icu_version: score.icuVersion
  }
}

interface Section {
  readonly part: ScorePart
  readonly title: string
  readonly rows: ReadonlyArray<ScoreRow>
}

const headlineCourse = (report: ScoreReport) => listCourse(report, ({ avgSov }) => avgSov)

const makeSections = (report: ScoreReport, brand: string, canvas: Canvas): ReadonlyArray<Section> => {
  const { asked, counts, history, movements, scan, score } = report
  const { competitors, nobody } = report.movements.named
  const texts = mapKeywordTexts(report)
  const all = { value: roundOrNull(score.avgSov, 1), interval: score.uncertainty?.interval, strong: true }
  // Shows no history for a single scan, which is not a trend.
  const past = (row: ScoreRow): ScoreRow => history.length > 1 ? row : { ...row, history: [] }
  return [
    {
      part: "platform",
      title: "Platforms",
      rows: [
        {
          name: formatAskedPlatforms(asked) ?? (scan.platforms.length === 1 ? "1 platform" : "all platforms"),
          ...all,
          history: headlineCourse(report)
        },
        ...platformRows(
          scan,
          score,
          counts,
          canvas,
          (platform) => listCourse(report, (one) => one.platformBreakdown[platform], platform)
        )
      ].map(past)
    },
    {
      part: "keyword",
      title: "Keywords",
      rows: movements.keywordShares.map(({ id, sov }) => ({
        name: printable(texts.get(id) ?? id),
        value: roundHalfUp(sov, 1)
      })).sort((a, b) => b.value - a.value)
    },
    {
      part: "competitor",
      title: "Who is named",
      rows: [
        { name: brand, ...all },
        ...competitors.map(({ id, interval, name, sov }) => ({
          name: printable(name ?? id),
          value: roundHalfUp(sov, 1),
          interval
        })),
        { name: "(no tracked brand)", value: roundOrNull(nobody.sov, 1), interval: nobody.interval }
      ].sort((a, b) => (b.value ?? -1) - (a.value ?? -1))
    }
  ]
}

const nextScanText = ({ high, low }: Interval): string =>
  `If nothing changes, ${sameQuestions} show ${rangeText({ low, high })} % (95 %).`

/** The changes since the scan before, and the range in which the next scan is expected. */
const movementText = (report: ScoreReport, canvas: Canvas): ReadonlyArray<string> => {
  const { movements: { comparison, next, previous }, scan } = report
  const toLines = (text: string) => wrapSentence(text, canvas, scan.simulated)
  return [
    ...comparison !== null ? movedText(comparison, mapKeywordTexts(report), canvas) : previous === null ? [] : toLines(
      `${
        describeNotComparable(`The scan of ${startOf(previous)}`)
      }: sov scan compare previous latest measures it again.`
    ),
    ...next === null ? [] : toLines(nextScanText(next))
  ]
}

/** Describes how many answers there are, and how many name the brand although their prompt does not. */
const countsText = ({ score, trackedSet }: ScoreReport): string => {
  const brand = printable(trackedSet.brand.name)
  const all = `${
    pluralized(score.resultsCount, "answer")
  }, ${score.mentionedCount} name ${brand}, ${score.failedCount} failed${describeNoOverview(score.noOverviewCount)}${
    score.unmeasuredCount === 0 ? "" : `, ${score.unmeasuredCount} not measured (sov rescore tries again)`
  }`
  const rate = score.uncertainty?.mentionRate
  if (rate == null) return all
  const bounds = `${roundHalfUp(rate.rate, 0)} %; 95 % ${rangeText(rate)}, ${sameQuestions}`
  return rate.answers === score.resultsCount - score.unmeasuredCount
    ? `${all} · named in ${rate.mentioned} of ${rate.answers} (${bounds})`
    : `${all} · named in ${rate.mentioned} of the ${
      pluralized(rate.answers, "answer")
    } to questions that do not name ${brand} (${bounds})`
}

/**
 * The score as text, for people: the brand per platform with its history, all shares and changes; or only one
 * breakdown.
 */
export const scoreText = (report: ScoreReport, canvas: Canvas, by?: ScorePart): string => {
  const { scan, score, trackedSet } = report
  const { simulated } = scan
  const toLines = (text: string) => wrapSentence(text, canvas, simulated)
  const brand = printable(trackedSet.brand.name)
  const sections = makeSections(report, brand, canvas).filter(({ part }) =>
    by === undefined ? part !== "keyword" : part === by
  )
  const heading = (text: string) => canvas.style("bold", text)
  const interval = score.uncertainty?.interval
  const part = formatAsked(report.asked)
  const inTrend = headlineCourse(report).filter((share) => share !== null).length
  const movement = movementText(report, canvas)
  return [
    `${heading(`${brand}: share of voice ${roundOrNull(score.avgSov, 0) ?? "-"} %`)}${
      interval == null ? "" : ` (95 %: ${rangeText(interval)})`
    }${simulatedMark(simulated, canvas)}`,
    // This line itself says that answers are simulated
    ...wrapSentence(`${printable(surfaceLineOf(report))}.`, canvas, false),
    ...part === null ? [] : toLines(`Its scan asked only ${part}.`),
    ...report.newer === null ? [] : toLines(
      `The newest scan asked only ${formatNarrowing(report.newer)}: sov scan show latest.`
    ),
    ...sections.flatMap(({ rows, title }, i) => [
      ...i === 0 ? [] : ["", `${heading(title)}${simulatedMark(simulated, canvas)}`],
      ...scoreRows(rows, canvas, simulated, sections.flatMap((one) => one.rows))
    ]),
    "",
    ...movement,
    ...movement.length === 0 ? [] : [""],
    ...toLines(
      `${countsText(report)} · scan of ${startOf(scan)}` +
        (inTrend > 1 ? ` · trend over ${inTrend} scans` : "")
    ),
    ...score.uncertainty !== null && score.avgSov !== null
      ? toLines(
        `${interval == null ? noInterval : `95 %: ${otherQuestions}`} (${describeQuestions(score.uncertainty)}).`
      )
      : [],
    ...score.brandedOnly ? [brandedOnlyNote] : []
  ].join("\n")
}
