import { Effect } from "effect"
import type { PersonId } from "../../domain/ids.ts"
import { SessionStore } from "../../ports/SessionStore.ts"

/**
 * Ends the unused links that a former owner may know, and the sessions that such links started: the owner may have used
 * one. They are the links that the owner made for others, and all links made in sessions that started from such a link,
 * however long the chain. Ends links first, so that no new session starts meanwhile.
 */
export const endWhatOwnerOpened = Effect.fnUntraced(function*(owner: PersonId) {
  const sessions = yield* SessionStore
  yield* sessions.removeLinksKnownTo(owner)
  yield* sessions.removeSessionsKnownTo(owner)
})
