import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { type ApiKey, formatApiKey, hashApiKey } from "../../domain/access/ApiKey.ts"
import { ApiKeyId, type OrganizationId } from "../../domain/ids.ts"
import { ApiKeyStore } from "../../ports/ApiKeyStore.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"

/** Creates a key. `secret` is the key itself, to be shown once: only its hash is stored. */
export const createApiKey = Effect.fn("createApiKey")(function*(organizationId: OrganizationId, name: string) {
  const store = yield* ApiKeyStore
  const random = yield* SecureRandom.SecureRandom
  const secret = formatApiKey(yield* random.randomBytes(32))
  const key: ApiKey = {
    id: yield* newId(ApiKeyId),
    name,
    prefix: secret.slice(0, 13),
    lastFour: secret.slice(-4),
    createdAt: yield* now,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null
  }
  yield* store.insert(organizationId, key, hashApiKey(secret))
  return { key, secret }
})
