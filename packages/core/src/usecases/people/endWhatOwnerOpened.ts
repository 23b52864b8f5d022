import { Effect } from "effect"
import type { PersonId } from "../../domain/ids.ts"
import { SessionStore } from "../../ports/SessionStore.ts"

/**
 * Ends the unused links that a former owner may know, and the sessions that such links began: the owner may have used
 * one. These are the links that they made for others, and those that were made in sessions which began by such a link,
 * however many lie between. The links end first, so that none begins a session meanwhile.
 */
export const endWhatOwnerOpened = Effect.fnUntraced(function*(owner: PersonId) {
  const sessions = yield* SessionStore
  yield* sessions.removeLinksKnownTo(owner)
  yield* sessions.removeSessionsKnownTo(owner)
})
