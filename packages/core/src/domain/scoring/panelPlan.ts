/**
 * How large a change a panel (keywords × platforms × samples) can show, and how large a panel shows a change
 * (docs/planning.md).
 */
import { minGateCells } from "../alerts/evidence.ts"
import { pluralized } from "../wording.ts"
import { cellMean, type ScoredCell, sum } from "./cells.ts"
import { type CommonCells, findCommonCells, hasEnoughCellsForTrend } from "./commonCells.ts"
import { roundHalfUp, scoreRow } from "./Score.ts"
import { z95OneSided } from "./studentT.ts"

/** The one-sided 80 % point of the normal distribution: the power that plans are made for. */
const z80 = 0.8416

/**
 * Standard deviation of one answer's share that is assumed while too few scans tell it: what the simulation behind
 * docs/measuring.md has (3.4 points of the average of 50 cells).
 */
const assumedDeviation = 24

/**
 * The fewest cells that a plan promises anything of. In simulated archives of fewer cells the power was up to 20 points
 * off: their mean is not normal. The noise gate of alerts counts them as low confidence, too.
 */
const minPlannedCells = minGateCells

/** Pairs of successive scans, below which the assumption counts as much as one pair. */
const enoughPairs = 2

/** What one cell's share varies by from scan to scan, in an unchanged world; squared points. */
export interface CellNoise {
  /** Of single answers to one question: repeating it makes it smaller. */
  readonly answers: number
  /** Of the scan: it stays however often a question is repeated. */
  readonly scans: number
  /** Pairs of successive comparable scans that it is estimated from. */
  readonly pairs: number
  /** Whether an assumption had to stand in for scans that there are not. */
  readonly isAssumed: boolean
  /** Whether samples of one scan told the two parts from each other; else all of it is taken to be of the answers. */
  readonly isSplit: boolean
}

/** Variance of single answers around the mean of their cell; null where no cell has two. */
const varianceOfSamples = (scans: ReadonlyArray<ReadonlyArray<ScoredCell>>): number | null => {
  let squares = 0
  let freedom = 0
  for (const cell of scans.flat()) {
    const mean = cellMean(cell, scoreRow)
    squares += sum(cell.rows.map((row) => (scoreRow(row) - mean) ** 2))
    freedom += cell.rows.length - 1
  }
  return freedom === 0 ? null : squares / freedom
}

/**
 * Half the mean squared difference of a cell between two scans: the variance of one cell's mean. Weighted as in the
 * test.
 */
const varianceOfCells = ({ cells }: CommonCells): number => {
  const squares = sum(
    cells.map(({ after, before, weight }) => (weight * (cellMean(after, scoreRow) - cellMean(before, scoreRow))) ** 2)
  )
  return squares / sum(cells.map(({ weight }) => weight ** 2)) / 2
}

const meanSamples = (scans: ReadonlyArray<ReadonlyArray<ScoredCell>>): number => {
  const cells = scans.flat()
  return cells.length === 0 ? 1 : sum(cells.map(({ rows }) => rows.length)) / cells.length
}

/** Estimates the noise from scans that were measured alike, and the common cells of successive ones. */
export const estimateCellNoise = (
  scans: ReadonlyArray<ReadonlyArray<ScoredCell>>,
  pairs: ReadonlyArray<CommonCells>
): CellNoise => {
  const usable = pairs.filter(hasEnoughCellsForTrend)
  const samples = meanSamples(scans)
  const within = varianceOfSamples(scans)
  const isAssumed = usable.length < enoughPairs
  const measured = usable.map(varianceOfCells)
  const all = isAssumed ? [...measured, assumedDeviation ** 2 / samples] : measured
  const perCell = sum(all) / all.length
  const answers = within === null ? perCell * samples : Math.min(within, perCell * samples)
  return {
    answers,
    scans: Math.max(0, perCell - answers / samples),
    pairs: usable.length,
    isAssumed,
    isSplit: within !== null
  }
}

/** Variance of the difference of one cell between two scans. */
const differenceVariance = ({ answers, scans }: CellNoise, samples: number): number => 2 * (answers / samples + scans)

/**
 * The cells that are needed for a change of `points` to be seen with 80 % power at the 5 % level, one-sided as alerts
 * and trends test it. The test is z = Σd / √Σd² over the cells (`pairedTrend`); with mean δ and variance σ² of each
 * difference, n cells have z ≈ (δ√n + σX) / √(σ² + δ²), X normal, so that n = ((1.645 √(σ² + δ²) + 0.8416 σ) / δ)².
 * Never fewer than a plan promises anything of.
 */
export const countNeededCells = (noise: CellNoise, samples: number, points: number): number => {
  const variance = differenceVariance(noise, samples)
  const needed = ((z95OneSided * Math.sqrt(variance + points ** 2) + z80 * Math.sqrt(variance)) / points) ** 2
  return Math.max(minPlannedCells, Math.ceil(needed))
}

