import { Effect } from "effect"
import { makeInstanceTag } from "../../domain/access/instanceTag.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { ApiKeyStore } from "../../ports/ApiKeyStore.ts"
import { InstanceStore } from "../../ports/InstanceStore.ts"

/** All API keys of the organization, including revoked and expired ones, newest first. */
export const listApiKeys = Effect.fn("listApiKeys")(function*(organizationId: OrganizationId) {
  return yield* (yield* ApiKeyStore).list(organizationId)
})

/**
 * Reads the eight hex digits that distinguish this installation from others on the same host name. They are not secret.
 */
export const readInstanceTag = Effect.fnUntraced(function*() {
  return makeInstanceTag(yield* (yield* InstanceStore).firstCursorKey)
})
