import { Effect } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { describeSurface } from "../../domain/platforms/surface.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import type { Origin } from "../../domain/scoring/breaks.ts"
import { MeasurementStore } from "../../ports/MeasurementStore.ts"

/** Caches origins by organization and scan, because the answers of a completed scan never change. */
const known = new Map<string, ReadonlyArray<Origin>>()
const maxKnown = 5000

/** The origins of the answers of these completed scans. */
export const readOrigins = Effect.fnUntraced(function*(organizationId: OrganizationId, scanIds: ReadonlyArray<ScanId>) {
  const missing = scanIds.filter((id) => !known.has(`${organizationId} ${id}`))
  const found = missing.length === 0
    ? new Map<ScanId, ReadonlyArray<Origin>>()
    : yield* (yield* MeasurementStore).originsOfScans(organizationId, missing)
  const origins = new Map(
    scanIds.map((id) => [id as string, known.get(`${organizationId} ${id}`) ?? found.get(id) ?? []])
  )
  if (known.size + missing.length > maxKnown) known.clear()
  for (const id of missing) known.set(`${organizationId} ${id}`, origins.get(id)!)
  return origins
})

/** Says in one line from which surface and view the answers of this ended scan come (`describeSurface`). */
export const readSurfaceLine = Effect.fnUntraced(function*(organizationId: OrganizationId, scan: Scan) {
  return describeSurface(scan, (yield* readOrigins(organizationId, [scan.id])).get(scan.id))
})
