import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { ShareLinkStore } from "../../ports/ShareLinkStore.ts"

/** All share links of the organization, revoked and expired ones too, the newest first. */
export const listShareLinks = Effect.fn("listShareLinks")(function*(organizationId: OrganizationId) {
  return yield* (yield* ShareLinkStore).list(organizationId)
})
