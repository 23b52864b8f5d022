import { Effect } from "effect"
import { type Leaf, makeSeal } from "../../domain/archive/Seal.ts"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { SealStore } from "../../ports/SealStore.ts"

/** Adds a seal over `leaves` to the organization's chain. Runs inside the caller's transaction. */
export const sealAnswers = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  scanId: ScanId,
  leaves: ReadonlyArray<Leaf>,
  sealedAt: Date
) {
  const seals = yield* SealStore
  const head = yield* seals.lockHead(organizationId)
  yield* seals.insert(organizationId, makeSeal({ scanId, leaves, head, sealedAt }))
})
