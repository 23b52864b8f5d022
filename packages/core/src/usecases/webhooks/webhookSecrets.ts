/** An endpoint's secrets between the database, where they are sealed, and the signatures they make. */
import { Effect, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { nonceBytes, seal, unseal } from "../../domain/Sealed.ts"
import { formatWebhookSecret, type SealedSecrets } from "../../domain/webhooks/Webhook.ts"
import { EncryptionKeys, KeysUnusable } from "../../ports/EncryptionKeys.ts"

/** The secrets themselves; `next` is staged. */
export interface OpenSecrets {
  readonly current: string
  readonly next: string | null
}

/** A sealed secret opens in its own row only; which of the row's two it is may change by promotion. */
const placeOf = (organizationId: OrganizationId, id: EndpointId): string =>
  `webhook_endpoint|secret|${id}|${organizationId}`

/** A new secret, and how it is stored. */
export const newWebhookSecret = Effect.fnUntraced(function*(organizationId: OrganizationId, id: EndpointId) {
  const random = yield* SecureRandom.SecureRandom
  const [key] = yield* (yield* EncryptionKeys).load
  const secret = formatWebhookSecret(yield* random.randomBytes(32))
  return { secret, sealed: seal(key, yield* random.randomBytes(nonceBytes), placeOf(organizationId, id), secret) }
})

/** Opens the secrets of an endpoint. */
export const openSecrets = Effect.fnUntraced(
  function*(organizationId: OrganizationId, id: EndpointId, sealed: SealedSecrets) {
    const keys = yield* (yield* EncryptionKeys).load
    const open = (text: string) =>
      Effect.fromResult(Result.mapError(
        unseal(keys, placeOf(organizationId, id), text),
        (fault) =>
          new KeysUnusable({
            message: `the secret of webhook endpoint ${id} cannot be opened: ${fault}`,
            hint: "give the key back that sealed it (SOV_ENCRYPTION_KEYS, or encryption.keys of the data directory), " +
              `or make a new secret: sov webhook rotate ${id} --immediate`
          })
      ))
    const secrets: OpenSecrets = {
      current: yield* open(sealed.current),
      next: sealed.next === null ? null : yield* open(sealed.next)
    }
    return secrets
  }
)
