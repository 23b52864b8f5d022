/** Organizations as the operator manages them. */
import {
  cancelDeletion as cancel,
  deletionDueAt,
  findOrganization,
  isTombstoneSigned,
  listDeletionRequests,
  listTombstones,
  type Organization,
  organizationJson,
  pageOrganizations,
  type Provision,
  provisionOrganization,
  renameOrganization,
  requestDeletion,
  resumeOrganization as resume,
  setOrganizationLimits,
  setPlan,
  setScanQuota,
  setTimeZone,
  suspendOrganization as suspend
} from "@sov/core/organizations"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import * as Body from "../contract/operatorResources.ts"
import { defaultLimit } from "../contract/parameters.ts"
import { InvalidRequest } from "../contract/problems.ts"
import { parseIdempotencyKey } from "./idempotencyKey.ts"
import { decodeJsonBody, requireJsonBody } from "./jsonBody.ts"
import { orOperatorProblem } from "./orOperatorProblem.ts"
import { respondJson } from "./respond.ts"

/** The request of an operation on one organization. */
export interface Named {
  readonly params: { readonly organization: string }
}

/** The `owner` in ETags of operations that do not belong to an organization. */
const operator = "operator"

const toJson = Effect.fnUntraced(function*(organizations: ReadonlyArray<Organization>) {
  const due = new Map((yield* listDeletionRequests()).map((one) => [one.organizationId, deletionDueAt(one)]))
  return organizations.map((one): typeof Body.Organization.Encoded => ({
    ...organizationJson(one),
    deletion_due_at: due.get(one.id)?.toISOString() ?? null
  }))
})

/** A response with one organization. */
const respondOrganization = Effect.fnUntraced(function*(organization: Organization, status = 200, headers = {}) {
  const [body] = yield* toJson([organization])
  return HttpServerResponse.jsonUnsafe(body, { status, headers })
})

type GivenLimits = NonNullable<typeof Body.CreateOrganization.Type["limits"]>

const toLimits = (
  { monthly_budget_usd: budget, requests_per_minute: rate, scans_per_month: scans }: GivenLimits
): Provision["limits"] => ({
  ...scans === undefined ? {} : { scanQuota: scans },
  ...rate === undefined ? {} : { requestRate: rate },
  ...budget === undefined ? {} : { monthlyBudgetUsd: budget }
})

/** GET /api/v1/organizations */
export const listOrganizations = Effect.fnUntraced(
  function*({ query }: { readonly query: { readonly limit?: number; readonly cursor?: string } }) {
    const page = { limit: query.limit ?? defaultLimit.organizations, cursor: query.cursor }
    const { nextCursor, organizations } = yield* pageOrganizations(page)
    const body: typeof Body.OrganizationList.Encoded = {
      data: yield* toJson(organizations),
      meta: { count: organizations.length, next_cursor: nextCursor }
    }
    return yield* respondJson(body, operator)
  },
  orOperatorProblem
)

const readCreation = requireJsonBody(Body.CreateOrganization)

/** POST /api/v1/organizations */
export const createOrganization = Effect.fnUntraced(
  function*({ headers }: { readonly headers: { readonly "idempotency-key"?: string } }) {
    const { brand, competitors, keywords, limits = {}, name = brand?.name, plan = "pro" } = yield* readCreation
    const missing = (path: string, message: string) =>
      new InvalidRequest({ errors: [{ path: ["body", path], message }] })
    if (name === undefined) return yield* missing("name", "must be given where there is no brand")
    if (brand === undefined && (competitors ?? keywords) !== undefined) {
      return yield* missing("brand", "must be given with competitors or keywords")
    }
    const tracking = brand === undefined ? null : {
      brand,
      ...competitors === undefined ? {} : { competitors },
      ...keywords === undefined ? {} : { keywords }
    }
    const header = headers["idempotency-key"]
    const { organization, replayed } = yield* provisionOrganization(
      { name, plan, tracking, limits: toLimits(limits) },
      header === undefined ? undefined : yield* parseIdempotencyKey(header)
    )
    return yield* respondOrganization(organization, 201, replayed ? { "idempotent-replayed": "true" } : {})
  },
  orOperatorProblem
)

/** GET /api/v1/organizations/{organization} */
export const getOrganization = Effect.fnUntraced(function*({ params }: Named) {
  const [body] = yield* toJson([yield* findOrganization(params.organization)])
  return yield* respondJson(body, operator)
}, orOperatorProblem)

const readEdit = requireJsonBody(Body.EditOrganization)

/** PATCH /api/v1/organizations/{organization} */
export const editOrganization = Effect.fnUntraced(function*({ params }: Named) {
  const { limits, name, plan, time_zone: timeZone } = yield* readEdit
  const { id } = yield* findOrganization(params.organization)
  // First: a zone that is refused then changes nothing
  if (timeZone !== undefined) yield* Effect.catchTag(setTimeZone(id, timeZone), "ChangedMeanwhile", Effect.die)
  if (name !== undefined) yield* renameOrganization(id, name)
  if (plan !== undefined) yield* setPlan(id, plan)
  const { scanQuota, ...others } = toLimits(limits ?? {})
  if (scanQuota !== undefined) yield* setScanQuota(id, scanQuota)
  if (Object.keys(others).length > 0) yield* setOrganizationLimits(id, others)
  return yield* respondOrganization(yield* findOrganization(id))
}, orOperatorProblem)

const readSuspension = decodeJsonBody(Body.SuspendOrganization)

/** POST /api/v1/organizations/{organization}/suspend */
export const suspendOrganization = Effect.fnUntraced(function*({ params }: Named) {
  const { reason } = (yield* readSuspension) ?? {}
  const { id } = yield* findOrganization(params.organization)
  return yield* respondOrganization(yield* suspend(id, reason === undefined || reason === "" ? null : reason))
}, orOperatorProblem)

/** POST /api/v1/organizations/{organization}/resume */
export const resumeOrganization = Effect.fnUntraced(function*({ params }: Named) {
  const { id } = yield* findOrganization(params.organization)
  return yield* respondOrganization(yield* resume(id))
}, orOperatorProblem)

/** DELETE /api/v1/organizations/{organization} */
export const deleteOrganization = Effect.fnUntraced(function*({ params }: Named) {
  const { id } = yield* findOrganization(params.organization)
  const due = deletionDueAt(yield* requestDeletion(id)).toISOString()
  const body: typeof Body.RequestedDeletion.Encoded = { organization_id: id, due_at: due }
  return HttpServerResponse.jsonUnsafe(body, { status: 202 })
}, orOperatorProblem)

/** POST /api/v1/organizations/{organization}/cancel-deletion */
export const cancelDeletion = Effect.fnUntraced(function*({ params }: Named) {
  const { id } = yield* findOrganization(params.organization)
  const body: typeof Body.CancelledDeletion.Encoded = { organization_id: id, cancelled: yield* cancel(id) }
  return HttpServerResponse.jsonUnsafe(body)
}, orOperatorProblem)

/** GET /api/v1/deletions */
export const listDeletions = Effect.fnUntraced(function*() {
  const body: typeof Body.DeletionList.Encoded = {
    requests: (yield* listDeletionRequests()).map((request) => ({
      organization_id: request.organizationId,
      requested_at: request.requestedAt.toISOString(),
      requested_by: request.requestedBy,
      due_at: deletionDueAt(request).toISOString()
    })),
    tombstones: (yield* listTombstones()).map((stone) => ({ ...stone, valid: isTombstoneSigned(stone) }))
  }
  return yield* respondJson(body, operator)
}, orOperatorProblem)
