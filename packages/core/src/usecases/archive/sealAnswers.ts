import { Effect } from "effect"
import { type Leaf, makeSeal } from "../../domain/archive/Seal.ts"
import { makeSealFacts, type ScanFacts } from "../../domain/archive/SealFacts.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { SealStore } from "../../ports/SealStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"

/**
 * Adds a seal over `leaves` and the facts of their scan, which ends or has ended with `status`, to the organization's
 * chain. Runs inside the caller's transaction.
 */
export const sealAnswers = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  scan: Scan,
  status: ScanFacts["status"],
  leaves: ReadonlyArray<Leaf>,
  sealedAt: Date
) {
  const seals = yield* SealStore
  const head = yield* seals.lockHead(organizationId)
  const set = (yield* (yield* TrackedSetStore).find(organizationId, scan.trackedSetVersion))!
  const facts = makeSealFacts(scan, status, set)
  yield* seals.insert(organizationId, makeSeal({ scanId: scan.id, leaves, head, sealedAt, facts }))
})
