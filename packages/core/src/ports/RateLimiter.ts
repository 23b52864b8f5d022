import { Context, type Effect } from "effect"
import type { ApiKeyId, OrganizationId } from "../domain/ids.ts"
import type { StoreError } from "./StoreError.ts"

/** Requests that are counted together: either all of them or none of them. */
export interface RateRequest {
  readonly count: number
  /** Maximum number of requests in any window of `windowMs` milliseconds. */
  readonly limit: number
  readonly windowMs: number
}

/**
 * Either the requests were counted, with the number that is left now, or they were not, with the milliseconds until the
 * same requests may be tried again.
 */
export type RateTaken =
  | { readonly taken: true; readonly remaining: number }
  | { readonly taken: false; readonly waitMs: number }

/** RateLimiter counts the requests of API keys, and of organizations, across all processes that share the database. */
export class RateLimiter extends Context.Service<RateLimiter, {
  /**
   * Counts requests of the key by the database's own clock. The count is exact even for concurrent requests, but lost
   * if the database crashes.
   */
  readonly take: (
    organizationId: OrganizationId,
    keyId: ApiKeyId,
    request: RateRequest
  ) => Effect.Effect<RateTaken, StoreError>
  /** Counts requests of all keys of the organization together, in the same way. */
  readonly takeOfAll: (organizationId: OrganizationId, request: RateRequest) => Effect.Effect<RateTaken, StoreError>
}>()("@sov/core/ports/RateLimiter") {}
