import { Clock, Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { wholeHistory } from "../../domain/organizations/HistoryWindow.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import type { AskedKeywords } from "../../domain/scoring/asked.ts"
import type { CommonCellsComparison } from "../../domain/scoring/compareCells.ts"
import { type NewestScores, type ScoredScan, ScoreStore } from "../../ports/ScoreStore.ts"
import { NoCompletedScan } from "../errors.ts"
import { readMovements } from "./readMovements.ts"

/** Change of the share of voice since an earlier scan, over the cells that were answered in both. */
export type ShareChange = Pick<CommonCellsComparison, "breaks" | "nCells" | "ofCells" | "trend" | "platforms">

/** The brand's present visibility and its change. */
export interface Visibility {
  readonly latest: ScoredScan
  /** `NewestScores.keywords` */
  readonly keywords: AskedKeywords | null
  /** The completed scan before it, of its kind; null if absent. */
  readonly previous: Scan | null
  /** Null without an earlier scan, or when that was measured with other names or rules. */
  readonly since: ShareChange | null
}

/** What is known of a change, and since when (epoch milliseconds). */
interface KnownChange extends Pick<Visibility, "previous" | "since"> {
  readonly at: number
}

/**
 * By organization (a restored archive repeats ids), scans, versions and number of measured answers; clients poll for
 * it. A rescore may add earlier scans to those that a change is tested against: it is read again after a minute.
 */
const known = new Map<string, KnownChange>()
const maxKnown = 1_000
const maxAgeMillis = 60_000

const readChange = Effect.fnUntraced(function*(organizationId: OrganizationId, latest: ScoredScan, second: ScoredScan) {
  const { measureVersion, trackedSetVersion } = latest.score
  const measured = [second, latest].flatMap(({ scan, score }) => [scan.id, score.resultsCount - score.unmeasuredCount])
  const key = [organizationId, ...measured, measureVersion, trackedSetVersion].join(" ")
  const at = yield* Clock.currentTimeMillis
  const found = known.get(key)
  if (found !== undefined && at - found.at < maxAgeMillis) return found
  const { comparison, previous } = yield* readMovements(organizationId, wholeHistory, latest.scan, latest.score)
  if (comparison === null) return { previous, since: null }
  // The lists of a comparison may be long
  const { breaks, nCells, ofCells, platforms, trend } = comparison
  const change: KnownChange = { previous, since: { breaks, nCells, ofCells, platforms, trend }, at }
  if (known.size >= maxKnown) known.clear()
  known.set(key, change)
  return change
})

/** The newest of these scores and its change since the one before. Fails with NoCompletedScan without one. */
export const compareNewest = Effect.fnUntraced(function*(organizationId: OrganizationId, newest: NewestScores | null) {
  if (newest === null) return yield* new NoCompletedScan()
  const { keywords, latest, second } = newest
  const found: Visibility = { latest, keywords, previous: null, since: null }
  if (second === null) return found
  const { previous, since } = yield* readChange(organizationId, latest, second)
  return { ...found, previous, since }
})

/** The most recent completed scan and its change since the one before. Fails with NoCompletedScan before the first. */
export const readVisibility = Effect.fn("readVisibility")(function*(organizationId: OrganizationId) {
  return yield* compareNewest(organizationId, yield* (yield* ScoreStore).newest(organizationId))
})
