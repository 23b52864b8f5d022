import { Effect } from "effect"
import { ownIssuers } from "../../domain/people/Person.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { IdentityRefused } from "../errors.ts"
import { now } from "../now.ts"
import { recordOwnActs } from "./recordOwnActs.ts"
import { type Browser, runSignIn, startSession } from "./startSession.ts"

/** A person whom an OpenID Connect issuer, or the proxy in front of the server, asserts. */
export type AssertedIdentity = {
  readonly subject: string
  /** The e-mail address if the issuer has verified it; otherwise null. */
  readonly verifiedEmail: string | null
} & ({ readonly method: "oidc"; readonly issuer: string } | { readonly method: "proxy" })

const findPerson = Effect.fnUntraced(function*(asserted: AssertedIdentity) {
  const people = yield* PersonStore
  const identity = {
    issuer: asserted.method === "proxy" ? ownIssuers.proxy : asserted.issuer,
    subject: asserted.subject
  }
  const known = yield* people.findByIdentity(identity)
  if (known !== null) return yield* people.lock(known.id)
  if (asserted.verifiedEmail === null) return null
  const invited = yield* people.findByEmail(asserted.verifiedEmail)
  if (invited === null || invited.disabledAt !== null || (yield* people.lock(invited.id)) === null) return null
  if (!(yield* people.addIdentity(invited.id, identity, yield* now))) return null
  yield* recordOwnActs(invited.id, ({ id, name }) => ({
    action: "identity.added",
    subjectId: id,
    detail: { name, issuer: identity.issuer }
  }))
  return invited
})

/**
 * Starts a session for a person whom an issuer asserts: the person who signed in with this identity before, or the
 * person with that verified e-mail address and no identity of the issuer. `token` belongs to the session and is not
 * stored. Fails with IdentityRefused for everybody else.
 */
export const signInWithIdentity = Effect.fn("signInWithIdentity")(
  function*(asserted: AssertedIdentity, browser: Browser) {
    const own: ReadonlyArray<string> = Object.values(ownIssuers)
    if (asserted.method === "oidc" && own.includes(asserted.issuer)) return yield* new IdentityRefused()
    return yield* runSignIn(
      browser,
      Effect.gen(function*() {
        const person = yield* findPerson(asserted)
        if (person === null || person.disabledAt !== null) return yield* new IdentityRefused()
        return yield* startSession(person, { method: asserted.method, madeBy: null, knownTo: [] }, browser)
      })
    )
  }
)
