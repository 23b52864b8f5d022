/** Rows of table `scan`. */
import type { OrganizationId, ScanId } from "../../../domain/ids.ts"
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

/** A scan as a row of table `scan`. */
export const toScanColumns = (organizationId: OrganizationId, scan: Scan) => ({
  organization_id: organizationId,
  id: scan.id,
  status: scan.status,
  scan_type: scan.scanType,
  platforms: scan.platforms,
  samples: scan.samples,
  cell_count: scan.cellCount,
  simulated: scan.simulated,
  tracked_set_version: scan.trackedSetVersion,
  quota_period: scan.quotaPeriod,
  started_at: scan.startedAt,
  completed_at: scan.completedAt,
  askable_keywords: scan.askable?.keywords ?? null,
  askable_platforms: scan.askable?.platforms ?? null
})
