/** Deletes an organization with all its data, after a grace period in which the request can be cancelled. */
import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { deletionGraceMs } from "../../domain/organizations/Tombstone.ts"
import { type DeletionRequest, OrganizationData } from "../../ports/OrganizationData.ts"
import { changeAndNotify } from "../access/keyCacheInvalidation.ts"
import { Actor } from "../audit/Actor.ts"
import { runActs } from "../audit/recordActs.ts"

/** When the grace period of a deletion request ends. */
export const deletionDueAt = ({ requestedAt }: Pick<DeletionRequest, "requestedAt">): Date =>
  new Date(requestedAt.getTime() + deletionGraceMs)

/** Number of rows of the organization by table, which a deletion removes. */
export const countOrganizationRows = Effect.fn("countOrganizationRows")(function*(organizationId: OrganizationId) {
  return yield* (yield* OrganizationData).count(organizationId)
})

/** Requests to delete that wait for their grace period to end, oldest first. */
export const listDeletionRequests = Effect.fn("listDeletionRequests")(function*() {
  return yield* (yield* OrganizationData).deletionRequests
})

/** The tombstones of deleted organizations, oldest first, with the stored signatures. */
export const listTombstones = Effect.fn("listTombstones")(function*() {
  return yield* (yield* OrganizationData).tombstones
})

/**
 * Requests the deletion, which a worker carries out once the grace period is over. An earlier request stays as it is.
 */
export const requestDeletion = Effect.fn("requestDeletion")(function*(organizationId: OrganizationId) {
  const data = yield* OrganizationData
  const { name } = yield* Actor
  return yield* runActs(
    organizationId,
    data.requestDeletion(organizationId, name),
    ({ created, request }) =>
      created
        ? [{
          action: "organization.deletion_requested",
          subjectId: organizationId,
          detail: { due_at: deletionDueAt(request).toISOString() }
        }]
        : []
  ).pipe(Effect.map(({ request }) => request))
})

/** Cancels the request for deletion; returns whether there was one. */
export const cancelDeletion = Effect.fn("cancelDeletion")(function*(organizationId: OrganizationId) {
  const data = yield* OrganizationData
  return yield* runActs(
    organizationId,
    data.cancelDeletion(organizationId),
    (found) => found ? [{ action: "organization.deletion_cancelled", subjectId: organizationId, detail: {} }] : []
  )
})

/**
 * Deletes the organization now, all or nothing, and returns its tombstone; null if there is no such organization. Every
 * server drops its keys and sessions. Fails with StoreError: `constraint` if no request is due, or with `atOnce`
 * `denied` for a role that does not own the tables.
 */
export const deleteOrganization = Effect.fn("deleteOrganization")(
  function*(organizationId: OrganizationId, options: { readonly atOnce: boolean }) {
    const data = yield* OrganizationData
    const { name } = yield* Actor
    return yield* changeAndNotify(data.delete(organizationId, { by: name, ...options }))
  }
)
