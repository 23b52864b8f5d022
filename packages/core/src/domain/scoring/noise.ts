/**
 * Simulates scans without a real change, and counts what sov would report about them (docs/measuring.md, section
 * "Noise").
 */
import { stepOvertake } from "../alerts/competitorOvertake.ts"
import type { ComparableScan } from "../alerts/evidence.ts"
import { stepSovDrop } from "../alerts/sovDrop.ts"
import type { CompetitorId, KeywordId, ScanId } from "../ids.ts"
import { averageCells, competitorShare, nobodyShare, type ScoredCell, scoreRow, sum } from "./cells.ts"
import { cellKey } from "./commonCells.ts"
import { estimateIntervals, type Interval } from "./intervals.ts"
import { findMovements, maxBaseline } from "./movements.ts"
import { topicOf } from "./panel.ts"

/** A cell with the probabilities, 0–1, that an answer names the brand (first) and each competitor. */
interface PanelCell extends Pick<ScoredCell, "keywordId" | "platform" | "topic"> {
  readonly chances: ReadonlyArray<number>
  readonly samples: number
}

/** The model that scans are drawn from: the questions of a scan, and how often their answers name each brand. */
export interface NoisePanel {
  readonly cells: ReadonlyArray<PanelCell>
  readonly competitors: ReadonlyArray<CompetitorId>
}

/** Returns random numbers from 0 to 1. */
type Random = () => number

/** Counts of what would be reported in one simulated period. */
export interface NoiseCounts {
  /** Number of scans that were compared with earlier scans. */
  readonly comparisons: number
  /** Number of comparisons that mark a change as more than noise, by kind. */
  readonly marked: { readonly [kind in MarkKind]: number }
  /**
   * Number of intervals (`of`), and of the intervals that contain the true share of the topics from which the scan's
   * topics were drawn.
   */
  readonly intervals: { readonly [kind in IntervalKind]: { readonly held: number; readonly of: number } }
  readonly alerts: { readonly [alert in NoiseAlert]: number }
}

export const markKinds = ["anything", "headline", "competitors", "platforms", "questions"] as const
export type MarkKind = typeof markKinds[number]
export const intervalKinds = ["headline", "competitors", "nobody", "platforms"] as const
export type IntervalKind = typeof intervalKinds[number]
export const noiseAlerts = [
  "sov_drop immediate",
  "sov_drop confirmed",
  "competitor_overtake immediate",
  "competitor_overtake confirmed"
] as const
export type NoiseAlert = typeof noiseAlerts[number]

/**
 * The number of answers that a topic's mean counts as in each of its cells, and the number that the panel's mean counts
 * as in each topic.
 */
const [topicWeight, panelWeight] = [2, 1]

/**
 * Fits the panel of the newest scan. A cell's rate over all scans is shrunk towards the rate of its topic, and that
 * rate towards the panel's.
 */
export const fitPanel = (
  scans: ReadonlyArray<ReadonlyArray<ScoredCell>>,
  competitors: ReadonlyArray<CompetitorId>
): NoisePanel => {
  const newest = scans.at(-1)!
  const byCell = Map.groupBy(scans.flat(), cellKey)
  const countNames = (cells: ReadonlyArray<ScoredCell>) => {
    const rows = cells.flatMap((cell) => cell.rows)
    const named = [
      rows.filter(({ brandMentioned }) => brandMentioned).length,
      ...competitors.map((id) => rows.filter(({ competitorsMentioned }) => competitorsMentioned.includes(id)).length)
    ]
    return { rows: rows.length, named }
  }
  const all = countNames(newest)
  const topics = new Map(
    [...Map.groupBy(newest.flatMap((cell) => byCell.get(cellKey(cell))!), topicOf)].map(([topic, cells]) => {
      const { named, rows } = countNames(cells)
      return [topic, named.map((one, i) => (one + panelWeight * all.named[i]! / all.rows) / (rows + panelWeight))]
    })
  )
  return {
    competitors,
    cells: newest.map((cell) => {
      const { named, rows } = countNames(byCell.get(cellKey(cell))!)
      const { keywordId, platform, rows: { length: samples } } = cell
      const chances = named.map((one, i) => (one + topicWeight * topics.get(topicOf(cell))![i]!) / (rows + topicWeight))
      return { keywordId, platform, topic: topicOf(cell), samples, chances }
    })
  }
}

