import { Duration, Effect } from "effect"
import { maxGrace } from "../../domain/access/ApiKey.ts"
import type { ApiKeyId, OrganizationId } from "../../domain/ids.ts"
import { ApiKeyStore } from "../../ports/ApiKeyStore.ts"
import { KeyEnded, NotFound, Rejected } from "../errors.ts"
import { now } from "../now.ts"
import { createApiKey } from "./createApiKey.ts"
import { changeAndNotify } from "./keyCacheInvalidation.ts"

/**
 * Creates a new key of the same name; the old one works until `grace` is over (zero: it ends now). `secret` is the new key,
 * which is not stored. Fails with KeyEnded for a key that is revoked or was rolled before, NotFound for an unknown one or
 * one of another organization, Rejected for a grace beyond `maxGrace`.
 */
export const rollApiKey = Effect.fn("rollApiKey")(
  function*(organizationId: OrganizationId, id: ApiKeyId, grace: Duration.Duration) {
    if (!Duration.between(grace, { minimum: Duration.zero, maximum: maxGrace })) {
      return yield* new Rejected({ field: "grace", message: "the old key may work on for 30 days at most" })
    }
    const store = yield* ApiKeyStore
    const at = yield* now
    return yield* changeAndNotify(Effect.gen(function*() {
      const old = yield* store.expire(organizationId, id, new Date(at.getTime() + Duration.toMillis(grace)))
      if (old !== null) return { old, ...yield* createApiKey(organizationId, old.name) }
      const ended = (yield* store.list(organizationId)).find((key) => key.id === id)
      return yield* ended === undefined ? new NotFound({ what: "key", id }) : new KeyEnded(ended)
    }))
  }
)
