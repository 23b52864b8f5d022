/**
 * Finds the smallest change that a panel (keywords × platforms × samples) can detect, and the panel that a change needs
 * (docs/planning.md).
 */
import { minGateCells } from "../alerts/evidence.ts"
import { maxSamples } from "../scanning/startRequest.ts"
import { pluralized } from "../wording.ts"
import { averageCells, cellMean, type ScoredCell, sum } from "./cells.ts"
import { expectedShock, shockDf } from "./changeTests.ts"
import { type CommonCells, findCommonCells, hasEnoughCellsForTrend } from "./commonCells.ts"
import { maxBaseline } from "./movements.ts"
import { roundHalfUp, scoreRow } from "./Score.ts"

/**
 * The size of a change that is detected with 80 % power, in standard errors: the two-sided 3.5 % point of the normal
 * distribution (the test of the headline, `testChanges`) plus its one-sided 80 % point.
 */
const zPlanned = 2.1084 + 0.8416

/**
 * Assumed standard deviation of one answer's share until there are enough scans to estimate it, from the simulation of
 * docs/measuring.md (3.4 points of the average of 50 cells).
 */
const assumedDeviation = 24

/**
 * Minimum number of cells for a plan. With fewer cells, the power in simulated archives was off by up to 20 points,
 * because their mean is not normally distributed. The noise gate of alerts also reports low confidence below this
 * number.
 */
const minPlannedCells = minGateCells

/** Below this number of pairs of successive scans, the assumption counts as one more pair. */
const enoughPairs = 2

/** The variance of one cell's share between scans if nothing changes, in squared points. */
export interface CellNoise {
  /** Variance between answers to one question, which samples reduce. */
  readonly answers: number
  /** Variance between scans, which samples do not reduce. */
  readonly scans: number
  /** Assumed variance of the average between scans, because a platform's answers move together (`testChanges`). */
  readonly shocks: number
  /** Number of pairs of successive comparable scans behind the estimate. */
  readonly pairs: number
  /** Whether the estimate includes the assumption, because there are too few scans. */
  readonly isAssumed: boolean
  /** Whether samples separate the two variances; otherwise `answers` contains the entire variance. */
  readonly isSplit: boolean
}

/** Variance of answers around the mean of their cell; null if no cell has two answers. */
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
 * The variance of one cell's mean, weighted as in the test: half the mean squared difference of a cell between two
 * scans.
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

/**
 * The variance of shocks, measured from the scans of the test, with an assumption that counts as a few degrees of
 * freedom.
 */
const varianceOfShocks = (cells: ReadonlyArray<ScoredCell>): number => {
  const share = (averageCells(cells, scoreRow) ?? 0) / 100
  const platforms = new Set(cells.map(({ platform }) => platform)).size
  if (platforms === 0) return 0
  const part = shockDf / (shockDf + maxBaseline * (platforms - 1))
  return part * (100 * expectedShock * share * (1 - share)) ** 2 / platforms
}

/** Estimates the noise from comparable scans and the common cells of successive scans. */
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
    shocks: varianceOfShocks(scans.at(-1) ?? []),
    pairs: usable.length,
    isAssumed,
    isSplit: within !== null
  }
}

/** Variance of the difference of one cell between a scan and the mean of the scans that it is tested against. */
const differenceVariance = ({ answers, scans }: CellNoise, samples: number): number =>
  (1 + 1 / maxBaseline) * (answers / samples + scans)

/** Variance of the difference of the average that no number of cells can reduce. */
const varianceOfAll = ({ shocks }: CellNoise): number => (1 + 1 / maxBaseline) * shocks

/**
 * The number of cells that detects a change of `points` with 80 % power when four scans precede it (`findMovements`): n
 * = σ² / ((δ / 2.95)² − shocks), where σ² is the variance of a cell's difference. At least `minPlannedCells`; infinite
 * if shocks alone hide the change.
 */
export const countNeededCells = (noise: CellNoise, samples: number, points: number): number =>
  Math.max(
    minPlannedCells,
    Math.ceil(differenceVariance(noise, samples) / Math.max(0, (points / zPlanned) ** 2 - varianceOfAll(noise)))
  )

/** How many more cells a panel needs for a plan. */
export const countMissingCells = (cells: number): number => Math.max(0, minPlannedCells - cells)

/**
 * The smallest change, in points, that this number of cells detects; the inverse of `countNeededCells`. Null above 100,
 * or if the panel needs more cells (`countMissingCells`).
 */
export const findDetectableChange = (noise: CellNoise, samples: number, cells: number): number | null => {
  if (countMissingCells(cells) > 0) return null
  const points = zPlanned * Math.sqrt(differenceVariance(noise, samples) / cells + varianceOfAll(noise))
  return points > 100 ? null : points
}

/** A panel that can detect the change. */
export interface PanelOption {
  readonly keywords: number
  readonly samples: number
  /** Number of questions in one scan: keywords × platforms × samples. */
  readonly questions: number
}

/** Maximum number of keywords in a plan. */
const maxPlannedKeywords = 10_000

/**
 * The panels on the given number of platforms that detect a change of `points`, one for each number of samples; panels
 * that are too large are left out.
 */
export const listPanelOptions = (noise: CellNoise, platforms: number, points: number): ReadonlyArray<PanelOption> =>
  Array.from({ length: maxSamples }, (_, i) => {
    const samples = i + 1
    const keywords = Math.ceil(countNeededCells(noise, samples, points) / platforms)
    return { keywords, samples, questions: keywords * platforms * samples }
  }).filter(({ keywords }) => keywords <= maxPlannedKeywords)

/** The changes that the panel of a scan can detect. */
export interface PanelReach {
  readonly keywords: number
  readonly platforms: number
  /** Average number of answers per cell. */
  readonly samples: number
  readonly cells: number
  /** How many more cells the panel needs for a plan. */
  readonly missingCells: number
  readonly noise: CellNoise
  /** The smallest change in points that the panel detects; null above 100, or if the panel needs more cells. */
  readonly detectable: number | null
  /** The share of voice, 0–100, which is also the largest possible fall. */
  readonly share: number | null
}

/** Maximum number of scans for estimating the noise. */
export const maxPlanScans = 9

/** The changes that the panel of the last of these comparable scans can detect; the scans are ordered oldest first. */
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
    detectable: findDetectableChange(noise, samples, cells.length),
    share: averageCells(cells, scoreRow)
  }
}

/** An alert rule whose change is too small for the panel to detect. */
export interface BlindAlert {
  /**
   * The threshold of `sov_drop`, and the `distance` in points from the share of voice down to it.
   */
  readonly threshold: number
  readonly distance: number
  /** The smallest change that the panel detects, and the number of cells that it lacks, see `PanelReach`. */
  readonly detectable: number | null
  readonly missingCells: number
}

/**
 * Judges whether the panel can detect a fall from this share of voice to the threshold; null if it can, or if the share
 * is already below the threshold.
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

/** Describes a blind alert, without a full stop; `format` writes a number with one digit. */
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

/** The change that `sov scan plan --change` should detect, in whole points. */
export const changeToPlan = ({ distance }: BlindAlert): number => Math.max(1, roundHalfUp(distance, 0))
