/** The changes between two scans, for programs and people. */
import { pluralized } from "@sov/core/common"
import { narrowingJson, type Scan } from "@sov/core/scanning"
import {
  type Comparison,
  describeBreaks,
  describeTrend,
  formatNarrowing,
  type Movement,
  type NamedTrend,
  roundHalfUp,
  roundPoints,
  type ScanComparison,
  simulatedJson,
  type Trend
} from "@sov/core/scoring"
import { printable, unlabelled } from "../output/Output.ts"
import { type Canvas, type ChangeRow, changeRows, wrapSentence } from "./scoreView.ts"

/** Start of the scan: "2026-01-31 23:59 UTC". */
export const startOf = (scan: Scan): string => `${scan.startedAt.toISOString().slice(0, 16).replace("T", " ")} UTC`

const changeJson = ({ after, before, delta, nCells }: Trend | Movement<string>) => ({
  before: roundPoints(before),
  after: roundPoints(after),
  delta: roundPoints(delta),
  n_cells: nCells
})

/** A trend in points; `z` is its test statistic, and |z| < 1.645 counts as flat. */
export const trendJson = (trend: Trend) => ({
  ...changeJson(trend),
  z: roundHalfUp(Math.abs(trend.z), 2) * Math.sign(trend.z) + 0,
  direction: trend.direction
})

const namedTrendJson = (trend: NamedTrend) => ({ ...trendJson(trend), beyond_noise: trend.beyondNoise })

export const platformChangeJson = (one: Comparison["platforms"][number]) => ({
  platform: one.id,
  ...changeJson(one),
  beyond_noise: one.beyondNoise
})

export const keywordChangeJson = (texts: ReadonlyMap<string, string>) => (one: Comparison["keywords"][number]) => ({
  keyword_id: one.id,
  text: texts.get(one.id) ?? null,
  ...changeJson(one),
  beyond_noise: one.beyondNoise
})

/** The entire comparison as JSON, for programs. */
export const comparisonJson = (found: ScanComparison) => ({
  before: {
    scan_id: found.before.id,
    started_at: found.before.startedAt.toISOString(),
    ...narrowingJson(found.before)
  },
  after: { scan_id: found.after.id, started_at: found.after.startedAt.toISOString(), ...narrowingJson(found.after) },
  ...simulatedJson(found.after.simulated),
  measure_version: found.measureVersion,
  tracked_set_version: found.trackedSetVersion,
  measured_again: found.measuredAgain.map((scan) => scan.id),
  n_cells: found.nCells,
  of_cells: found.ofCells,
  breaks: found.breaks,
  trend: found.trend === null ? null : trendJson(found.trend),
  platforms: found.platforms.map(platformChangeJson),
  keywords: found.keywords.map(keywordChangeJson(found.keywordTexts)),
  competitors: found.competitors.map(({ id, trend }) => ({
    id,
    name: found.trackedSet.competitors.find((one) => one.id === id)?.name ?? null,
    ...namedTrendJson(trend)
  })),
  nobody: found.nobody === null ? null : namedTrendJson(found.nobody)
})

const movementRow = (name: string, { after, before, beyondNoise }: Movement<string> | NamedTrend): ChangeRow => ({
  name,
  before,
  after,
  moved: beyondNoise
})
/** The headline is a single number, so it has moved if its trend has a direction. */
const brandRow = (name: string, { after, before, direction }: Trend): ChangeRow => ({
  name,
  before,
  after,
  moved: direction !== "flat"
})

const makeChangeRows = (
  found: Comparison,
  texts: ReadonlyMap<string, string>,
  { platformName = unlabelled }: Canvas
) => ({
  platforms: [...found.platforms].sort((a, b) => a.id < b.id ? -1 : 1).map((one) =>
    movementRow(platformName(one.id), one)
  ),
  keywords: found.keywords.map((one) => movementRow(printable(texts.get(one.id) ?? one.id), one))
})

