import { Effect } from "effect"
import type { PersonId, SessionId } from "../../domain/ids.ts"
import type { Session } from "../../domain/people/Session.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { changeAndNotify } from "../access/keyCacheInvalidation.ts"
import { NotFound } from "../errors.ts"
import { recordOwnActs } from "./recordOwnActs.ts"

/** Records in each of the person's organizations that they ended a session. */
export const recordEnd = ({ agent, id, personId }: Session) =>
  recordOwnActs(personId, () => ({ action: "session.ended", subjectId: id, detail: { agent } }))

/** Ends a session of the person. Every server refuses it from the next request on. Fails with NotFound. */
export const endSession = Effect.fn("endSession")(function*(personId: PersonId, id: SessionId) {
  const sessions = yield* SessionStore
  yield* changeAndNotify(Effect.gen(function*() {
    const ended = yield* sessions.removeSession(personId, id)
    if (ended === null) return yield* new NotFound({ what: "session", id })
    yield* recordEnd(ended)
  }))
})

/** Ends all sessions of the person except `kept`; returns their number. */
export const endOtherSessions = Effect.fn("endOtherSessions")(function*(personId: PersonId, kept: SessionId) {
  const sessions = yield* SessionStore
  return yield* changeAndNotify(Effect.gen(function*() {
    const others = (yield* sessions.listSessions(personId)).filter(({ id }) => id !== kept)
    const ended = yield* Effect.forEach(others, ({ id }) => sessions.removeSession(personId, id))
    const found = ended.filter((session) => session !== null)
    yield* Effect.forEach(found, recordEnd, { discard: true })
    return found.length
  }))
})
