import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { type ApiKey, formatApiKey, hashApiKey, type KeyScope, keyScopes } from "../../domain/access/ApiKey.ts"
import { ApiKeyId, type OrganizationId } from "../../domain/ids.ts"
import { ApiKeyStore } from "../../ports/ApiKeyStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { Rejected } from "../errors.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"

/** Scopes and lifetime of a new key. */
export interface ApiKeyOptions {
  /** The scopes, at least one; by default all. */
  readonly scopes?: ReadonlyArray<KeyScope>
  /** The key is refused from this time on; null (default) if it never expires. */
  readonly expiresAt?: Date | null
}

/** Stores a new key. Returns it with the secret. */
export const insertApiKey = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  name: string,
  { expiresAt = null, scopes = keyScopes }: ApiKeyOptions
) {
  const random = yield* SecureRandom.SecureRandom
  const secret = formatApiKey(yield* random.randomBytes(32))
  const key: ApiKey = {
    id: yield* newId(ApiKeyId),
    name,
    prefix: secret.slice(0, 13),
    lastFour: secret.slice(-4),
    scopes: keyScopes.filter((scope) => scopes.includes(scope)),
    createdAt: yield* now,
    expiresAt,
    rolled: false,
    revokedAt: null,
    lastUsedAt: null
  }
  yield* (yield* ApiKeyStore).insert(organizationId, key, hashApiKey(secret))
  return { key, secret }
})

/**
 * Creates a key. `secret` is the key itself, to be shown once: only its hash is stored. Fails with Rejected if no scope
 * is given, or if the expiry is not in the future.
 */
export const createApiKey = Effect.fn("createApiKey")(function*(
  organizationId: OrganizationId,
  name: string,
  options: ApiKeyOptions = {}
) {
  if (options.scopes?.length === 0) {
    return yield* new Rejected({ field: "scopes", message: "a key needs at least one scope" })
  }
  if (options.expiresAt != null && options.expiresAt <= (yield* now)) {
    return yield* new Rejected({ field: "expires_at", message: "a key must expire in the future" })
  }
  return yield* runActs(organizationId, insertApiKey(organizationId, name, options), ({ key }) => [{
    action: "key.created",
    subjectId: key.id,
    detail: { name, prefix: key.prefix, scopes: key.scopes, expires_at: key.expiresAt?.toISOString() ?? null }
  }])
})
