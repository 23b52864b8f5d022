import { Effect } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { CellStore } from "../../ports/CellStore.ts"

/** The cells of a scan that ended without an answer, each with why its last call failed. */
export const listFailedCells = Effect.fn("listFailedCells")(function*(organizationId: OrganizationId, scanId: ScanId) {
  return yield* (yield* CellStore).listFailed(organizationId, scanId)
})
