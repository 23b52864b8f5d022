/** The report of a scan: its result, why questions failed, and the exit code. */
import type { ArchivedCounts } from "@sov/core/archive"
import { brandedOnlyNote, pluralized } from "@sov/core/common"
import type { PlatformId, PlatformSpending } from "@sov/core/platforms"
import { type CellCounts, type FailedCell, narrowingJson, type Scan } from "@sov/core/scanning"
import {
  type Course,
  describeNoOverview,
  formatNarrowing,
  interval95Json,
  otherQuestions,
  roundHalfUp,
  scanSummaryJson,
  type Score
} from "@sov/core/scoring"
import type { CliError } from "../CliError.ts"
import { describeError } from "../describeError.ts"
import { type ExitCode, exitCodes } from "../exitCodes.ts"
import { type PlatformName, printable, unlabelled } from "../output/Output.ts"
import { formatDuration } from "./progress.ts"
import { type Canvas, rangeText, scoreRows, wrapSentence } from "./scoreView.ts"
import { spentJson, spentText } from "./spending.ts"

/** A scan with its counts, the usage of its answers and, once completed, its score. */
export interface ScanReport {
  readonly scan: Scan
  readonly counts: ReadonlyArray<CellCounts>
  readonly archived: ArchivedCounts
  readonly spending: ReadonlyArray<PlatformSpending>
  readonly score: Score | null
}

/**
 * The summary as defined by the service contract, for programs, with the interval and the cost of the score (null if
 * simulated).
 */
export const summaryOf = ({ archived, counts, scan, score, spending }: ScanReport) => ({
  ...scanSummaryJson(scan, score, counts, archived),
  interval: interval95Json(score?.uncertainty?.interval),
  spent: scan.simulated ? null : spentJson(spending),
  ...narrowingJson(scan)
})

const describeScanState = (report: ScanReport): string => {
  const { scan } = report
  const summary = summaryOf(report)
  if (scan.status === "running") return `is running: ${summary.results_count} of ${scan.cellCount} answers`
  const took = formatDuration(scan.completedAt!.getTime() - scan.startedAt.getTime())
  if (scan.status === "failed") return `failed after ${took}: none of its ${scan.cellCount} questions got an answer`
  if (scan.status === "cancelled") return `was cancelled after ${took}: ${summary.results_count} answers are archived`
  return `completed in ${took}`
}

const shareOf = (score: Score): string => {
  const interval = score.uncertainty?.interval
  return `Share of voice ${score.avgSov === null ? "-" : roundHalfUp(score.avgSov, 0)} %` +
    (interval == null ? "" : ` (95 %: ${rangeText(interval)}) for ${otherQuestions}`)
}

/** The rows of a score, one per asked platform. */
export const platformRows = (
  scan: Scan,
  score: Score,
  counts: ReadonlyArray<CellCounts>,
  { platformName = unlabelled }: Pick<Canvas, "platformName">,
  courseOf: (platform: PlatformId) => Course = () => []
) =>
  [...scan.platforms].sort().map((platform) => {
    const value = score.platformBreakdown[platform]
    const { failed = 0, noOverview = 0 } = counts.find((one) => one.platform === platform) ?? {}
    return {
      name: platformName(platform),
      value: value === undefined ? null : roundHalfUp(value, 1),
      interval: score.uncertainty?.platforms[platform],
      note: value === undefined
        ? "no answer"
        : score.lowCoverage.includes(platform)
        ? "low coverage"
        : failed + noOverview > 0
        ? [failed > 0 && `${failed} failed`, noOverview > 0 && `${noOverview} without an overview`]
          .filter(Boolean).join(", ")
        : undefined,
      history: courseOf(platform)
    }
  })

/** The summary of a scan as text, for people. */
export const summaryText = (report: ScanReport, canvas: Canvas): string => {
  const { counts, scan, score } = report
  const summary = summaryOf(report)
  const part = formatNarrowing(scan)
  const spent = scan.simulated ? null : spentText(report.spending, canvas.platformName)
  const toLines = (text: string) => wrapSentence(text, canvas, scan.simulated)
  return [
    ...toLines(`Scan ${scan.id} ${describeScanState(report)}`),
    ...score === null
      ? []
      : [
        ...toLines(shareOf(score)),
        ...part === null ? [] : toLines(`It asked only ${part}.`),
        ...scoreRows(platformRows(scan, score, counts, canvas), canvas, scan.simulated)
      ],
    ...toLines(
      `${pluralized(summary.results_count, "answer")}, ` +
        `${summary.mentioned_count} ${summary.mentioned_count === 1 ? "names" : "name"} the brand, ` +
        `${summary.failed_count} failed` + describeNoOverview(summary.no_overview_count)
    ),
    ...spent === null ? [] : toLines(spent),
    ...score?.brandedOnly === true ? [brandedOnlyNote] : []
  ].join("\n")
}

const describeCellFailure = (cell: FailedCell): CliError =>
  describeError({ _tag: "PlatformError", reason: cell.reason, status: cell.status, message: cell.message })

/** Groups failures by platform and reason, each with an example and its number, most frequent first. */
const groupFailures = (failed: ReadonlyArray<FailedCell>) =>
  [...Map.groupBy(failed, (cell) => `${cell.platform} ${cell.reason}`).values()]
    .map((cells) => ({ example: cells[0]!, count: cells.length }))
    .sort((a, b) => b.count - a.count)

/** The failures for people, with two lines per group. */
export const failureLines = (
  failed: ReadonlyArray<FailedCell>,
  platformName: PlatformName = unlabelled
): ReadonlyArray<string> =>
  groupFailures(failed).flatMap(({ count, example }) => {
    const { hint } = describeCellFailure(example)
    const message = example.message.replace(`${example.platform}: `, "")
    return [
      `${platformName(example.platform)}: ${
        example.reason === "no_overview"
          ? `${count} without an overview, counted apart`
          : `${count} failed, ${example.reason}: ${printable(message)}`
      }`,
      ...hint === undefined ? [] : [`  ${hint}`]
    ]
  })

/**
 * Exit codes that a failed scan returns if they belong to its most frequent failure; otherwise it returns "partial".
 */
const exitCodesOfWholeScan: ReadonlySet<ExitCode> = new Set([exitCodes.auth, exitCodes.quota, exitCodes.unreachable])

/** The exit code of a scan that has ended. */
export const findScanExitCode = ({ scan }: ScanReport, failed: ReadonlyArray<FailedCell>): ExitCode => {
  if (scan.status === "cancelled") return exitCodes.conflict
  if (scan.status === "completed") {
    return failed.every(({ reason }) => reason === "no_overview") ? exitCodes.ok : exitCodes.partial
  }
  const byReason = [...Map.groupBy(failed, (cell) => cell.reason).values()].sort((a, b) => b.length - a.length)
  const dominant = byReason[0]?.[0]
  const code = dominant === undefined ? exitCodes.partial : describeCellFailure(dominant).exitCode
  return exitCodesOfWholeScan.has(code) ? code : exitCodes.partial
}
