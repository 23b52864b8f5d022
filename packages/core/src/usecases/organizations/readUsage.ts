import { Effect } from "effect"
import { periodEnd, periodStart, quotaPeriod } from "../../domain/organizations/Quota.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { UsageStore } from "../../ports/UsageStore.ts"
import { Rejected } from "../errors.ts"
import { now } from "../now.ts"
import { findOrganization } from "./reads.ts"

/**
 * Reads the usage of each organization in a UTC month (`2026-11`; default: the current month), oldest organization
 * first; with an id or short name, only of that organization. Fails with NotFound, or with Rejected for an invalid
 * month.
 */
export const readUsage = Effect.fn("readUsage")(function*(
  { month: given, organization: named }: { readonly month?: string; readonly organization?: string } = {}
) {
  const month = given ?? quotaPeriod(yield* now)
  if (!/^[1-9]\d{3}-(0[1-9]|1[0-2])$/.test(month)) {
    return yield* new Rejected({ field: "month", message: "the month must be written as 2026-11" })
  }
  const organizations = named === undefined
    ? yield* (yield* OrganizationStore).list
    : [yield* findOrganization(named)]
  const only = named === undefined ? undefined : organizations[0]!.id
  const usage = yield* (yield* UsageStore).ofMonth(periodStart(month), periodEnd(month), only)
  const used = new Map(usage.map((one) => [one.organizationId, one]))
  return {
    month,
    organizations: organizations.map((organization) => {
      const { platforms = [], scans = 0 } = used.get(organization.id) ?? {}
      return { organization, scans, platforms }
    })
  }
})

/** The usage of a month. */
export type UsageReport = Effect.Success<ReturnType<typeof readUsage>>
