import { Context, type Effect } from "effect"
import type { StoreError } from "./StoreError.ts"

/** InstanceStore has the secrets of this installation, which the first migration makes. */
export class InstanceStore extends Context.Service<InstanceStore, {
  /**
   * Keys of 32 random bytes that authenticate cursors of pages: the first signs, all are valid. The one before a
   * rotation is valid for `previousCursorKeyLifetime`. As they were read within the last minute.
   */
  readonly cursorKeys: Effect.Effect<readonly [Uint8Array, ...ReadonlyArray<Uint8Array>], StoreError>
  /** The same, read now: another process may have rotated them. */
  readonly readCursorKeys: Effect.Effect<readonly [Uint8Array, ...ReadonlyArray<Uint8Array>], StoreError>
  /**
   * The first cursor key that this installation had; it never changes. Unsubscribe links are derived from it. Once
   * rotated, it no longer signs cursors.
   */
  readonly firstCursorKey: Effect.Effect<Uint8Array, StoreError>
  /** Signs with `key` from `at` on. The key until then stays valid for a while, unless `keepPrevious` is false. */
  readonly rotateCursorKey: (
    key: Uint8Array,
    at: Date,
    options: { readonly keepPrevious: boolean }
  ) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/InstanceStore") {}
