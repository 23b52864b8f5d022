/** SealStore keeps the chain of seals over the archive. Seals are only added. */
import { Context, type Effect } from "effect"
import type { OrganizationId, ScanId } from "../domain/ids.ts"
import type { Seal } from "../domain/Seal.ts"
import type { StoreError } from "./StoreError.ts"

export class SealStore extends Context.Service<SealStore, {
  /** The newest seal, locking the organization's chain until the transaction ends. */
  readonly lockHead: (organizationId: OrganizationId) => Effect.Effect<Seal | null, StoreError>
  readonly insert: (organizationId: OrganizationId, seal: Seal) => Effect.Effect<void, StoreError>
  /** The scan's seals in sequence order. */
  readonly ofScan: (organizationId: OrganizationId, scanId: ScanId) => Effect.Effect<ReadonlyArray<Seal>, StoreError>
}>()("@sov/core/ports/SealStore") {}
