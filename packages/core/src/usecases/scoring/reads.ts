import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { isOneSeries, type Scan } from "../../domain/scanning/Scan.ts"
import { isNarrowed } from "../../domain/scoring/asked.ts"
import { AnnotationStore } from "../../ports/AnnotationStore.ts"
import { type ScoredScan, ScoreStore } from "../../ports/ScoreStore.ts"
import { NoCompletedScan } from "../errors.ts"

/**
 * The headline scan with its newest score, and how many of the currently active keywords it asked. Fails with
 * NoCompletedScan if no scan has completed.
 */
export const readCurrentScore = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const newest = yield* (yield* ScoreStore).newest(organizationId)
  if (newest === null) return yield* new NoCompletedScan()
  return { ...newest.latest, keywords: newest.keywords }
})

/** The newest `limit` completed scans that have a score, each with its newest score, newest first. */
export const readScoreHistory = Effect.fn("readScoreHistory")(function*(organizationId: OrganizationId, limit: number) {
  return yield* (yield* ScoreStore).history(organizationId, limit)
})

/**
 * Up to `limit` scored scans, newest first, starting with the headline scan; with the bounds of `ScoreStore.history`.
 */
export interface HeadlineHistory {
  readonly scans: ReadonlyArray<ScoredScan>
  /** The newest scan, if it asked only a part of the questions and is therefore not the headline scan. */
  readonly newer: Scan | null
}

/** Number of scans of a `view` that are searched for one that asked everything. */
const maxNarrowedScans = 50

/**
 * Reads the headline scan of the standard view, or of another `view`, and earlier scans of its surface, so that nothing
 * adds surfaces up. A narrowed scan never replaces a scan that asked everything (`ScoreStore.headline`).
 */
export const readHeadlineHistory = Effect.fn("readHeadlineHistory")(
  function*(
    organizationId: OrganizationId,
    limit: number,
    since: Date | null = null,
    until: Date | null = null,
    view: string | null = null
  ) {
    const scores = yield* ScoreStore
    const read = view === null
      ? yield* scores.history(organizationId, limit, since, until)
      : yield* scores.history(organizationId, Math.max(limit, maxNarrowedScans), since, until, view)
    const all = read.slice(0, limit)
    const [newest] = all
    const found = newest === undefined || !isNarrowed(newest.scan)
      ? null
      : view === null
      ? yield* scores.headline(organizationId, since, until)
      : read.find(({ scan }) => !isNarrowed(scan))
    const headline = found ?? newest
    const newer = newest === undefined || headline === undefined || headline.scan.id === newest.scan.id
      ? null
      : newest.scan
    if (headline === undefined || newer === null && all.every(({ scan }) => isOneSeries(scan, headline.scan))) {
      const whole: HeadlineHistory = { scans: all, newer }
      return whole
    }
    const before = yield* scores.history(organizationId, limit, since, headline.scan.startedAt, headline.scan)
    const part: HeadlineHistory = {
      scans: [headline, ...before.filter(({ scan }) => scan.id !== headline.scan.id)].slice(0, limit),
      newer
    }
    return part
  }
)

/** All annotations of the organization, by day. */
export const listAnnotations = Effect.fn("listAnnotations")(function*(organizationId: OrganizationId) {
  return yield* (yield* AnnotationStore).list(organizationId)
})