/** "All 2 platforms and 6 keywords are within noise."; empty if all of them have moved. */
const unmovedText = (
  platforms: ReadonlyArray<ChangeRow>,
  keywords: ReadonlyArray<ChangeRow>
): ReadonlyArray<string> => {
  const all = [...platforms, ...keywords]
  const still = all.filter((row) => !row.moved).length
  if (still === 0) return []
  const parts = ([["platform", platforms], ["keyword", keywords]] as const).flatMap(([thing, rows]) => {
    const n = rows.filter((row) => !row.moved).length
    return n === 0 ? [] : [pluralized(n, thing)]
  })
  const which = still < all.length ? "The other" : parts.some((part) => part.startsWith("1 ")) ? "The" : "All"
  return [`${which} ${parts.join(" and ")} ${still === 1 ? "is" : "are"} within noise.`]
}

/** The changes since the scan before, for people. Lists only changes beyond noise. */
export const movedText = (
  found: Comparison,
  texts: ReadonlyMap<string, string>,
  canvas: Canvas
): ReadonlyArray<string> => {
  const { simulated } = found.after
  const toLines = (text: string) => wrapSentence(text, canvas, simulated)
  const since = toLines(`Since the scan of ${startOf(found.before)}: ${describeTrend(found)}`)
  if (found.trend === null) return since
  const { platforms, keywords } = makeChangeRows(found, texts, canvas)
  const moved = [...platforms, ...keywords].filter((row) => row.moved)
  return [
    ...since,
    ...changeRows(moved, canvas, simulated),
    ...unmovedText(platforms, keywords).flatMap(toLines)
  ]
}

/** The entire comparison as text, for people. */
export const comparisonText = (found: ScanComparison, canvas: Canvas): string => {
  const { simulated } = found.after
  const toLines = (text: string) => wrapSentence(text, canvas, simulated)
  const { platforms, keywords } = makeChangeRows(found, found.keywordTexts, canvas)
  const nameOf = (id: string) => printable(found.trackedSet.competitors.find((one) => one.id === id)?.name ?? id)
  const competitors = [
    ...found.competitors.map(({ id, trend }) => movementRow(nameOf(id), trend)),
    ...found.nobody === null ? [] : [movementRow("(no tracked brand)", found.nobody)]
  ]
  const brand = found.trend === null ? [] : [brandRow(printable(found.trackedSet.brand.name), found.trend)]
  const all = [...brand, ...platforms, ...keywords, ...competitors]
  const section = (title: string, rows: ReadonlyArray<ChangeRow>) => [
    "",
    canvas.style("bold", title),
    ...changeRows(rows, canvas, simulated, all)
  ]
  return [
    ...toLines(`${startOf(found.before)} → ${startOf(found.after)}`),
    ...toLines(
      `${found.nCells} of ${found.ofCells} cells (keyword × platform) ${
        found.breaks.length === 0 ? "were answered in both" : "can be compared"
      }; ` +
        `tracked set ${found.trackedSetVersion}, measure version ${found.measureVersion}.`
    ),
    ...[found.before, found.after].flatMap((scan) => {
      const part = formatNarrowing(scan)
      return part === null ? [] : toLines(`The scan of ${startOf(scan)} asked only ${part}.`)
    }),
    ...found.measuredAgain.flatMap((scan) =>
      toLines(`The scan of ${startOf(scan)} was measured again for this; its older score stays.`)
    ),
    ...found.trend === null ? toLines(describeTrend(found)) : [
      ...found.breaks.length === 0 ? [] : toLines(describeBreaks(found.breaks)),
      ...section("Share of voice", brand),
      ...section("Platforms", platforms),
      ...section("Keywords", keywords),
      ...section("Who else is named", competitors),
      "",
      "Before, after and difference in points. MOVED = more than noise.",
      ...toLines("Only these two scans are tested. sov score tests the newest scan against up to four earlier ones.")
    ]
  ].join("\n")
}
