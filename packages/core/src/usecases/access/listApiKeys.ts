import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { ApiKeyStore } from "../../ports/ApiKeyStore.ts"

/** All API keys of the organization, revoked and expired ones too, the newest first. */
export const listApiKeys = Effect.fn("listApiKeys")(function*(organizationId: OrganizationId) {
  return yield* (yield* ApiKeyStore).list(organizationId)
})
