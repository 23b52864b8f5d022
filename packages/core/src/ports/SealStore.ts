import { Context, type Effect } from "effect"
import type { Seal, SealHeader } from "../domain/archive/Seal.ts"
import type { AnswerId, OrganizationId, ScanId } from "../domain/ids.ts"
import type { ScanStatus } from "../domain/scanning/Scan.ts"
import type { StoreError } from "./StoreError.ts"

/** How many answers of one scan are sealed at one moment. */
export interface SealCoverage {
  readonly scanId: ScanId
  /** Null when there are answers of a scan that does not exist. */
  readonly status: ScanStatus | null
  /** Number of seals that name the scan. */
  readonly seals: number
  /** Leaves in its seals after the first: answers that arrived after their scan had ended. */
  readonly lateLeaves: number
  /** Its answers that no seal of the scan covers. */
  readonly unsealed: ReadonlyArray<AnswerId>
}

/** SealStore stores the chain of seals over the archive. Seals are only added. */
export class SealStore extends Context.Service<SealStore, {
  /** The newest seal; locks the organization's chain until the transaction ends. */
  readonly lockHead: (organizationId: OrganizationId) => Effect.Effect<Seal | null, StoreError>
  readonly insert: (organizationId: OrganizationId, seal: Seal) => Effect.Effect<void, StoreError>
  /** The scan's seals in sequence order. */
  readonly ofScan: (organizationId: OrganizationId, scanId: ScanId) => Effect.Effect<ReadonlyArray<Seal>, StoreError>
  /** The seal that covers an answer of the scan; null if absent. */
  readonly ofAnswer: (
    organizationId: OrganizationId,
    scanId: ScanId,
    id: AnswerId
  ) => Effect.Effect<SealHeader | null, StoreError>
  /** The seals with facts of version 4, in sequence order. */
  readonly registered: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<SealHeader>, StoreError>
  /** The newest seal; null before the first. */
  readonly head: (organizationId: OrganizationId) => Effect.Effect<SealHeader | null, StoreError>
  /** Up to `limit` seals in sequence order, after number `after` (null = from the first, whatever its number). */
  readonly page: (
    organizationId: OrganizationId,
    options: { readonly after: number | null; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<Seal>, StoreError>
  /** The same seals without their leaves. */
  readonly headers: (
    organizationId: OrganizationId,
    options: { readonly after: number; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<SealHeader>, StoreError>
  /** Up to `limit` scans in id order, after `after` (null = from the first). */
  readonly coverage: (
    organizationId: OrganizationId,
    options: { readonly after: ScanId | null; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<SealCoverage>, StoreError>
}>()("@sov/core/ports/SealStore") {}
