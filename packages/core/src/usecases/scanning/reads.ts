import { Effect } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { groupFailures } from "../../domain/scanning/failures.ts"
import type { ScanStatus } from "../../domain/scanning/Scan.ts"
import { BacklogStore } from "../../ports/BacklogStore.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { UsageStore } from "../../ports/UsageStore.ts"
import { now } from "../now.ts"

/** The cells of a scan that ended without an answer, each with the reason of its last failure. */
export const listFailedCells = Effect.fn("listFailedCells")(function*(organizationId: OrganizationId, scanId: ScanId) {
  return yield* (yield* CellStore).listFailed(organizationId, scanId)
})

/** The reasons why questions of the scan have no answer, most frequent first. */
export const listFailures = Effect.fn("listFailures")(function*(organizationId: OrganizationId, scanId: ScanId) {
  return groupFailures(yield* listFailedCells(organizationId, scanId))
})

/** The running scans of every organization, oldest first. */
export const listRunningScans = Effect.fn("listRunningScans")(function*() {
  return yield* (yield* ScanStore).listRunning
})

/** Scans of the organization, newest first: up to `limit`, with the given status. */
export const listScans = Effect.fn("listScans")(
  function*(organizationId: OrganizationId, query: { readonly limit: number; readonly status?: ScanStatus }) {
    return yield* (yield* ScanStore).list(organizationId, query)
  }
)

/**
 * The cost of each organization's scans that started at `since` or later; `more` = only the newest `limit` are added
 * up. An organization without such a scan is left out.
 */
export const readSpentSince = Effect.fn("readSpentSince")(
  function*(organizationIds: ReadonlyArray<OrganizationId>, since: Date, limit: number) {
    return yield* (yield* UsageStore).spentOnScans(organizationIds, since, limit)
  }
)

/** The open cells of a running scan by platform, and how many of them are due now. */
export const readBacklog = Effect.fn("readBacklog")(function*(organizationId: OrganizationId, scanId: ScanId) {
  return yield* (yield* BacklogStore).ofScan(organizationId, scanId, yield* now)
})

/** The running scans of every organization, oldest first, each with its open cells. */
export const readRunningScans = Effect.fn("readRunningScans")(function*() {
  return yield* Effect.forEach(
    yield* listRunningScans(),
    ({ organizationId, scan }) =>
      Effect.map(readBacklog(organizationId, scan.id), (backlog) => ({ organizationId, scan, backlog }))
  )
})
