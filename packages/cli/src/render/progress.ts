/** A running scan as lines of text. */
import { type CellCounts, type ScanProgress, sumCounts } from "@sov/core/scanning"
import { describeNoOverview } from "@sov/core/scoring"
import { type PlatformName, unlabelled } from "../output/Output.ts"
import { renderBar } from "./bars.ts"
import { displayWidth, truncate } from "./displayWidth.ts"

const countCells = (count: CellCounts): number =>
  count.open + count.answered + count.failed + count.noOverview + count.cancelled

/** `75_000` → "1 min 15 s". */
export const formatDuration = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** The progress on one line, for output that cannot be redrawn: "42/200 answers, 1 failed". */
export const progressLine = ({ counts }: ScanProgress): string => {
  const failed = sumCounts(counts, (count) => count.failed)
  return `${sumCounts(counts, (count) => count.answered)}/${sumCounts(counts, countCells)} answers${
    failed === 0 ? "" : `, ${failed} failed`
  }${describeNoOverview(sumCounts(counts, (count) => count.noOverview))}`
}

/** The time left at the pace since `endedBefore` cells had ended; null if the pace is unknown. */
const remainingMs = (ended: number, open: number, elapsedMs: number, endedBefore: number): number | null =>
  open === 0 ? 0 : ended > endedBefore ? elapsedMs * open / (ended - endedBefore) : null

/**
 * The entire view: a line with bar, counts and time left, then one line per platform, each at most `width` columns
 * wide. `elapsedMs` starts when `endedBefore` cells had ended (0 for a new scan, more for a resumed one).
 */
export const progressLines = (
  { counts }: ScanProgress,
  elapsedMs: number,
  width: number,
  { blocks, endedBefore = 0, platformName = unlabelled }: {
    readonly blocks: boolean
    readonly endedBefore?: number
    readonly platformName?: PlatformName
  }
): ReadonlyArray<string> => {
  const names = Math.max(5, ...counts.map((count) => displayWidth(platformName(count.platform))))
  const digits = String(sumCounts(counts, countCells)).length
  const barWidth = Math.min(30, Math.max(5, width - names - 2 * digits - 32))
  const formatRow = (
    name: string,
    { all, answered, failed, without }: Record<"all" | "answered" | "failed" | "without", number>,
    rest: string
  ): string => {
    const numbers = `${String(answered).padStart(digits)}/${String(all).padEnd(digits)}`
    const none = without === 0 ? [] : [`${without} without an overview`]
    const parts = [numbers, ...failed === 0 ? [] : [`${failed} failed`], ...none, ...rest === "" ? [] : [rest]]
    return truncate(
      `${name}${" ".repeat(names - displayWidth(name))}  ${
        renderBar(answered + failed + without, all, barWidth, blocks)
      }  ${parts.join("  ")}`.trimEnd(),
      width
    )
  }
  const total = {
    all: sumCounts(counts, countCells),
    answered: sumCounts(counts, (count) => count.answered),
    failed: sumCounts(counts, (count) => count.failed),
    without: sumCounts(counts, (count) => count.noOverview)
  }
  const open = sumCounts(counts, (count) => count.open)
  const left = remainingMs(total.answered + total.failed + total.without, open, elapsedMs, endedBefore)
  return [
    formatRow(
      "total",
      total,
      left === null ? formatDuration(elapsedMs) : `${formatDuration(left)} left`
    ),
    ...counts.map((count) =>
      formatRow(platformName(count.platform), { ...count, all: countCells(count), without: count.noOverview }, "")
    )
  ]
}
