import { Effect } from "effect"
import type { PersonId } from "../../domain/ids.ts"
import { isSessionLive } from "../../domain/people/Session.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { now } from "../now.ts"

/** The sessions of a person that have not ended, the one used last first. */
export const listSessions = Effect.fn("listSessions")(function*(personId: PersonId) {
  const at = yield* now
  return (yield* (yield* SessionStore).listSessions(personId)).filter((session) => isSessionLive(session, at))
})
