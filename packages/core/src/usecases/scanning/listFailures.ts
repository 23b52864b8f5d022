import { Effect } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { groupFailures } from "../../domain/scanning/failures.ts"
import { listFailedCells } from "./listFailedCells.ts"

/** Why questions of the scan have no answer, by reason, the most frequent first. */
export const listFailures = Effect.fn("listFailures")(function*(organizationId: OrganizationId, scanId: ScanId) {
  return groupFailures(yield* listFailedCells(organizationId, scanId))
})
