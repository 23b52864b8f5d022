import { Effect } from "effect"
import type { CanonicalValue } from "../../domain/canonicalJson.ts"
import { type Creation, creationFingerprint } from "../../domain/organizations/Creation.ts"
import type { PlanId } from "../../domain/organizations/Plan.ts"
import type { TrackingFile } from "../../domain/tracking/TrackedSet.ts"
import { OrganizationExists, type OrganizationLimits, OrganizationStore } from "../../ports/OrganizationStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { IdempotencyMismatch } from "../errors.ts"
import { createOrganization } from "./createOrganization.ts"
import { setFirstLimits } from "./editOrganization.ts"
import { setUpTracking } from "./initialize.ts"
import { setScanQuota } from "./setScanQuota.ts"

/** The options for a new organization. */
export interface Provision {
  readonly name: string
  readonly plan: PlanId
  /** The names to track; null if nothing is tracked yet. */
  readonly tracking: TrackingFile | null
  readonly limits: Partial<OrganizationLimits> & { readonly scanQuota?: number | null }
}

/** The organization that an earlier request created under this key; null if it does not exist or no longer exists. */
const findCreated = Effect.fnUntraced(function*({ fingerprint, key }: Creation) {
  const created = yield* (yield* OrganizationStore).findByCreation(key)
  if (created === null) return null
  if (Buffer.compare(created.fingerprint, fingerprint) !== 0) return yield* new IdempotencyMismatch()
  return { organization: created.organization, replayed: true }
})

/**
 * Creates an organization with its brand, keywords and limits, all or nothing. With an `idempotencyKey`, repeated
 * requests create only one organization while it exists; a different request under that key fails with
 * IdempotencyMismatch. Fails with OrganizationExists if its name is taken, and with Rejected for invalid names or
 * limits.
 */
export const provisionOrganization = Effect.fn("provisionOrganization")(
  function*(input: Provision, idempotencyKey?: string) {
    const [store, { run }] = yield* Effect.all([OrganizationStore, Transaction])
    const creation = idempotencyKey === undefined ? undefined : {
      key: idempotencyKey,
      fingerprint: creationFingerprint({ ...input, limits: { ...input.limits } } as CanonicalValue)
    }
    const earlier = creation === undefined ? null : yield* findCreated(creation)
    if (earlier !== null) return earlier
    const create = Effect.gen(function*() {
      const { name, plan } = input
      const { id } = yield* createOrganization({ name, plan, ...creation === undefined ? {} : { creation } })
      if (input.tracking !== null) yield* setUpTracking(id, input.tracking)
      const { scanQuota, ...limits } = input.limits
      if (scanQuota !== undefined) yield* setScanQuota(id, scanQuota)
      if (Object.keys(limits).length > 0) yield* setFirstLimits(id, limits)
      return { organization: (yield* store.find(id))!, replayed: false }
    })
    return yield* run(create).pipe(
      // No other process can see an organization that is not committed
      Effect.catchTags({ NotFound: Effect.die, TrackedSetChanged: Effect.die }),
      // A concurrent request has created it
      Effect.catchIf(
        (error) => error instanceof OrganizationExists && creation !== undefined,
        (error) =>
          Effect.flatMap(findCreated(creation!), (found) => found === null ? Effect.fail(error) : Effect.succeed(found))
      )
    )
  }
)
