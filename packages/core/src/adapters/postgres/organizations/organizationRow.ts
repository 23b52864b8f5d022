/** Rows of table `organization`. */
import type { OrganizationId } from "../../../domain/ids.ts"
import type { Organization } from "../../../domain/organizations/Organization.ts"
import type { PlanId } from "../../../domain/organizations/Plan.ts"

/** A row of table `organization`. */
export interface OrganizationRow {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly plan: string
  readonly time_zone: string
  readonly scan_quota: number | null
  readonly history_days: number | null
  readonly created_at: Date
}

/** The organization of a row. */
export const organizationFromRow = (row: OrganizationRow): Organization => ({
  id: row.id as OrganizationId,
  name: row.name,
  slug: row.slug,
  plan: row.plan as PlanId,
  timeZone: row.time_zone,
  scanQuota: row.scan_quota,
  historyDays: row.history_days,
  createdAt: row.created_at
})
