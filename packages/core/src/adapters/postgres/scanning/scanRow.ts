/** Rows of table `scan`. */
import { Schema } from "effect"
import { OrganizationId } from "../../../domain/ids.ts"
import { Scan } from "../../../domain/scanning/Scan.ts"
import { mapRow, rowOf } from "../rows.ts"

const { askable: _, ...scanFields } = Scan.fields

/** The columns of a scan. */
export const scanColumns = {
  ...scanFields,
  askableKeywords: Schema.NullOr(Schema.Int),
  askablePlatforms: Schema.NullOr(Schema.Int)
}

/** The scan of a row. */
export const toScan = (
  { askableKeywords: keywords, askablePlatforms: platforms, ...scan }: Schema.Struct.Type<typeof scanColumns>
): Scan => keywords === null || platforms === null ? scan : { ...scan, askable: { keywords, platforms } }

/** A row of table `scan`. */
export const ScanRow = rowOf(scanColumns).pipe(mapRow(toScan))

/** A row of table `scan` with its organization. */
export const OwnedScanRow = rowOf({ organizationId: OrganizationId, ...scanColumns }).pipe(
  mapRow(({ organizationId, ...scan }) => ({ organizationId, scan: toScan(scan) }))
)

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
