import { Effect } from "effect"
import type { ApiKeyId, OrganizationId } from "../../domain/ids.ts"
import { RateLimiter, type RateRequest } from "../../ports/RateLimiter.ts"

/**
 * Counts requests of an API key against its rate limit, all of them or none, across all processes of the database.
 * Returns how many are left, or how long to wait.
 */
export const countRequests = Effect.fn("countRequests")(
  function*(organizationId: OrganizationId, keyId: ApiKeyId, request: RateRequest) {
    return yield* (yield* RateLimiter).take(organizationId, keyId, request)
  }
)
