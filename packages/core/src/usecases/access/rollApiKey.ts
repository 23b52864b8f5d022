import { Duration, Effect } from "effect"
import { isUsable, maxGrace } from "../../domain/access/ApiKey.ts"
import type { ApiKeyId, OrganizationId } from "../../domain/ids.ts"
import { ApiKeyStore } from "../../ports/ApiKeyStore.ts"
import { recordActs } from "../audit/recordActs.ts"
import { KeyEnded, NotFound, Rejected } from "../errors.ts"
import { now } from "../now.ts"
import { insertApiKey } from "./createApiKey.ts"
import { changeAndNotify } from "./keyCacheInvalidation.ts"

/**
 * Creates a new key with the same name, scopes and expiry. The old key works until `grace` is over (zero: it ends now)
 * or until it expires. `secret` is the new key, which is not stored. Fails with KeyEnded if the key is revoked, expired
 * or already rolled, with NotFound if it is unknown or belongs to another organization, and with Rejected if the grace
 * period is longer than `maxGrace`.
 */
export const rollApiKey = Effect.fn("rollApiKey")(
  function*(organizationId: OrganizationId, id: ApiKeyId, grace: Duration.Duration) {
    if (!Duration.between(grace, { minimum: Duration.zero, maximum: maxGrace })) {
      return yield* new Rejected({ field: "grace", message: "the old key may work on for 30 days at most" })
    }
    const store = yield* ApiKeyStore
    const at = yield* now
    const find = Effect.gen(function*() {
      const found = (yield* store.list(organizationId)).find((key) => key.id === id)
      return found ?? (yield* new NotFound({ what: "key", id }))
    })
    return yield* changeAndNotify(Effect.gen(function*() {
      const { expiresAt, name, scopes, ...known } = yield* find
      const mayRoll = !known.rolled && isUsable({ expiresAt, revokedAt: known.revokedAt }, at)
      const old = mayRoll
        ? yield* store.roll(organizationId, id, new Date(at.getTime() + Duration.toMillis(grace)))
        : null
      if (old === null) return yield* new KeyEnded(yield* find)
      const made = yield* insertApiKey(organizationId, name, { scopes, expiresAt })
      yield* recordActs(organizationId, [{
        action: "key.rolled",
        subjectId: id,
        detail: {
          name,
          prefix: old.prefix,
          replaced_by: made.key.id,
          expires_at: old.expiresAt!.toISOString()
        }
      }])
      return { old, ...made }
    }))
  }
)