const drawScan = ({ cells, competitors }: NoisePanel, random: Random): ReadonlyArray<ScoredCell> =>
  cells.map(({ chances, keywordId, platform, samples, topic }) => ({
    keywordId,
    platform,
    ...topic === undefined ? {} : { topic },
    rows: Array.from({ length: samples }, () => ({
      keywordId,
      platform,
      brandMentioned: random() < chances[0]!,
      competitorsMentioned: competitors.filter((_, i) => random() < chances[i + 1]!)
    }))
  }))

/** A panel with the same number of topics, drawn with replacement. */
const redrawTopics = ({ cells, competitors }: NoisePanel, random: Random): NoisePanel => {
  const topics = [...Map.groupBy(cells, topicOf).values()]
  return {
    competitors,
    cells: topics.flatMap((_, n) =>
      topics[Math.floor(random() * topics.length)]!.map((cell) => ({
        ...cell,
        keywordId: `${cell.keywordId} ${n}` as KeywordId,
        topic: `${topicOf(cell)} ${n}`
      }))
    )
  }
}

/**
 * The expected share of a name in an answer, 0–100: 100 divided by the number of named brands, averaged over all
 * combinations.
 */
const expectShare = (chances: ReadonlyArray<number>, name: number): number => {
  let beside = [1]
  for (const chance of chances.toSpliced(name, 1)) {
    beside = [...beside, 0].map((one, n) => one * (1 - chance) + (beside[n - 1] ?? 0) * chance)
  }
  return chances[name]! * sum(beside.map((one, n) => one * 100 / (1 + n)))
}

const expectNobody = (chances: ReadonlyArray<number>): number =>
  100 * chances.reduce((none, chance) => none * (1 - chance), 1)

/** The true average over the panel's cells. */
const expectAverage = (cells: ReadonlyArray<PanelCell>, expect: (chances: ReadonlyArray<number>) => number): number =>
  averageCells(
    cells.map((cell) => ({ ...cell, rows: [cell] })),
    ({ chances }) => expect(chances)
  )!

const testIntervals = (panel: NoisePanel, random: Random): ReadonlyArray<readonly [IntervalKind, boolean]> => {
  const cells = drawScan(redrawTopics(panel, random), random)
  const intervalOf = estimateIntervals(cells)
  const holds = (interval: Interval | null, truth: number): ReadonlyArray<boolean> =>
    interval === null ? [] : [interval.low <= truth + 1e-9 && interval.high >= truth - 1e-9]
  const brand = (chances: ReadonlyArray<number>) => expectShare(chances, 0)
  return [
    ...holds(intervalOf(scoreRow), expectAverage(panel.cells, brand)).map((held) => ["headline", held] as const),
    ...holds(intervalOf(nobodyShare), expectAverage(panel.cells, expectNobody)).map((held) =>
      ["nobody", held] as const
    ),
    ...panel.competitors.flatMap((id, i) =>
      holds(
        intervalOf(competitorShare(id)),
        expectAverage(panel.cells, (chances) => expectShare(chances, i + 1))
      ).map((held) => ["competitors", held] as const)
    ),
    ...[...new Set(panel.cells.map(({ platform }) => platform))].flatMap((platform) =>
      holds(
        estimateIntervals(cells.filter((cell) => cell.platform === platform))(scoreRow),
        expectAverage(panel.cells.filter((cell) => cell.platform === platform), brand)
      ).map((held) => ["platforms", held] as const)
    )
  ]
}

const toComparable = (cells: ReadonlyArray<ScoredCell>, { competitors }: NoisePanel, n: number): ComparableScan => ({
  scanId: `simulated ${n}` as ScanId,
  sov: averageCells(cells, scoreRow)!,
  competitors: new Map(competitors.map((id) => [id, averageCells(cells, competitorShare(id))!])),
  cells
})

/**
 * Counts the alerts of scans in order, each compared with up to four scans before it. `threshold` null means the true
 * share of voice.
 */
