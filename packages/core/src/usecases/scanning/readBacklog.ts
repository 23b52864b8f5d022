import { Effect } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { BacklogStore } from "../../ports/BacklogStore.ts"
import { now } from "../now.ts"

/** What a running scan has still to ask on each platform, and what of it is due now. */
export const readBacklog = Effect.fn("readBacklog")(function*(organizationId: OrganizationId, scanId: ScanId) {
  return yield* (yield* BacklogStore).ofScan(organizationId, scanId, yield* now)
})
