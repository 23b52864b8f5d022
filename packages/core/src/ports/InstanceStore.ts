import { Context, type Effect } from "effect"
import type { StoreError } from "./StoreError.ts"

/** InstanceStore has the secrets of this installation, which the first migration makes. */
export class InstanceStore extends Context.Service<InstanceStore, {
  /** 32 random bytes that authenticate cursors of pages. */
  readonly cursorKey: Effect.Effect<Uint8Array, StoreError>
}>()("@sov/core/ports/InstanceStore") {}
