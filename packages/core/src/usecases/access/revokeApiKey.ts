import { Effect } from "effect"
import type { ApiKeyId, OrganizationId } from "../../domain/ids.ts"
import { ApiKeyStore } from "../../ports/ApiKeyStore.ts"
import { NotFound } from "../errors.ts"
import { now } from "../now.ts"
import { changeAndNotify } from "./keyCacheInvalidation.ts"

/** Revokes a key permanently: every server refuses it from the next request on. Returns the revoked key. Fails with NotFound. */
export const revokeApiKey = Effect.fn("revokeApiKey")(function*(organizationId: OrganizationId, id: ApiKeyId) {
  const store = yield* ApiKeyStore
  const at = yield* now
  return yield* changeAndNotify(Effect.gen(function*() {
    return (yield* store.revoke(organizationId, id, at)) ?? (yield* new NotFound({ what: "key", id }))
  }))
})
