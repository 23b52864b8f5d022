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
 * Removes a person's identity of an issuer, and ends the sessions that began with it except `kept`. Links stay valid.
 * The next sign-in with the person's verified e-mail address at that issuer attaches an identity again, whatever its
 * subject. Fails with NotFound for an unknown identity, and for the command's identity, which belongs to the operator.
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
