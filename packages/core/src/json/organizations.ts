/** Organizations and their quota as clients see them. */
import type { Organization } from "../domain/organizations/Organization.ts"
import type { Quota } from "../domain/organizations/Quota.ts"

/** An organization. */
export const organizationJson = (organization: Organization) => ({
  id: organization.id,
  name: organization.name,
  slug: organization.slug,
  plan: organization.plan,
  created_at: organization.createdAt.toISOString(),
  /** Null = not suspended. */
  suspended: suspensionJson(organization),
  /** Null = the plan's limit, or no own limit. */
  limits: {
    scans_per_month: organization.scanQuota,
    requests_per_minute: organization.requestRate,
    monthly_budget_usd: organization.monthlyBudgetUsd
  }
})

/** Since when and why an organization starts no scan; null = it is not suspended. */
export const suspensionJson = ({ suspendedAt, suspendedFor }: Organization) =>
  suspendedAt === null ? null : { since: suspendedAt.toISOString(), reason: suspendedFor }

/** The quota of a month. */
export const quotaJson = ({ limit, period, remaining, resetsAt, used }: Quota) => ({
  period,
  limit,
  used,
  remaining,
  resets_at: resetsAt.toISOString()
})
