import { Effect } from "effect"
import { OrganizationId } from "../../domain/ids.ts"
import type { Creation } from "../../domain/organizations/Creation.ts"
import { type Organization, slugify } from "../../domain/organizations/Organization.ts"
import type { PlanId } from "../../domain/organizations/Plan.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"

/** Creates an organization and derives its slug from the name. Fails with OrganizationExists if either is taken. */
export const createOrganization = Effect.fn("createOrganization")(function*(input: {
  readonly name: string
  readonly plan: PlanId
  /** IANA time zone; UTC by default. */
  readonly timeZone?: string
  /** Idempotency key and fingerprint of the creating request, by which a repeated request is recognized. */
  readonly creation?: Creation
}) {
  const store = yield* OrganizationStore
  const organization: Organization = {
    id: yield* newId(OrganizationId),
    name: input.name,
    slug: slugify(input.name),
    plan: input.plan,
    timeZone: input.timeZone ?? "UTC",
    scanQuota: null,
    historyDays: null,
    suspendedAt: null,
    suspendedFor: null,
    requestRate: null,
    monthlyBudgetUsd: null,
    createdAt: yield* now
  }
  const { id, name, plan } = organization
  yield* runActs(id, store.create(organization, input.creation), () => [
    { action: "organization.created", subjectId: id, detail: { name, plan } }
  ])
  return organization
})
