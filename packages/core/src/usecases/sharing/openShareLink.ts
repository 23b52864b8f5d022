import { Effect } from "effect"
import { ShareLinkStore } from "../../ports/ShareLinkStore.ts"
import { now } from "../now.ts"
import { findActiveShareLink } from "./reads.ts"

/** Reads a share link for a visitor (`findActiveShareLink`) and records that it was used. */
export const openShareLink = Effect.fn("openShareLink")(function*(token: string) {
  const found = yield* findActiveShareLink(token)
  yield* (yield* ShareLinkStore).recordUse(found.organization.id, found.link.id, yield* now)
  return found
})
