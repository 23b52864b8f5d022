import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { ScanStatus } from "../../domain/scanning/Scan.ts"
import { ScanStore } from "../../ports/ScanStore.ts"

/** Scans of the organization, the newest first: up to `limit`, with this status where one is given. */
export const listScans = Effect.fn("listScans")(
  function*(organizationId: OrganizationId, query: { readonly limit: number; readonly status?: ScanStatus }) {
    return yield* (yield* ScanStore).list(organizationId, query)
  }
)