const countAlerts = (panel: NoisePanel, scans: ReadonlyArray<ReadonlyArray<ScoredCell>>, threshold: number | null) => {
  const counts = { ...zeroAlerts }
  const bound = threshold ?? expectAverage(panel.cells, (chances) => expectShare(chances, 0))
  const comparable = scans.map((cells, n) => toComparable(cells, panel, n))
  let [drop, overtake]: [Parameters<typeof stepSovDrop>[1], Parameters<typeof stepOvertake>[0]] = [null, null]
  for (let n = 1; n < comparable.length; n++) {
    const window = comparable.slice(Math.max(0, n - maxBaseline), n + 1)
    const fallen = stepSovDrop(bound, drop, window)
    const overtaken = stepOvertake(overtake, window)
    drop = fallen.state
    overtake = overtaken.state
    if (n < maxBaseline) continue
    counts["sov_drop immediate"] += Number(fallen.crossed)
    counts["sov_drop confirmed"] += Number(fallen.evidence.confirmed)
    counts["competitor_overtake immediate"] += overtaken.competitors.filter(({ crossed }) => crossed).length
    counts["competitor_overtake confirmed"] += overtaken.competitors.filter(({ evidence }) => evidence.confirmed).length
  }
  return counts
}

const zeroAlerts: { [alert in NoiseAlert]: number } = {
  "sov_drop immediate": 0,
  "sov_drop confirmed": 0,
  "competitor_overtake immediate": 0,
  "competitor_overtake confirmed": 0
}

/** The kinds of changes that are marked in the newest of these scans. */
const findMarked = (scans: ReadonlyArray<ReadonlyArray<ScoredCell>>, { competitors }: NoisePanel) => {
  const found = findMovements(scans, competitors)
  const some = (all: ReadonlyArray<{ readonly beyondNoise: boolean }>) => all.some(({ beyondNoise }) => beyondNoise)
  const kinds = {
    headline: found !== null && found.trend.direction !== "flat",
    competitors: found !== null && some([...found.competitors.map(({ trend }) => trend), found.nobody]),
    platforms: found !== null && some(found.platforms),
    questions: found !== null && some(found.keywords)
  }
  return { anything: Object.values(kinds).includes(true), ...kinds }
}

/**
 * Simulates one period of `scans` scans, after four earlier scans to compare with, and as many draws of other topics.
 * `threshold` is that of `sov_drop`; null means the true share of voice, which chance crosses most often.
 */
export const simulateNoise = (
  panel: NoisePanel,
  { random, scans, threshold }: { readonly random: Random; readonly scans: number; readonly threshold: number | null }
): NoiseCounts => {
  const drawn = Array.from({ length: maxBaseline + scans }, () => drawScan(panel, random))
  const marked = { anything: 0, headline: 0, competitors: 0, platforms: 0, questions: 0 }
  for (let n = maxBaseline; n < drawn.length; n++) {
    const found = findMarked(drawn.slice(n - maxBaseline, n + 1), panel)
    for (const kind of markKinds) marked[kind] += Number(found[kind])
  }
  const held = Array.from({ length: scans }, () => testIntervals(panel, random)).flat()
  const count = (kind: IntervalKind) => {
    const own = held.filter(([one]) => one === kind)
    return { held: own.filter(([, is]) => is).length, of: own.length }
  }
  return {
    comparisons: scans,
    marked,
    intervals: {
      headline: count("headline"),
      competitors: count("competitors"),
      nobody: count("nobody"),
      platforms: count("platforms")
    },
    alerts: countAlerts(panel, drawn, threshold)
  }
}

/** Adds up the counts of several periods. */
export const addNoise = (one: NoiseCounts, other: NoiseCounts): NoiseCounts => ({
  comparisons: one.comparisons + other.comparisons,
  marked: mapKinds(markKinds, (kind) => one.marked[kind] + other.marked[kind]),
  intervals: mapKinds(intervalKinds, (kind) => ({
    held: one.intervals[kind].held + other.intervals[kind].held,
    of: one.intervals[kind].of + other.intervals[kind].of
  })),
  alerts: mapKinds(noiseAlerts, (alert) => one.alerts[alert] + other.alerts[alert])
})

const mapKinds = <K extends string, V>(kinds: ReadonlyArray<K>, value: (kind: K) => V): { readonly [kind in K]: V } =>
  Object.fromEntries(kinds.map((kind) => [kind, value(kind)])) as { readonly [kind in K]: V }
