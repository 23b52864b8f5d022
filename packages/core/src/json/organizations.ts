/** Organizations and their quota as clients see them. */
import type { Organization } from "../domain/organizations/Organization.ts"
import type { Quota } from "../domain/organizations/Quota.ts"

/** An organization. */
export const organizationJson = ({ id, name, plan, slug }: Organization) => ({ id, name, slug, plan })

/** The quota of a month. */
export const quotaJson = ({ limit, period, remaining, resetsAt, used }: Quota) => ({
  period,
  limit,
  used,
  remaining,
  resets_at: resetsAt.toISOString()
})
