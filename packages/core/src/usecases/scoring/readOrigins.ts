import { Effect } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { describeSurface } from "../../domain/platforms/surface.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import type { Origin } from "../../domain/scoring/breaks.ts"
import { MeasurementStore } from "../../ports/MeasurementStore.ts"
import { makeMemory } from "../makeMemory.ts"

/** Caches origins by organization and scan, because the answers of a completed scan never change. */
const memories = makeMemory<ReadonlyArray<Origin>>(5000)

/** The origins of the answers of these completed scans. */
export const readOrigins = Effect.fnUntraced(function*(organizationId: OrganizationId, scanIds: ReadonlyArray<ScanId>) {
  const keyOf = (id: ScanId) => `${organizationId} ${id}`
  const measurements = yield* MeasurementStore
  const memory = memories.of(measurements)
  // Copied before anything is kept, because a full memory forgets
  const known = new Map(scanIds.map((id) => [id, memory.find(keyOf(id))]))
  const missing = scanIds.filter((id) => known.get(id) === undefined)
  const found = missing.length === 0
    ? new Map<ScanId, ReadonlyArray<Origin>>()
    : yield* measurements.originsOfScans(organizationId, missing)
  const origins = new Map(scanIds.map((id) => [id as string, known.get(id) ?? found.get(id) ?? []]))
  for (const id of missing) memory.keep(keyOf(id), origins.get(id)!)
  return origins
})

/** Says in one line from which surface and view the answers of this ended scan come (`describeSurface`). */
export const readSurfaceLine = Effect.fnUntraced(function*(organizationId: OrganizationId, scan: Scan) {
  return describeSurface(scan, (yield* readOrigins(organizationId, [scan.id])).get(scan.id))
})
