import { Effect } from "effect"
import { hashRandomToken, isWellFormedRandomToken } from "../../domain/randomToken.ts"
import { shareLinkState } from "../../domain/sharing/ShareLink.ts"
import { ShareLinkStore } from "../../ports/ShareLinkStore.ts"
import { ShareLinkRefused } from "../errors.ts"
import { now } from "../now.ts"

/**
 * What a share link shows, and of which organization. Each time the store is asked, so that a revoked link shows
 * nothing from then on. Fails with ShareLinkRefused for a link that is unknown, has expired or was revoked: it does not
 * say which.
 */
export const openShareLink = Effect.fn("openShareLink")(function*(token: string) {
  if (!isWellFormedRandomToken(token)) return yield* new ShareLinkRefused()
  const store = yield* ShareLinkStore
  const found = yield* store.findByHash(hashRandomToken(token))
  const at = yield* now
  if (found === null || shareLinkState(found.link, at) !== "active") return yield* new ShareLinkRefused()
  yield* store.recordUse(found.organization.id, found.link.id, at)
  return found
})
