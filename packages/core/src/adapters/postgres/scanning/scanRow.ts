/** Rows of table `scan`. */
import type { ScanId } from "../../../domain/ids.ts"
import type { PlatformId } from "../../../domain/platforms/Platform.ts"
import type { Scan, ScanStatus, ScanType } from "../../../domain/scanning/Scan.ts"

export interface ScanRow {
  readonly organization_id: string
  readonly id: string
  readonly status: string
  readonly scan_type: string
  readonly platforms: ReadonlyArray<string>
  readonly samples: number
  readonly cell_count: number
  readonly simulated: boolean
  readonly tracked_set_version: number
  readonly quota_period: string | null
  readonly started_at: Date
  readonly completed_at: Date | null
  readonly askable_keywords: number | null
  readonly askable_platforms: number | null
}

export const scanFromRow = (row: ScanRow): Scan => ({
  id: row.id as ScanId,
  status: row.status as ScanStatus,
  scanType: row.scan_type as ScanType,
  platforms: row.platforms as ReadonlyArray<PlatformId>,
  samples: row.samples,
  cellCount: row.cell_count,
  simulated: row.simulated,
  trackedSetVersion: row.tracked_set_version,
  quotaPeriod: row.quota_period,
  startedAt: row.started_at,
  completedAt: row.completed_at,
  ...row.askable_keywords === null || row.askable_platforms === null
    ? {}
    : { askable: { keywords: row.askable_keywords, platforms: row.askable_platforms } }
})
