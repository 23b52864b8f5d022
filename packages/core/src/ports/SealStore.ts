import { Context, type Effect } from "effect"
import type { Seal, SealHeader } from "../domain/archive/Seal.ts"
import type { AnswerId, OrganizationId, ScanId } from "../domain/ids.ts"
import type { ScanStatus } from "../domain/scanning/Scan.ts"
import type { StoreError } from "./StoreError.ts"

/** How many answers of one scan are sealed. */
export interface SealCoverage {
  readonly scanId: ScanId
  /** Null if the answers belong to a scan that does not exist. */
  readonly status: ScanStatus | null
  /** Number of seals that name the scan. */
  readonly seals: number
  /** Number of leaves in the scan's later seals: answers that arrived after the scan had ended. */
  readonly lateLeaves: number
  /** The scan's answers that none of its seals covers. */
  readonly unsealed: ReadonlyArray<AnswerId>
}

/** SealStore stores the chain of seals over the archive. Seals are only added. */
export class SealStore extends Context.Service<SealStore, {
  /** The newest seal; locks the organization's chain until the transaction ends. */
  readonly lockHead: (organizationId: OrganizationId) => Effect.Effect<Seal | null, StoreError>
  readonly insert: (organizationId: OrganizationId, seal: Seal) => Effect.Effect<void, StoreError>
  /** The scan's seals in sequence order. */
  readonly ofScan: (organizationId: OrganizationId, scanId: ScanId) => Effect.Effect<ReadonlyArray<Seal>, StoreError>
  /** The seal that covers an answer of the scan; null if there is no such seal. */
  readonly ofAnswer: (
    organizationId: OrganizationId,
    scanId: ScanId,
    id: AnswerId
  ) => Effect.Effect<SealHeader | null, StoreError>
  /** The seals with facts of version 4, in sequence order. */
  readonly registered: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<SealHeader>, StoreError>
  /** The newest seal; null if the chain is empty. */
  readonly head: (organizationId: OrganizationId) => Effect.Effect<SealHeader | null, StoreError>
  /**
   * Up to `limit` seals in sequence order, starting after number `after` (null starts at the first seal, whatever its
   * number).
   */
  readonly page: (
    organizationId: OrganizationId,
    options: { readonly after: number | null; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<Seal>, StoreError>
  /** Like `page`, without the leaves of the seals. */
  readonly headers: (
    organizationId: OrganizationId,
    options: { readonly after: number; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<SealHeader>, StoreError>
  /**
   * How many answers are sealed, for up to `limit` scans in id order, starting after `after` (null starts at the first
   * scan).
   */
  readonly coverage: (
    organizationId: OrganizationId,
    options: { readonly after: ScanId | null; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<SealCoverage>, StoreError>
}>()("@sov/core/ports/SealStore") {}
