import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { Rejected } from "../errors.ts"
import { readQuota } from "./readQuota.ts"

/** The largest limit of manual scans a month that can be set. */
export const maxScanQuota = 999_999

/**
 * Sets how many manual scans the organization may start in a month; null = as many as its plan allows. Returns the quota
 * of the current month. Fails with Rejected when the limit is not a whole number from 0 to `maxScanQuota`.
 */
export const setScanQuota = Effect.fn("setScanQuota")(function*(organizationId: OrganizationId, limit: number | null) {
  if (limit !== null && !(Number.isInteger(limit) && limit >= 0 && limit <= maxScanQuota)) {
    return yield* new Rejected({
      field: "limit",
      message: `the limit must be a whole number from 0 to ${maxScanQuota}`
    })
  }
  yield* (yield* OrganizationStore).setScanQuota(organizationId, limit)
  return yield* readQuota(organizationId)
})