/** How many more cells a panel needs before a plan promises anything of it; 0 = none. */
export const countMissingCells = (cells: number): number => Math.max(0, minPlannedCells - cells)

/**
 * The smallest change, in points, that so many cells show; the inverse of `countNeededCells`. Null where it is above
 * 100, or cells are missing (`countMissingCells`).
 */
export const findDetectableChange = (noise: CellNoise, samples: number, cells: number): number | null => {
  if (countMissingCells(cells) > 0) return null
  const variance = differenceVariance(noise, samples)
  const isShown = (points: number) =>
    points * Math.sqrt(cells) >= z95OneSided * Math.sqrt(variance + points ** 2) + z80 * Math.sqrt(variance)
  if (!isShown(100)) return null
  let [low, high] = [0, 100]
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2
    if (isShown(middle)) high = middle
    else low = middle
  }
  return high
}

/** A panel that shows a change. */
export interface PanelOption {
  readonly keywords: number
  readonly samples: number
  /** Questions of one scan: keywords × platforms × samples. */
  readonly questions: number
}

/** More keywords than anybody asks are no plan. */
const maxPlannedKeywords = 10_000
/** A scan takes at most so many samples. */
const maxSamples = 5

/**
 * The panels on so many platforms that show a change of `points`, one for each number of samples; those that are too
 * large are left out.
 */
export const listPanelOptions = (noise: CellNoise, platforms: number, points: number): ReadonlyArray<PanelOption> =>
  Array.from({ length: maxSamples }, (_, i) => {
    const samples = i + 1
    const keywords = Math.ceil(countNeededCells(noise, samples, points) / platforms)
    return { keywords, samples, questions: keywords * platforms * samples }
  }).filter(({ keywords }) => keywords <= maxPlannedKeywords)

/** What the panel of a scan can show. */
export interface PanelReach {
  readonly keywords: number
  readonly platforms: number
  /** Answers of a cell, on average. */
  readonly samples: number
  readonly cells: number
  /** Cells that it has too few to promise anything. */
  readonly missingCells: number
  readonly noise: CellNoise
  /** The smallest change in points that it shows; null = not even 100, or cells are missing. */
  readonly detectable: number | null
}

/** Scans that the noise is estimated from, at most. */
export const maxPlanScans = 9

/** The reach of the last of these scans, which were measured alike; oldest first. */
export const findPanelReach = (scans: ReadonlyArray<ReadonlyArray<ScoredCell>>): PanelReach => {
  const cells = scans.at(-1) ?? []
  const noise = estimateCellNoise(scans, scans.slice(1).map((after, i) => findCommonCells(scans[i]!, after)))
  const samples = meanSamples([cells])
  return {
    keywords: new Set(cells.map(({ keywordId }) => keywordId)).size,
    platforms: new Set(cells.map(({ platform }) => platform)).size,
    samples,
    cells: cells.length,
    missingCells: countMissingCells(cells.length),
    noise,
    detectable: findDetectableChange(noise, samples, cells.length)
  }
}

/** An alert for which the panel is too small. */
export interface BlindAlert {
  /** The threshold of `sov_drop`, and how far the share of voice is above it, in points. */
  readonly threshold: number
  readonly distance: number
  /** The smallest change that the panel shows, and the cells that it has too few, as `PanelReach`. */
  readonly detectable: number | null
  readonly missingCells: number
}

/**
 * Whether a fall from this share of voice to the threshold is smaller than what the panel shows; null where the panel
 * shows it, or the share is below the threshold already.
 */
export const judgeThreshold = (
  threshold: number,
  avgSov: number | null,
  { detectable, missingCells }: Pick<PanelReach, "detectable" | "missingCells">
): BlindAlert | null => {
  if (avgSov === null || avgSov < threshold) return null
  const distance = avgSov - threshold
  return detectable !== null && detectable <= distance ? null : { threshold, distance, detectable, missingCells }
}

const countPoints = (points: number, format: (points: number) => string): string =>
  `${format(points)} ${roundHalfUp(points, 1) === 1 ? "point" : "points"}`

/** That an alert asks for more than the panel shows, without a stop; `format` writes a number with one digit. */
export const describeBlindAlert = (
  { detectable, distance, missingCells, threshold }: BlindAlert,
  format: (points: number) => string = (points) => String(roundHalfUp(points, 1))
): string =>
  `The alert threshold of ${format(threshold)} % is ${countPoints(distance, format)} away, and these questions ${
    missingCells > 0
      ? `are too few to tell a change from noise: ${pluralized(missingCells, "more cell")} (keyword × platform) ${
        missingCells === 1 ? "is" : "are"
      } needed`
      : detectable === null
      ? "show no change"
      : `show changes from ${countPoints(detectable, format)} on (80 % power)`
  }`

/** The change that would have to be seen, in whole points, as `sov scan plan --change` takes it. */
export const changeToPlan = ({ distance }: BlindAlert): number => Math.max(1, roundHalfUp(distance, 0))
