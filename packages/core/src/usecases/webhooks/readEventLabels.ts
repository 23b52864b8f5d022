import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { labelsOfScan } from "../../domain/webhooks/Event.ts"
import { readSurfaceLine } from "../scoring/readOrigins.ts"

/** The labels for the events of a scan whose questions have ended. */
export const readEventLabels = Effect.fnUntraced(function*(organizationId: OrganizationId, scan: Scan) {
  return { ...labelsOfScan(scan), surface_line: yield* readSurfaceLine(organizationId, scan) }
})
