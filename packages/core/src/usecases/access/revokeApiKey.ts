import { Effect } from "effect"
import type { ApiKeyId, OrganizationId } from "../../domain/ids.ts"
import { ApiKeyStore } from "../../ports/ApiKeyStore.ts"
import { recordActs } from "../audit/recordActs.ts"
import { NotFound } from "../errors.ts"
import { now } from "../now.ts"
import { changeAndNotify } from "./keyCacheInvalidation.ts"

/**
 * Revokes a key permanently: every server refuses it from the next request on. Returns the revoked key. Fails with
 * NotFound.
 */
export const revokeApiKey = Effect.fn("revokeApiKey")(function*(organizationId: OrganizationId, id: ApiKeyId) {
  const store = yield* ApiKeyStore
  const at = yield* now
  return yield* changeAndNotify(Effect.gen(function*() {
    const known = (yield* store.list(organizationId)).find((key) => key.id === id)
    // Only the id of a key reaches the store: other text may be no id at all
    const revoked = known === undefined ? null : yield* store.revoke(organizationId, known.id, at)
    if (known === undefined || revoked === null) return yield* new NotFound({ what: "key", id })
    const { name, prefix } = revoked
    if (known.revokedAt === null) {
      yield* recordActs(organizationId, [{ action: "key.revoked", subjectId: id, detail: { name, prefix } }])
    }
    return revoked
  }))
})
