/** Rows of table `scan`. */
import type { PgClient } from "@effect/sql-pg"
import { Schema } from "effect"
import { OrganizationId } from "../../../domain/ids.ts"
import { Surface, type View } from "../../../domain/platforms/surface.ts"
import { Scan } from "../../../domain/scanning/Scan.ts"
import { jsonOf, mapRow, rowOf, toColumns } from "../rows.ts"

const { askable: _, surface: _surface, view: _view, ...scanFields } = Scan.fields

/** The columns of a scan. */
export const scanColumns = {
  ...scanFields,
  askableKeywords: Schema.NullOr(Schema.Int),
  askablePlatforms: Schema.NullOr(Schema.Int),
  surface: Schema.NullOr(Surface),
  view: Schema.NullOr(jsonOf<View>())
}

/** Converts a row to a scan. */
export const toScan = (
  { askableKeywords: keywords, askablePlatforms: platforms, surface, view, ...scan }: Schema.Struct.Type<
    typeof scanColumns
  >
): Scan => ({
  ...scan,
  ...keywords === null || platforms === null ? {} : { askable: { keywords, platforms } },
  ...surface === null ? {} : { surface },
  ...view === null
    ? {}
    : { view: { name: view.name, country: view.country, language: view.language, context: view.context } }
})

/**
 * Matches scans of one series: they have the same view, and either all come from an app or none does. Earlier releases
 * only asked APIs, from the standard view.
 */
export const inSeries = (sql: PgClient.PgClient, { surface, view }: Pick<Scan, "surface" | "view">) =>
  sql`
    (scan.surface is not distinct from 'app') = ${surface === "app"}::boolean
      and scan.view is not distinct from ${view === undefined ? null : sql.json(view)}::jsonb
  `

/** A row of table `scan`. */
export const ScanRow = rowOf(scanColumns).pipe(mapRow(toScan))

/** A row of table `scan` with its organization. */
export const OwnedScanRow = rowOf({ organizationId: OrganizationId, ...scanColumns }).pipe(
  mapRow(({ organizationId, ...scan }) => ({ organizationId, scan: toScan(scan) }))
)

/** Converts a scan to a row of table `scan`. */
export const toScanColumns = (sql: PgClient.PgClient, organizationId: OrganizationId, scan: Scan) => ({
  organization_id: organizationId,
  ...toColumns(scanFields, scan),
  askable_keywords: scan.askable?.keywords ?? null,
  askable_platforms: scan.askable?.platforms ?? null,
  surface: scan.surface ?? null,
  view: scan.view === undefined ? null : sql.json(scan.view)
})
