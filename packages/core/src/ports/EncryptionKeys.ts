import { Context, type Effect, Schema } from "effect"
import type { EncryptionKey } from "../domain/access/secretBox.ts"

/**
 * There is no key, or the key that encrypted a secret is missing. `message` is one line; `hint` explains what to set.
 * Neither shows a key.
 */
export class KeysUnusable extends Schema.TaggedError<KeysUnusable>()("KeysUnusable", {
  message: Schema.String,
  hint: Schema.String
}) {}

/** EncryptionKeys are the keys that encrypt secrets in the database. */
export class EncryptionKeys extends Context.Service<EncryptionKeys, {
  /** At least one key: the first encrypts, all decrypt. Loaded only when a secret is needed. */
  readonly load: Effect.Effect<readonly [EncryptionKey, ...ReadonlyArray<EncryptionKey>], KeysUnusable>
}>()("@sov/core/ports/EncryptionKeys") {}
