/**
 * IdempotencyStore keeps what was begun under a client's Idempotency-Key, so that a repeated request begins nothing.
 */
import { Context, type Effect } from "effect"
import type { OrganizationId, ScanId } from "../domain/ids.ts"
import type { StoreError } from "./StoreError.ts"

/** A scan that was started under a key. */
export interface StartRecord {
  /** As the client gave it. */
  readonly key: string
  /** sha256 of what was asked for. */
  readonly fingerprint: Uint8Array
  readonly scanId: ScanId
  readonly estimatedSeconds: number
  readonly createdAt: Date
}

export class IdempotencyStore extends Context.Service<IdempotencyStore, {
  /** What was begun under the key at `since` or later. */
  readonly find: (
    organizationId: OrganizationId,
    key: string,
    since: Date
  ) => Effect.Effect<StartRecord | null, StoreError>
  /**
   * Adds the record unless its key has one from `since` or later; false when it has. Waits for a transaction that is
   * just adding the same key, at most five seconds (StoreError `busy`).
   */
  readonly add: (
    organizationId: OrganizationId,
    record: StartRecord,
    since: Date
  ) => Effect.Effect<boolean, StoreError>
}>()("@sov/core/ports/IdempotencyStore") {}
