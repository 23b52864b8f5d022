import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { wholeHistory } from "../../domain/organizations/HistoryWindow.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { type AskedKeywords, isNarrowed } from "../../domain/scoring/asked.ts"
import type { CommonCellsComparison } from "../../domain/scoring/compareCells.ts"
import { countMeasured } from "../../domain/scoring/Score.ts"
import { formShortStanding, type ShortStanding } from "../../domain/scoring/shortStanding.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { type NewestScores, type ScoredScan, ScoreStore } from "../../ports/ScoreStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { NoCompletedScan } from "../errors.ts"
import { makeMemory } from "../makeMemory.ts"
import { readMovements } from "./readMovements.ts"
import { scansInTrend } from "./scansInTrend.ts"

/** Change of the share of voice since an earlier scan, over the cells that both answered. */
export type ShareChange = Pick<CommonCellsComparison, "breaks" | "nCells" | "ofCells" | "trend" | "platforms">

/** The brand's current visibility and its change. */
export interface Visibility {
  readonly latest: ScoredScan
  /** See `NewestScores.keywords`. */
  readonly keywords: AskedKeywords | null
  /** The completed scan of the same kind before it; null if there is no such scan. */
  readonly previous: Scan | null
  /** Null if there is no earlier scan, or if it was measured with other names or rules. */
  readonly since: ShareChange | null
  /** The share of voice of the scan before, as it was measured then; null if no comparable scan exists. */
  readonly previousSov: number | null
  readonly standing: ShortStanding
}

type Change = Pick<Visibility, "previous" | "since" | "previousSov" | "standing">

/**
 * Caches changes by organization (a restored archive repeats ids), scans, versions and number of measured answers,
 * because clients poll for them. A rescore may add earlier scans that a change is tested against, so an entry is read
 * again after a minute.
 */
const memories = makeMemory<Change>(1_000)
const keptMs = 60_000
/** Maximum number of earlier scans in a course. */
const maxCourse = 12

/** Leaves out the lists, which may be long. */
const shorten = ({ breaks, nCells, ofCells, platforms, trend }: ShareChange): ShareChange => ({
  breaks,
  nCells,
  ofCells,
  platforms,
  trend
})

const formChange = Effect.fnUntraced(function*(organizationId: OrganizationId, latest: ScoredScan) {
  const movements = yield* readMovements(organizationId, wholeHistory, latest.scan, latest.score)
  const { comparison, previous } = movements
  const scores = yield* ScoreStore
  const earlier = (yield* scores.history(organizationId, maxCourse, null, latest.scan.startedAt, latest.scan))
    .filter(({ scan }) => scan.id !== latest.scan.id && (isNarrowed(latest.scan) || !isNarrowed(scan)))
  const before = comparison === null
    ? null
    : yield* scores.ofScan(organizationId, comparison.before.id, latest.score)
  const change: Change = {
    previous,
    since: comparison === null ? null : shorten(comparison),
    previousSov: before?.avgSov ?? null,
    standing: formShortStanding(
      movements.trackedSet,
      movements,
      comparison,
      [latest, ...yield* scansInTrend(organizationId, latest, earlier)]
    )
  }
  return change
})

const readChange = Effect.fnUntraced(function*(organizationId: OrganizationId, { latest, second }: NewestScores) {
  const { measureVersion, trackedSetVersion } = latest.score
  const measured = [second, latest].flatMap((one) => one === null ? [] : [one.scan.id, countMeasured(one.score)])
  const key = [organizationId, ...measured, measureVersion, trackedSetVersion].join(" ")
  const memory = memories.of(yield* TrackedSetStore)
  return yield* memory.recall(key, keptMs, formChange(organizationId, latest))
})

/**
 * The newest of these scores and its change since the previous one. Fails with NoCompletedScan if there is no score.
 */
export const compareNewest = Effect.fnUntraced(function*(organizationId: OrganizationId, newest: NewestScores | null) {
  if (newest === null) return yield* new NoCompletedScan()
  const { previous, previousSov, since, standing } = yield* readChange(organizationId, newest)
  const found: Visibility = { latest: newest.latest, keywords: newest.keywords, previous, since, previousSov, standing }
  return found
})

/** The newest completed scans of a view, including narrowed ones. */
const newestOfView = Effect.fnUntraced(function*(organizationId: OrganizationId, view: string) {
  const [latest, second = null] = yield* (yield* ScoreStore).history(organizationId, 2, null, null, view)
  if (latest === undefined) return null
  const { askable, id } = latest.scan
  const newest: NewestScores = {
    latest,
    second,
    keywords: askable === undefined ? yield* (yield* CellStore).countAsked(organizationId, id) : null
  }
  return newest
})

/**
 * The most recent completed scan and its change since the previous one; of another `view` than the standard one, if
 * given. Fails with NoCompletedScan if no scan has completed.
 */
export const readVisibility = Effect.fn("readVisibility")(
  function*(organizationId: OrganizationId, view: string | null = null) {
    const newest = view === null
      ? yield* (yield* ScoreStore).newest(organizationId)
      : yield* newestOfView(organizationId, view)
    return yield* compareNewest(organizationId, newest)
  }
)
