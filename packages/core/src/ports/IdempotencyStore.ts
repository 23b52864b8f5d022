/**
 * IdempotencyStore records scans that were started under a client's Idempotency-Key, so that a repeated request starts
 * no second scan.
 */
import { Context, type Effect } from "effect"
import type { OrganizationId, ScanId } from "../domain/ids.ts"
import type { StoreError } from "./StoreError.ts"

/** A scan that was started under a key. */
export interface StartRecord {
  /** The key as the client sent it. */
  readonly key: string
  /** SHA-256 of the request. */
  readonly fingerprint: Uint8Array
  readonly scanId: ScanId
  readonly estimatedSeconds: number
  readonly createdAt: Date
}

export class IdempotencyStore extends Context.Service<IdempotencyStore, {
  /** The scan that was started under the key at `since` or later. */
  readonly find: (
    organizationId: OrganizationId,
    key: string,
    since: Date
  ) => Effect.Effect<StartRecord | null, StoreError>
  /**
   * Adds the record; false if its key already has a record from `since` or later. Waits up to five seconds for a
   * transaction that is adding the same key (StoreError `busy`).
   */
  readonly add: (
    organizationId: OrganizationId,
    record: StartRecord,
    since: Date
  ) => Effect.Effect<boolean, StoreError>
}>()("@sov/core/ports/IdempotencyStore") {}
