import { Context, type Effect, Schema } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { Organization } from "../domain/organizations/Organization.ts"
import type { PlanId } from "../domain/organizations/Plan.ts"
import type { StoreError } from "./StoreError.ts"

/** Another organization already has this name or slug; nothing was changed. */
export class OrganizationExists extends Schema.TaggedError<OrganizationExists>()("OrganizationExists", {
  name: Schema.String
}) {}

/** OrganizationStore stores the tenants. It is the one store whose methods may read across tenants. */
export class OrganizationStore extends Context.Service<OrganizationStore, {
  readonly create: (organization: Organization) => Effect.Effect<void, OrganizationExists | StoreError>
  /** All organizations, oldest first. */
  readonly list: Effect.Effect<ReadonlyArray<Organization>, StoreError>
  readonly find: (id: OrganizationId) => Effect.Effect<Organization | null, StoreError>
  /** Locks the organization until the caller's transaction ends: other callers that lock it wait. */
  readonly lock: (id: OrganizationId) => Effect.Effect<void, StoreError>
  readonly setPlan: (id: OrganizationId, plan: PlanId) => Effect.Effect<void, StoreError>
  /** Overrides the monthly manual scans; null = the plan's. */
  readonly setScanQuota: (id: OrganizationId, limit: number | null) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/OrganizationStore") {}
