import { Context, type Effect, Schema } from "effect"
import type { PagePosition } from "../domain/Cursor.ts"
import type { OrganizationId } from "../domain/ids.ts"
import type { Creation } from "../domain/organizations/Creation.ts"
import type { Organization } from "../domain/organizations/Organization.ts"
import type { PlanId } from "../domain/organizations/Plan.ts"
import type { StoreError } from "./StoreError.ts"

/** Another organization already has this name or slug; nothing was changed. */
export class OrganizationExists extends Schema.TaggedError<OrganizationExists>()("OrganizationExists", {
  name: Schema.String
}) {}

/** Limits that the operator sets beside the scan quota; null means that the organization has no limit of its own. */
export type OrganizationLimits = Pick<Organization, "requestRate" | "monthlyBudgetUsd">

/** OrganizationStore stores the tenants. It is the only store whose methods may read across tenants. */
export class OrganizationStore extends Context.Service<OrganizationStore, {
  /** Also fails with `OrganizationExists` if the key of `creation` already created an organization. */
  readonly create: (
    organization: Organization,
    creation?: Creation
  ) => Effect.Effect<void, OrganizationExists | StoreError>
  /**
   * The organization that was created under this Idempotency-Key, and the request that created it; null if it does not
   * exist or no longer exists.
   */
  readonly findByCreation: (
    key: string
  ) => Effect.Effect<{ readonly organization: Organization; readonly fingerprint: Uint8Array } | null, StoreError>
  /** The organization with this id or short name. */
  readonly findNamed: (idOrSlug: string) => Effect.Effect<Organization | null, StoreError>
  /** Up to `limit` organizations after the position, oldest first. */
  readonly page: (
    page: { readonly limit: number; readonly after?: PagePosition }
  ) => Effect.Effect<ReadonlyArray<Organization>, StoreError>
  /** All organizations, oldest first. */
  readonly list: Effect.Effect<ReadonlyArray<Organization>, StoreError>
  /** All organizations that are suspended or have a monthly budget. */
  readonly limited: Effect.Effect<ReadonlyArray<Organization>, StoreError>
  readonly find: (id: OrganizationId) => Effect.Effect<Organization | null, StoreError>
  /** Locks the organization until the caller's transaction ends; other callers that lock it wait. */
  readonly lock: (id: OrganizationId) => Effect.Effect<void, StoreError>
  /** Changes the name; the short name stays the same. */
  readonly rename: (id: OrganizationId, name: string) => Effect.Effect<void, OrganizationExists | StoreError>
  readonly setTimeZone: (id: OrganizationId, timeZone: string) => Effect.Effect<void, StoreError>
  /** Suspends the organization; null ends its suspension. */
  readonly setSuspension: (
    id: OrganizationId,
    suspension: { readonly at: Date; readonly reason: string | null } | null
  ) => Effect.Effect<void, StoreError>
  readonly setLimits: (id: OrganizationId, limits: OrganizationLimits) => Effect.Effect<void, StoreError>
  readonly setPlan: (id: OrganizationId, plan: PlanId) => Effect.Effect<void, StoreError>
  /** Overrides the number of monthly manual scans; null restores the plan's number. */
  readonly setScanQuota: (id: OrganizationId, limit: number | null) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/OrganizationStore") {}
