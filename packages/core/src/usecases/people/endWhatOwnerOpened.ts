import { Effect } from "effect"
import type { PersonId } from "../../domain/ids.ts"
import { SessionStore } from "../../ports/SessionStore.ts"

/**
 * Ends the unused links that a former owner made for others, and the sessions that such links began: the owner may have
 * used one. The links end first, so that none begins a session meanwhile.
 */
export const endWhatOwnerOpened = Effect.fnUntraced(function*(owner: PersonId) {
  const sessions = yield* SessionStore
  yield* sessions.removeLinksMadeBy(owner)
  yield* sessions.removeSessionsMadeBy(owner)
})
