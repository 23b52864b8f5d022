import { Context, type Effect } from "effect"
import type { StoreError } from "./StoreError.ts"

/** InstanceStore keeps the secrets of this installation, made once by the first migration. */
export class InstanceStore extends Context.Service<InstanceStore, {
  /** 32 random bytes that authenticate archive cursors. */
  readonly cursorKey: Effect.Effect<Uint8Array, StoreError>
}>()("@sov/core/ports/InstanceStore") {}
