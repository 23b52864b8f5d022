/** Encrypts and decrypts an endpoint's secrets between the database and the signatures. */
import { Effect, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { decrypt, encrypt, nonceBytes } from "../../domain/access/secretBox.ts"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { type EncryptedSecrets, formatWebhookSecret } from "../../domain/webhooks/Webhook.ts"
import { EncryptionKeys, KeysUnusable } from "../../ports/EncryptionKeys.ts"

/** The decrypted secrets; `next` is the staged one. */
export interface PlainSecrets {
  readonly current: string
  readonly next: string | null
}

/**
 * The context binds a secret to its row, but not to its column, because promotion makes a staged secret the current
 * one.
 */
const makeEncryptionContext = (organizationId: OrganizationId, id: EndpointId): string =>
  `webhook_endpoint|secret|${id}|${organizationId}`

/** The stored form of a secret, encrypted with the first key. Fails with KeysUnusable. */
export const encryptSecret = Effect.fnUntraced(
  function*(organizationId: OrganizationId, id: EndpointId, secret: string) {
    const random = yield* SecureRandom.SecureRandom
    const [key] = yield* (yield* EncryptionKeys).load
    return encrypt(key, yield* random.randomBytes(nonceBytes), makeEncryptionContext(organizationId, id), secret)
  }
)

/** Creates a secret, with its encrypted form for the store. Fails with KeysUnusable. */
export const newWebhookSecret = Effect.fnUntraced(function*(organizationId: OrganizationId, id: EndpointId) {
  const random = yield* SecureRandom.SecureRandom
  const secret = formatWebhookSecret(yield* random.randomBytes(32))
  return { secret, encrypted: yield* encryptSecret(organizationId, id, secret) }
})

/** Decrypts the secrets of an endpoint. Fails with KeysUnusable if their key is missing or wrong. */
export const decryptSecrets = Effect.fnUntraced(
  function*(organizationId: OrganizationId, id: EndpointId, encrypted: EncryptedSecrets) {
    const keys = yield* (yield* EncryptionKeys).load
    const decryptSecret = (text: string) =>
      Effect.fromResult(Result.mapError(
        decrypt(keys, makeEncryptionContext(organizationId, id), text),
        (fault) =>
          new KeysUnusable({
            message: `the secret of webhook endpoint ${id} cannot be decrypted: ${fault}`,
            hint:
              "give back the key that encrypted it (SOV_ENCRYPTION_KEYS, or encryption.keys of the data directory), " +
              `or make a new secret: sov webhook rotate ${id} --immediate`
          })
      ))
    const secrets: PlainSecrets = {
      current: yield* decryptSecret(encrypted.current),
      next: encrypted.next === null ? null : yield* decryptSecret(encrypted.next)
    }
    return secrets
  }
)
