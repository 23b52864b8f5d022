import { Context, type Effect } from "effect"
import type { StoreError } from "./StoreError.ts"

/** InstanceStore stores the secrets of this installation, which the first migration creates. */
export class InstanceStore extends Context.Service<InstanceStore, {
  /**
   * 32-byte random keys that authenticate page cursors: the first signs, all are valid. After a rotation the previous
   * key is valid for `previousCursorKeyLifetime`. Cached for up to a minute.
   */
  readonly cursorKeys: Effect.Effect<readonly [Uint8Array, ...ReadonlyArray<Uint8Array>], StoreError>
  /** The same keys, read from the database at once, because another process may have rotated them. */
  readonly readCursorKeys: Effect.Effect<readonly [Uint8Array, ...ReadonlyArray<Uint8Array>], StoreError>
  /**
   * The first cursor key of this installation; it never changes. Unsubscribe links are derived from it. After a
   * rotation it no longer signs cursors.
   */
  readonly firstCursorKey: Effect.Effect<Uint8Array, StoreError>
  /**
   * Signs with `key` from `at` on. The previous key stays valid for `previousCursorKeyLifetime`, unless `keepPrevious`
   * is false.
   */
  readonly rotateCursorKey: (
    key: Uint8Array,
    at: Date,
    options: { readonly keepPrevious: boolean }
  ) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/InstanceStore") {}
