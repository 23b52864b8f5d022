import { Effect } from "effect"
import type { PersonId } from "../../domain/ids.ts"
import { SessionStore } from "../../ports/SessionStore.ts"

/**
 * Ends the unused links that a former owner may know, and the sessions that began with such links, because the owner
 * may have used one. These are the links that the owner created for others, and all links created in sessions that
 * began with such a link, through any number of steps. Links are ended first, so that no new session can begin in
 * between.
 */
export const endWhatOwnerOpened = Effect.fnUntraced(function*(owner: PersonId) {
  const sessions = yield* SessionStore
  yield* sessions.removeLinksKnownTo(owner)
  yield* sessions.removeSessionsKnownTo(owner)
})
