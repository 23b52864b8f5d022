/** Finds what changed between scans beyond noise: the brand, its platforms and keywords, and the competitors. */
import { minGateCells } from "../alerts/evidence.ts"
import type { CompetitorId, KeywordId } from "../ids.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import { competitorShare, nobodyShare, type ScoredCell, scoreRow, type Share } from "./cells.ts"
import { testChanges, type TestedChange, testHeadline } from "./changeTests.ts"
import { cellKey, type CommonCell, findCommonCells, hasEnoughCellsForTrend } from "./commonCells.ts"
import { keywordInterval } from "./intervals.ts"
import { makePanel, valuesOf } from "./panel.ts"
import { type Change, measureChange, type Trend } from "./trend.ts"

/** The change of one platform or keyword. */
export interface Movement<Id> extends Change {
  readonly id: Id
  readonly beyondNoise: boolean
}

/** The trend of a competitor or of "nobody"; `beyondNoise`: its direction is not `flat`. */
export interface NamedTrend extends Trend {
  readonly beyondNoise: boolean
}

/** The changes since the scan before. If nothing changed, at most 5 % of scans show any change beyond noise. */
export interface MarkedChanges {
  readonly trend: Trend
  readonly platforms: ReadonlyArray<Movement<PlatformId>>
  readonly keywords: ReadonlyArray<Movement<KeywordId>>
  /** The competitors, in the given order. */
  readonly competitors: ReadonlyArray<{ readonly id: CompetitorId; readonly trend: NamedTrend }>
  readonly nobody: NamedTrend
}

/**
 * Maximum number of earlier scans that the newest scan is tested against. Their mean is less noisy than the last scan
 * alone.
 */
export const maxBaseline = 4

/**
 * Whether a change is marked. Pages show the change since the scan before, so a test whose sign differs from that
 * change does not count.
 */
const isMarked = ({ delta }: Change, tested: TestedChange | undefined): boolean =>
  tested?.marked === true && Math.sign(delta) === Math.sign(tested.delta)

const makeTrend = (change: Change, tested: TestedChange | undefined): Trend => ({
  ...change,
  z: tested?.t ?? 0,
  direction: !isMarked(change, tested) ? "flat" : change.delta > 0 ? "up" : "down"
})

/**
 * The panel of the newest scan's cells, and the values of a share scan by scan; null if the scan is too small for an
 * interval.
 */
const alignScans = (scans: ReadonlyArray<ReadonlyArray<ScoredCell>>) => {
  const newest = scans.at(-1)!
  const earlier = scans.slice(0, -1).slice(-maxBaseline).map((cells) => findCommonCells(cells, newest))
    .filter(hasEnoughCellsForTrend)
  if (keywordInterval(newest, scoreRow) === null) return null
  const found = earlier.map(({ cells }) => new Map(cells.map(({ before }) => [cellKey(before), before])))
  const missing: Pick<ScoredCell, "rows"> = { rows: [] }
  const aligned = found.map((cells) => newest.map((cell) => cells.get(cellKey(cell)) ?? missing))
  return {
    panel: makePanel(newest),
    valuesOfScans: (share: Share) => [...aligned, newest].map((cells) => valuesOf(cells, share))
  }
}

const listShares = (competitorIds: ReadonlyArray<CompetitorId>): ReadonlyArray<Share> => [
  nobodyShare,
  ...competitorIds.map(competitorShare)
]

/** The trend of the brand that `findMovements` finds. */
export const findTrend = (
  scans: ReadonlyArray<ReadonlyArray<ScoredCell>>,
  competitorIds: ReadonlyArray<CompetitorId>
): Trend | null => {
  const common = findCommonCells(scans.at(-2)!, scans.at(-1)!)
  if (!hasEnoughCellsForTrend(common)) return null
  const aligned = common.cells.length < minGateCells ? null : alignScans(scans)
  const tested = aligned === null ? undefined : testHeadline(
    aligned.panel,
    aligned.valuesOfScans(scoreRow),
    () => listShares(competitorIds).map(aligned.valuesOfScans)
  )
  return makeTrend(measureChange(common.cells, scoreRow), tested)
}

/**
 * Finds the changes in the newest of 2 or more comparable scans, oldest first, since the scan before it. The shown
 * changes are those of the common cells of these two scans; the tests compare with the mean of up to four earlier
 * scans. Null if there are too few common cells. With fewer than 20 common cells, or without an interval, no change is
 * beyond noise.
 */
export const findMovements = (
  scans: ReadonlyArray<ReadonlyArray<ScoredCell>>,
  competitorIds: ReadonlyArray<CompetitorId>
): MarkedChanges | null => {
  const common = findCommonCells(scans.at(-2)!, scans.at(-1)!)
  if (!hasEnoughCellsForTrend(common)) return null
  const { cells } = common
  const shares = listShares(competitorIds)
  const aligned = cells.length < minGateCells ? null : alignScans(scans)
  const tested = aligned && testChanges(aligned.panel, [scoreRow, ...shares].map(aligned.valuesOfScans))
  const [nobody, ...competitors] = shares.map((share, i): NamedTrend => {
    const trend = makeTrend(measureChange(cells, share), tested?.others[i])
    return { ...trend, beyondNoise: trend.direction !== "flat" }
  })
  const newest = scans.at(-1)!
  const find = <Id>(ids: ReadonlyArray<Id>, idOf: (cell: CommonCell) => Id, tests?: ReadonlyArray<TestedChange>) => {
    // The tests number platforms and keywords in the order of the newest scan (`makePanel`)
    const places = new Map([...new Set(ids)].map((id, i) => [id, i]))
    return [...Map.groupBy(cells, idOf)].map(([id, own]): Movement<Id> => {
      const change = measureChange(own, scoreRow)
      return { id, ...change, beyondNoise: isMarked(change, tests?.[places.get(id)!]) }
    })
  }
  return {
    trend: makeTrend(measureChange(cells, scoreRow), tested?.headline),
    platforms: find(newest.map(({ platform }) => platform), ({ after }) => after.platform, tested?.platforms),
    keywords: find(newest.map(({ keywordId }) => keywordId), ({ after }) => after.keywordId, tested?.questions),
    competitors: competitorIds.map((id, i) => ({ id, trend: competitors[i]! })),
    nobody: nobody!
  }
}
