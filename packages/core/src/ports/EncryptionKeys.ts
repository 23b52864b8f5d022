import { Context, type Effect, Schema } from "effect"
import type { EncryptionKey } from "../domain/access/secretBox.ts"

/**
 * There is no encryption key, or the key that encrypted a secret is missing. `message` is one line; `hint` says what to
 * set. Neither contains a key.
 */
export class KeysUnusable extends Schema.TaggedError<KeysUnusable>()("KeysUnusable", {
  message: Schema.String,
  hint: Schema.String
}) {}

/** EncryptionKeys are the keys that encrypt secrets in the database. */
export class EncryptionKeys extends Context.Service<EncryptionKeys, {
  /** The keys, at least one: the first encrypts, any of them can decrypt. Loaded only when a secret is needed. */
  readonly load: Effect.Effect<readonly [EncryptionKey, ...ReadonlyArray<EncryptionKey>], KeysUnusable>
}>()("@sov/core/ports/EncryptionKeys") {}
