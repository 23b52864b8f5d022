import { Effect } from "effect"
import { decodeCursor, encodeCursor, type PageScope } from "../../domain/Cursor.ts"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { CellTotals } from "../../domain/scanning/Cell.ts"
import type { Scan, ScanStatus } from "../../domain/scanning/Scan.ts"
import type { Score } from "../../domain/scoring/Score.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { InstanceStore } from "../../ports/InstanceStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { type Spent, UsageStore } from "../../ports/UsageStore.ts"
import { BadCursor } from "../errors.ts"
import { hasOlderScans } from "./hasOlderScans.ts"

/** A scan in a list. */
export interface ScanListRow {
  readonly scan: Scan
  readonly cells: CellTotals
  /** Its newest score; null while it has none. */
  readonly score: Score | null
  /** Null for a simulated scan. */
  readonly spent: Spent | null
}

const noCells: CellTotals = { open: 0, answered: 0, failed: 0, cancelled: 0 }
const nothingSpent: Spent = { costUsd: 0, unpriced: 0 }

/**
 * Up to `limit` scans that the window shows, the newest first, with what they asked and cost. Fails with BadCursor for a cursor
 * of another list.
 */
export const listScanRows = Effect.fn("listScanRows")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  query: { readonly status?: ScanStatus | undefined },
  options: { readonly limit: number; readonly cursor?: string | undefined }
) {
  const key = yield* (yield* InstanceStore).cursorKey
  const scope: PageScope = ["scans", query.status ?? null]
  const after = options.cursor === undefined ? null : decodeCursor(key, organizationId, scope, options.cursor)
  if (options.cursor !== undefined && after === null) return yield* new BadCursor()
  const found = yield* (yield* ScanStore).list(organizationId, {
    limit: options.limit + 1,
    since: window.since,
    ...query.status === undefined ? {} : { status: query.status },
    ...after === null ? {} : { before: { startedAt: after.createdAt, id: after.id as ScanId } }
  })
  const scans = found.slice(0, options.limit)
  const ids = scans.map(({ id }) => id)
  const totals = yield* (yield* CellStore).totals(organizationId, ids)
  const spent = yield* (yield* UsageStore).spentByScans(organizationId, ids)
  const scores = new Map((yield* (yield* ScoreStore).ofScans(organizationId, ids)).map((one) => [one.scanId, one]))
  const last = scans.at(-1)
  return {
    rows: scans.map((scan): ScanListRow => ({
      scan,
      cells: totals.get(scan.id) ?? noCells,
      score: scan.status === "completed" ? scores.get(scan.id) ?? null : null,
      spent: scan.simulated ? null : spent.get(scan.id) ?? nothingSpent
    })),
    nextCursor: found.length > scans.length && last !== undefined
      ? encodeCursor(key, organizationId, scope, { createdAt: last.startedAt, id: last.id })
      : null,
    /** Whether the window keeps back older scans. */
    windowApplied: yield* hasOlderScans(organizationId, window)
  }
})
