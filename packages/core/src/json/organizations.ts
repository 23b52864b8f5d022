/** Organizations and their quota as clients see them. */
import type { Organization } from "../domain/organizations/Organization.ts"
import type { Quota } from "../domain/organizations/Quota.ts"

export const organizationJson = ({ id, name, plan, slug }: Organization) => ({ id, name, slug, plan })

export const quotaJson = ({ limit, period, remaining, resetsAt, used }: Quota) => ({
  period,
  limit,
  used,
  remaining,
  resets_at: resetsAt.toISOString()
})
