import { Effect } from "effect"
import type { ApiKeyId, OrganizationId } from "../../domain/ids.ts"
import type { Organization } from "../../domain/organizations/Organization.ts"
import { RateLimiter, type RateRequest } from "../../ports/RateLimiter.ts"

/**
 * Counts requests of an API key towards its rate limit, all of them or none, across all processes of the database.
 * Returns how many are left, or how long to wait.
 */
export const countRequests = Effect.fn("countRequests")(
  function*(organizationId: OrganizationId, keyId: ApiKeyId, request: RateRequest) {
    return yield* (yield* RateLimiter).take(organizationId, keyId, request)
  }
)

/** The length of the window for an organization's limit, in milliseconds. */
const windowMs = 60_000

/**
 * Counts requests of all keys of an organization together, on all servers. Returns the result with the limit; null if
 * the organization has no limit.
 */
export const countOrganizationRequests = Effect.fn("countOrganizationRequests")(
  function*({ id, requestRate: limit }: Organization, count: number) {
    if (limit === null) return null
    return { limit, ...yield* (yield* RateLimiter).takeOfAll(id, { count, limit, windowMs }) }
  }
)
