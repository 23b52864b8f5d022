import { Effect } from "effect"
import type { PersonId, SessionId } from "../../domain/ids.ts"
import { ownIssuers } from "../../domain/people/Person.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { changeAndNotify } from "../access/keyCacheInvalidation.ts"
import { NotFound } from "../errors.ts"
import { recordEnd } from "./endSession.ts"
import { recordOwnActs } from "./recordOwnActs.ts"

/**
 * Removes a person's identity of an issuer, and ends the sessions that began that way but `kept`. Links go on working.
 * Whoever the issuer gives the person's verified e-mail address is attached at the next sign-in there, also with
 * another subject. Fails with NotFound for an identity that is not there, and for that of the command, which is the
 * operator's.
 */
export const removeIdentity = Effect.fn("removeIdentity")(
  function*(personId: PersonId, issuer: string, kept: SessionId) {
    const [people, sessions] = yield* Effect.all([PersonStore, SessionStore])
    return yield* changeAndNotify(Effect.gen(function*() {
      yield* people.lock(personId)
      const removed = issuer === ownIssuers.console ? null : yield* people.removeIdentity(personId, issuer)
      if (removed === null) return yield* new NotFound({ what: "identity", id: issuer })
      const method = issuer === ownIssuers.proxy ? "proxy" : "oidc"
      const begun = (yield* sessions.listSessions(personId)).filter((one) => one.method === method && one.id !== kept)
      for (const { id } of begun) {
        const ended = yield* sessions.removeSession(personId, id)
        if (ended !== null) yield* recordEnd(ended)
      }
      yield* recordOwnActs(personId, ({ id, name }) => ({
        action: "identity.removed",
        subjectId: id,
        detail: { name, issuer }
      }))
      return removed
    }))
  }
)
