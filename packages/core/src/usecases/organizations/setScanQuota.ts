import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { maxScanQuota } from "../../domain/organizations/Quota.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { Rejected } from "../errors.ts"
import { readQuota } from "./reads.ts"

/**
 * Sets how many manual scans the organization may start in a month; null restores its plan's limit. Returns the quota
 * of the current month. Fails with Rejected if the limit is not a whole number from 0 to `maxScanQuota`.
 */
export const setScanQuota = Effect.fn("setScanQuota")(function*(organizationId: OrganizationId, limit: number | null) {
  if (limit !== null && !(Number.isInteger(limit) && limit >= 0 && limit <= maxScanQuota)) {
    return yield* new Rejected({
      field: "limit",
      message: `the limit must be a whole number from 0 to ${maxScanQuota}`
    })
  }
  const store = yield* OrganizationStore
  const set = Effect.gen(function*() {
    yield* store.lock(organizationId)
    const before = (yield* store.find(organizationId))?.scanQuota
    yield* store.setScanQuota(organizationId, limit)
    return before
  })
  yield* runActs(organizationId, set, (before) =>
    before === undefined || before === limit
      ? []
      : [{ action: "quota.changed", subjectId: organizationId, detail: { limit, before } }])
  return yield* readQuota(organizationId)
})
