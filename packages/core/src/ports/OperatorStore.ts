/**
 * OperatorStore stores the hashes of the operator's keys, never the keys, and a log of the actions that were made with
 * them.
 */
import { Context, type Effect } from "effect"
import type { OperatorEntry, OperatorKey } from "../domain/access/OperatorKey.ts"
import type { PagePosition } from "../domain/Cursor.ts"
import type { OperatorKeyId } from "../domain/ids.ts"
import type { StoreError } from "./StoreError.ts"

export class OperatorStore extends Context.Service<OperatorStore, {
  /** Adds a key; `hash` is the sha256 of the key. */
  readonly insertKey: (key: OperatorKey, hash: Uint8Array) => Effect.Effect<void, StoreError>
  /** All keys including revoked ones, newest first. */
  readonly listKeys: Effect.Effect<ReadonlyArray<OperatorKey>, StoreError>
  /** The key; null if unknown. The caller checks revocation and expiry. */
  readonly findKeyByHash: (hash: Uint8Array) => Effect.Effect<OperatorKey | null, StoreError>
  /** Revokes the key permanently. Null if the key is unknown or already revoked. */
  readonly revokeKey: (id: OperatorKeyId, at: Date) => Effect.Effect<OperatorKey | null, StoreError>
  /** Records that the key was used at `at`, at most once a minute. */
  readonly recordUse: (id: OperatorKeyId, at: Date) => Effect.Effect<void, StoreError>
  readonly record: (entries: ReadonlyArray<OperatorEntry>) => Effect.Effect<void, StoreError>
  /** Up to `limit` entries of the log after the position, newest first. */
  readonly entries: (
    page: { readonly limit: number; readonly after?: PagePosition }
  ) => Effect.Effect<ReadonlyArray<OperatorEntry>, StoreError>
}>()("@sov/core/ports/OperatorStore") {}
