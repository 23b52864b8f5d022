import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { hashRandomToken, isWellFormedRandomToken } from "../../domain/randomToken.ts"
import { shareLinkState } from "../../domain/sharing/ShareLink.ts"
import { ShareLinkStore } from "../../ports/ShareLinkStore.ts"
import { ShareLinkRefused } from "../errors.ts"
import { now } from "../now.ts"

/**
 * The share link with this token, and its organization. The store is queried each time, so that a revoked link is
 * refused at once. Fails with ShareLinkRefused for an unknown, expired or revoked link, without the reason.
 */
export const findActiveShareLink = Effect.fn("findActiveShareLink")(function*(token: string) {
  if (!isWellFormedRandomToken(token)) return yield* new ShareLinkRefused()
  const found = yield* (yield* ShareLinkStore).findByHash(hashRandomToken(token))
  if (found === null || shareLinkState(found.link, yield* now) !== "active") return yield* new ShareLinkRefused()
  return found
})

/** All share links of the organization, including revoked and expired ones, newest first. */
export const listShareLinks = Effect.fn("listShareLinks")(function*(organizationId: OrganizationId) {
  return yield* (yield* ShareLinkStore).list(organizationId)
})
