/** Removes rows that are kept only for a limited time. */
import { Effect } from "effect"
import { upkeep } from "../../domain/audit/Actor.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { cutOf, type RetainedKind, retainedKinds, type Retention } from "../../domain/workers/retention.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { RetentionSetting, UpkeepStore } from "../../ports/UpkeepStore.ts"
import { Actor } from "../audit/Actor.ts"
import { now } from "../now.ts"
import { deleteOrganization, listDeletionRequests } from "../organizations/deleteOrganization.ts"
import { makeErrandKind } from "./makeErrandKind.ts"

/** Number of rows that one statement removes. */
const batchRows = 1_000
/** Time before the first turn, in milliseconds, so that a worker for a single scan leaves the upkeep to others. */
const firstTurnMs = 60_000
/** Time between two turns of one organization, in milliseconds. */
const turnMs = 86_400_000
/** Time between two searches for new organizations, in milliseconds. */
const lookMs = 3_600_000

/**
 * The number of rows by kind that were removed, or with `dryRun` would be removed; null if this process's role may not
 * remove them.
 */
export type Pruned = { readonly [kind in RetainedKind]: number | null }

interface Prune {
  /** Whether to only count the rows, without removing any. */
  readonly dryRun: boolean
  readonly retention: Retention
}

const pruneKind = Effect.fnUntraced(
  function*(organizationId: OrganizationId, kind: RetainedKind, { dryRun, retention }: Prune) {
    const store = yield* UpkeepStore
    const cut = cutOf(kind, retention, yield* now)
    if (dryRun) return yield* store.count(organizationId, kind, cut)
    let removed = 0
    while (true) {
      const rows = yield* store.prune(organizationId, kind, cut, batchRows)
      if (rows === null) return null
      removed += rows
      if (rows < batchRows) return removed
    }
  }
)

/** Removes an organization's old rows, in batches. If a run is interrupted, the next one removes the rest. */
const pruneOrganization = Effect.fn("pruneOrganization")(function*(organizationId: OrganizationId, how: Prune) {
  const pruned = yield* Effect.forEach(
    retainedKinds,
    (kind) => Effect.map(pruneKind(organizationId, kind, how), (rows) => [kind, rows] as const)
  )
  return Object.fromEntries(pruned) as Pruned
})

/** Removes the old rows of every organization, or counts them with `dryRun`. */
export const pruneAll = Effect.fn("pruneAll")(function*(how: Prune) {
  const organizations = yield* (yield* OrganizationStore).list
  return yield* Effect.forEach(
    organizations,
    (organization) =>
      Effect.map(pruneOrganization(organization.id, how), (pruned) => ({ organization: organization.slug, pruned }))
  )
})

/** Deletes the organization if its deletion is due; returns whether it was deleted. */
const endDueDeletion = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const requests = yield* listDeletionRequests()
  if (requests.every((request) => request.organizationId !== organizationId || !request.due)) return false
  yield* Effect.provideService(deleteOrganization(organizationId, { atOnce: false }), Actor, upkeep)
  yield* Effect.logInfo(`organization ${organizationId} is deleted, as requested`)
  return true
})

/**
 * Removes old rows of each organization once a day, for the first time a minute after the worker starts. Deletes
 * organizations within an hour after their deletion is due.
 */
export const makeUpkeepKind = () => {
  const dueAt = new Map<OrganizationId, Date>()
  let lookAt = 0
  return makeErrandKind({
    name: "upkeep",
    of: "any",
    look: Effect.gen(function*() {
      const at = yield* now
      if (at.getTime() >= lookAt) {
        const listed = new Set((yield* (yield* OrganizationStore).list).map(({ id }) => id))
        const first = new Date(at.getTime() + firstTurnMs)
        for (const id of listed) if (!dueAt.has(id)) dueAt.set(id, first)
        for (const id of dueAt.keys()) if (!listed.has(id)) dueAt.delete(id)
        for (const { due, organizationId } of yield* listDeletionRequests()) if (due) dueAt.set(organizationId, first)
        lookAt = at.getTime() + lookMs
      }
      return [...dueAt].map(([organizationId, due]) => ({ organizationId, id: organizationId, dueAt: due }))
    }),
    run: ({ organizationId }) =>
      Effect.gen(function*() {
        if (yield* endDueDeletion(organizationId)) {
          dueAt.delete(organizationId)
          return null
        }
        yield* pruneOrganization(organizationId, { dryRun: false, retention: yield* RetentionSetting })
        const next = new Date((yield* now).getTime() + turnMs)
        dueAt.set(organizationId, next)
        return next
      })
  })
}
