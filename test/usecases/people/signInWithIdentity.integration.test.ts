import { listIdentities, listSessions, openDashboard, removeIdentity, signInWithIdentity } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { serverHomeOrAll } from "../../support/homes.ts"
import { seedMember, seedSession } from "../../support/people.ts"
import { browser, readActs } from "../../support/signIn.ts"
import { accessRole, openStorage } from "../../support/storage.ts"

const issuer = "https://id.example"

describe.each(serverHomeOrAll)("signInWithIdentity on the %s home", (home) => {
  const { close, run } = openStorage(home, accessRole)
  afterAll(close)

  const refused = (asserted: Parameters<typeof signInWithIdentity>[0]) =>
    Effect.map(
      Effect.flip(signInWithIdentity(asserted, browser)),
      (error) => expect(error).toMatchObject({ _tag: "IdentityRefused" })
    )

  it("an invited person is first found by the verified address, and later by the subject", () =>
    run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      const ada = yield* seedMember(id)
      const asserted = { method: "oidc", issuer, subject: `sub-${ada.id}` } as const
      yield* refused({ ...asserted, verifiedEmail: null })
      const first = yield* signInWithIdentity({ ...asserted, verifiedEmail: ada.email!.toUpperCase() }, browser)
      expect(first).toMatchObject({ person: { id: ada.id }, session: { method: "oidc" } })
      const again = yield* signInWithIdentity({ ...asserted, verifiedEmail: "new@people.example" }, browser)
      expect(again.person.id).toBe(ada.id)
      expect(yield* readActs(id)).toEqual([
        `${ada.name}: identity.added`,
        `${ada.name}: session.started`,
        `${ada.name}: session.started`
      ])
      yield* refused({ ...asserted, issuer: "https://other.example", verifiedEmail: null })
      yield* refused({ method: "proxy", subject: asserted.subject, verifiedEmail: null })
    })))

  it("another account that gets the address later is refused", () =>
    run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      const { email } = yield* seedMember(id)
      yield* signInWithIdentity({ method: "oidc", issuer, subject: `first-${id}`, verifiedEmail: email }, browser)
      yield* refused({ method: "oidc", issuer, subject: `second-${id}`, verifiedEmail: email })
    })))

  it("removing an identity admits another account with the address, and ends all sessions but the current one", () =>
    run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      const ada = yield* seedMember(id)
      const signIn = (subject: string) =>
        signInWithIdentity({ method: "oidc", issuer, subject, verifiedEmail: ada.email }, browser)
      const [first, current] = [yield* signIn(`old-${id}`), yield* signIn(`old-${id}`)]
      const mailed = yield* seedSession(ada.id, {
        method: "mail",
        seenAt: new Date(),
        expiresAt: new Date(Date.now() + 60_000)
      })
      yield* refused({ method: "oidc", issuer, subject: `new-${id}`, verifiedEmail: ada.email })
      expect(yield* listIdentities(ada.id)).toMatchObject([{ issuer, subject: `old-${id}` }])
      yield* removeIdentity(ada.id, issuer, current.session.id)
      expect((yield* listSessions(ada.id)).map((one) => one.id).toSorted()).toEqual(
        [current.session.id, mailed.session.id].toSorted()
      )
      expect(yield* listIdentities(ada.id)).toEqual([])
      expect((yield* readActs(id)).slice(-2)).toEqual([`${ada.name}: session.ended`, `${ada.name}: identity.removed`])
      expect(first.session.id).not.toBe(current.session.id)
      expect((yield* signIn(`new-${id}`)).person.id).toBe(ada.id)
      yield* refused({ method: "oidc", issuer, subject: `old-${id}`, verifiedEmail: ada.email })
      for (const absent of ["https://other.example", "console"]) {
        expect(yield* Effect.flip(removeIdentity(ada.id, absent, current.session.id)))
          .toMatchObject({ _tag: "NotFound", what: "identity" })
      }
    })))

  it("the name under which the proxy knows a person is also an identity", () =>
    run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      const { email, id: personId } = yield* seedMember(id)
      const asserted = { method: "proxy", subject: email!, verifiedEmail: email } as const
      const { person, session } = yield* signInWithIdentity(asserted, browser)
      expect([person.id, session.method]).toEqual([personId, "proxy"])
    })))

  it("unknown and disabled people are refused, and so is an issuer that uses one of sov's own names", () =>
    run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      const disabled = yield* seedMember(id, "member", { disabledAt: new Date(0) })
      const subject = `x-${id}`
      // Now somebody has the identity that the last but one claims
      yield* openDashboard("Ada")
      yield* refused({ method: "oidc", issuer, subject, verifiedEmail: `nobody-${id}@people.example` })
      yield* refused({ method: "oidc", issuer, subject, verifiedEmail: disabled.email })
      yield* refused({ method: "oidc", issuer: "console", subject: "operator", verifiedEmail: null })
      yield* refused({ method: "oidc", issuer: "proxy", subject: "ada", verifiedEmail: null })
    })))
})
