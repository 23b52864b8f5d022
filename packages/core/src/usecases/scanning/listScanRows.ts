import { Effect } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { CellTotals } from "../../domain/scanning/Cell.ts"
import type { Scan, ScanStatus } from "../../domain/scanning/Scan.ts"
import type { Score } from "../../domain/scoring/Score.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { type Spent, UsageStore } from "../../ports/UsageStore.ts"
import { type PageOptions, readPage } from "../readPage.ts"
import { hasOlderScans } from "./readScan.ts"

/** A scan in a list. */
export interface ScanListRow {
  readonly scan: Scan
  readonly cells: CellTotals
  /** Its newest score; null if it has no score. */
  readonly score: Score | null
  /** Null for a simulated scan. */
  readonly spent: Spent | null
}

const noCells: CellTotals = { open: 0, answered: 0, failed: 0, noOverview: 0, cancelled: 0 }
const nothingSpent: Spent = { costUsd: 0, unpriced: 0 }

/**
 * Up to `limit` scans within the window, newest first, with their numbers of questions and cost. Fails with BadCursor
 * for a cursor of another list.
 */
export const listScanRows = Effect.fn("listScanRows")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  query: { readonly status?: ScanStatus | undefined },
  options: PageOptions
) {
  const store = yield* ScanStore
  const { nextCursor, rows: scans } = yield* readPage(
    organizationId,
    ["scans", query.status ?? null],
    options,
    ({ after, limit }) =>
      store.list(organizationId, {
        limit,
        since: window.since,
        ...query.status === undefined ? {} : { status: query.status },
        ...after === undefined ? {} : { before: { startedAt: after.createdAt, id: after.id as ScanId } }
      }),
    ({ id, startedAt }) => ({ createdAt: startedAt, id })
  )
  const ids = scans.map(({ id }) => id)
  const totals = yield* (yield* CellStore).totals(organizationId, ids)
  const spent = yield* (yield* UsageStore).spentByScans(organizationId, ids)
  const scores = new Map((yield* (yield* ScoreStore).ofScans(organizationId, ids)).map((one) => [one.scanId, one]))
  return {
    rows: scans.map((scan): ScanListRow => ({
      scan,
      cells: totals.get(scan.id) ?? noCells,
      score: scan.status === "completed" ? scores.get(scan.id) ?? null : null,
      spent: scan.simulated ? null : spent.get(scan.id) ?? nothingSpent
    })),
    nextCursor,
    /** Whether the window hides older scans. */
    windowApplied: yield* hasOlderScans(organizationId, window)
  }
})
