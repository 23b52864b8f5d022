/** Organizations and their quota as clients see them. */
import type { Organization } from "../domain/organizations/Organization.ts"
import type { Quota } from "../domain/organizations/Quota.ts"

/** An organization. */
export const organizationJson = (organization: Organization) => ({
  id: organization.id,
  name: organization.name,
  slug: organization.slug,
  plan: organization.plan,
  /** IANA time zone. */
  time_zone: organization.timeZone,
  created_at: organization.createdAt.toISOString(),
  /** Null if the organization is not suspended */
  suspended: suspensionJson(organization),
  /** Null means the plan's limit, or no limit of its own */
  limits: {
    scans_per_month: organization.scanQuota,
    requests_per_minute: organization.requestRate,
    monthly_budget_usd: organization.monthlyBudgetUsd
  }
})

/** The file that ends an export of an organization, with the rows and the SHA-256 of each other file. */
export const organizationExportJson = <Files>(organization: Organization, exportedAt: Date, files: Files) => ({
  sov_organization_export: 1,
  organization: organizationJson(organization),
  exported_at: exportedAt.toISOString(),
  files
})

/** Since when and why an organization starts no scans; null if it is not suspended. */
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
