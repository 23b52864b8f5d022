import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { Organization } from "../../domain/organizations/Organization.ts"
import { plans } from "../../domain/organizations/Plan.ts"
import { makeQuota, quotaPeriod } from "../../domain/organizations/Quota.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { QuotaLedger } from "../../ports/QuotaLedger.ts"
import { installation } from "../access/operatorKeys.ts"
import { NotFound } from "../errors.ts"
import { now } from "../now.ts"
import { type PageOptions, readPage } from "../readPage.ts"

/** Finds an organization by its id or its short name (slug). Fails with NotFound. */
export const findOrganization = Effect.fn("findOrganization")(function*(idOrSlug: string) {
  // Other text may be invalid in the database
  const found = /^[a-z0-9-]+$/.test(idOrSlug) ? yield* (yield* OrganizationStore).findNamed(idOrSlug) : null
  return found ?? (yield* new NotFound({ what: "organization", id: idOrSlug }))
})

/** All organizations of the database, oldest first. Fails with StoreError only. */
export const listOrganizations = Effect.fn("listOrganizations")(function*() {
  return yield* (yield* OrganizationStore).list
})

/** Up to `limit` organizations, oldest first, and the cursor of the next page. Fails with BadCursor. */
export const pageOrganizations = Effect.fn("pageOrganizations")(function*(options: PageOptions) {
  const store = yield* OrganizationStore
  const { nextCursor, rows } = yield* readPage(installation, ["organizations"], options, store.page, (one) => one)
  return { organizations: rows, nextCursor }
})

/** How many manual scans the organization may start in a month: its own limit, or else its plan's. */
export const monthlyLimit = (organization: Organization): number =>
  organization.scanQuota ?? plans[organization.plan].monthlyScans

/** The organization's quota for the current UTC month. */
export const readQuota = Effect.fn("readQuota")(function*(organizationId: OrganizationId) {
  const organization = yield* (yield* OrganizationStore).find(organizationId)
  if (organization === null) return yield* new NotFound({ what: "organization", id: organizationId })
  const period = quotaPeriod(yield* now)
  return makeQuota(period, monthlyLimit(organization), yield* (yield* QuotaLedger).used(organizationId, period))
})
