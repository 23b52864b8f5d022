/** EncryptionKeys are what secrets at rest are sealed with. */
import { Context, type Effect, Schema } from "effect"
import type { EncryptionKey } from "../domain/Sealed.ts"

/** There is no key, or none that fits; `message` is one line, `hint` says what to set. Neither shows a key. */
export class KeysUnusable extends Schema.TaggedError<KeysUnusable>()("KeysUnusable", {
  message: Schema.String,
  hint: Schema.String
}) {}

export class EncryptionKeys extends Context.Service<EncryptionKeys, {
  /** At least one key: the first seals, all open. Looked for when a secret is needed, not before. */
  readonly load: Effect.Effect<readonly [EncryptionKey, ...ReadonlyArray<EncryptionKey>], KeysUnusable>
}>()("@sov/core/ports/EncryptionKeys") {}
