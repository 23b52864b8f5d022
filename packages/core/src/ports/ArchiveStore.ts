/**
 * ArchiveStore keeps every answer for ever. Answers are only added: the database refuses to change or remove one.
 * Readers get each answer with its newest measurement.
 */
import { Context, type Effect } from "effect"
import type { ArchivedAnswer, ArchiveFilters, ArchivePosition, ArchiveRow } from "../domain/ArchiveRow.ts"
import type { AnswerId, OrganizationId, ScanId } from "../domain/ids.ts"
import type { PlatformId } from "../domain/Platform.ts"
import type { Leaf } from "../domain/Seal.ts"
import type { StoreError } from "./StoreError.ts"

/** Size of the archive on one platform. */
export interface ArchiveStats {
  readonly platform: PlatformId
  readonly answers: number
  readonly simulated: number
  /** Bytes of answer text (UTF-8). */
  readonly textBytes: number
  readonly first: Date
  readonly last: Date
}

export class ArchiveStore extends Context.Service<ArchiveStore, {
  /** Adds the answer; false when this cell's question already has one (then nothing changes). */
  readonly append: (organizationId: OrganizationId, answer: ArchivedAnswer) => Effect.Effect<boolean, StoreError>
  readonly find: (organizationId: OrganizationId, id: AnswerId) => Effect.Effect<ArchiveRow | null, StoreError>
  /** The provider's response body of one answer, byte for byte. */
  readonly payload: (organizationId: OrganizationId, id: AnswerId) => Effect.Effect<Uint8Array | null, StoreError>
  /** Up to `limit` rows in the order `createdAt desc, id desc`, strictly after `after`. */
  readonly page: (
    organizationId: OrganizationId,
    filters: ArchiveFilters,
    options: { readonly limit: number; readonly after?: ArchivePosition }
  ) => Effect.Effect<ReadonlyArray<ArchiveRow>, StoreError>
  /** Leaves of one scan in id order. */
  readonly leaves: (
    organizationId: OrganizationId,
    scanId: ScanId
  ) => Effect.Effect<ReadonlyArray<Leaf>, StoreError>
  readonly stats: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<ArchiveStats>, StoreError>
  /** Time of the oldest answer; null while the archive is empty. */
  readonly oldest: (organizationId: OrganizationId) => Effect.Effect<Date | null, StoreError>
}>()("@sov/core/ports/ArchiveStore") {}
