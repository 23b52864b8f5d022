import {
  AuditEntryId,
  AuditLog,
  type EmailAddress,
  LastOwner,
  type OrganizationId,
  PersonExists,
  PersonId,
  PersonStore,
  SessionId,
  Transaction
} from "@sov/core"
import { at, newId, seedOrganization } from "@sov/core/testing"
import { Effect, Exit } from "effect"
import assert from "node:assert/strict"
import { personOf, seedMember, seedPerson } from "../support/people.ts"
import { failureOf, storeContract } from "./storeContract.ts"

/** What every PersonStore must keep. */
export const personStoreContract = storeContract("PersonStore", {
  "finds a person by id, and by e-mail address in whatever case": Effect.fnUntraced(function*() {
    const store = yield* PersonStore
    const person = yield* seedPerson({ signedInAt: at(3), disabledAt: at(4) })
    assert.deepEqual(yield* store.find(person.id), person)
    assert.deepEqual(yield* store.findByEmail(person.email!.toUpperCase()), person)
    assert.equal(yield* store.findByEmail(`x${person.email}`), null)
    assert.equal(yield* store.find(yield* newId(PersonId)), null)
  }),

  "refuses a second person with the address, but not one without any": Effect.fnUntraced(function*() {
    const store = yield* PersonStore
    const { email } = yield* seedPerson()
    const other = yield* personOf({ email: email!.toLowerCase() as EmailAddress })
    assert.ok((yield* failureOf(store.create(other))) instanceof PersonExists)
    assert.equal(yield* store.find(other.id), null)
    yield* seedPerson({ email: null })
    yield* seedPerson({ email: null })
  }),

  "finds a person by identity: nobody else gets it, and nobody two of one issuer": Effect.fnUntraced(function*() {
    const store = yield* PersonStore
    const [ada, ben] = [yield* seedPerson(), yield* seedPerson()]
    const identity = { issuer: "https://id.example", subject: ada.id }
    assert.equal(yield* store.findByIdentity(identity), null)
    assert.equal(yield* store.addIdentity(ada.id, identity, at(5)), true)
    assert.equal(yield* store.addIdentity(ben.id, identity, at(6)), false)
    assert.equal(yield* store.addIdentity(ada.id, { ...identity, subject: ben.id }, at(7)), false)
    assert.equal(yield* store.addIdentity(ada.id, { ...identity, issuer: "https://second.example" }, at(7)), true)
    assert.deepEqual(yield* store.findByIdentity(identity), ada)
    assert.equal(yield* store.findByIdentity({ ...identity, issuer: "https://other.example" }), null)
    assert.equal(yield* store.findByIdentity({ ...identity, subject: ben.id }), null)
  }),

  "lists the identities of a person, oldest first, and removes one by its issuer": Effect.fnUntraced(function*() {
    const store = yield* PersonStore
    const [ada, ben] = [yield* seedPerson(), yield* seedPerson()]
    const [first, second] = [
      { issuer: "https://id.example", subject: `first-${ada.id}` },
      { issuer: "https://a.example", subject: `second-${ada.id}` }
    ]
    yield* store.addIdentity(ada.id, first, at(5))
    yield* store.addIdentity(ada.id, second, at(6))
    yield* store.addIdentity(ben.id, { ...first, subject: ben.id }, at(6))
    assert.deepEqual(yield* store.listIdentities(ada.id), [
      { ...first, createdAt: at(5) },
      { ...second, createdAt: at(6) }
    ])
    assert.equal(yield* store.removeIdentity(ben.id, second.issuer), null)
    assert.deepEqual(yield* store.removeIdentity(ada.id, first.issuer), first)
    assert.equal(yield* store.removeIdentity(ada.id, first.issuer), null)
    assert.equal(yield* store.findByIdentity(first), null)
    assert.deepEqual((yield* store.listIdentities(ada.id)).map(({ subject }) => subject), [second.subject])
    assert.equal(yield* store.addIdentity(ada.id, { ...first, subject: `new-${ada.id}` }, at(7)), true)
  }),

  "knows a member by the name and the sign-ins of that organization alone": Effect.fnUntraced(function*() {
    const store = yield* PersonStore
    const log = yield* AuditLog
    const [own, other] = [yield* seedOrganization(), yield* seedOrganization()]
    const ada = yield* seedPerson({ signedInAt: at(90) })
    yield* store.addMember(own.id, ada.id, "viewer", at(20), "Ada of Own")
    yield* store.addMember(other.id, ada.id, "viewer", at(20))
    const signIn = Effect.fnUntraced(function*(organizationId: OrganizationId, second: number) {
      yield* log.record(organizationId, [{
        id: yield* newId(AuditEntryId),
        at: at(second),
        actor: { kind: "person", name: ada.name, personId: ada.id },
        action: "session.started",
        subject: { kind: "session", id: yield* newId(SessionId) },
        detail: {}
      }])
    })
    yield* signIn(own.id, 10)
    yield* signIn(other.id, 60)
    assert.deepEqual((yield* store.findMember(own.id, ada.id))?.person, {
      ...ada,
      name: "Ada of Own",
      signedInAt: null
    })
    yield* signIn(own.id, 40)
    yield* signIn(own.id, 30)
    assert.deepEqual((yield* store.listMembers(own.id))[0]?.person, { ...ada, name: "Ada of Own", signedInAt: at(40) })
    assert.deepEqual((yield* store.findMember(other.id, ada.id))?.person, { ...ada, signedInAt: at(60) })
  }),

  "stores the latest sign-in": Effect.fnUntraced(function*() {
    const store = yield* PersonStore
    const { id } = yield* seedPerson()
    yield* store.recordSignIn(id, at(7))
    yield* store.recordSignIn(id, at(6))
    assert.deepEqual((yield* store.find(id))?.signedInAt, at(7))
  }),

  "lists the organizations of a person and the members of an organization, oldest first": Effect.fnUntraced(
    function*() {
      const store = yield* PersonStore
      const [old, young, foreign] = [
        yield* seedOrganization({ createdAt: at(1) }),
        yield* seedOrganization({ createdAt: at(2), scanQuota: 3, historyDays: 9, plan: "business" }),
        yield* seedOrganization()
      ]
      const [ada, ben] = [yield* seedPerson(), yield* seedPerson()]
      assert.equal(yield* store.addMember(young.id, ada.id, "owner", at(5)), true)
      assert.equal(yield* store.addMember(old.id, ada.id, "viewer", at(6)), true)
      assert.equal(yield* store.addMember(young.id, ben.id, "member", at(4)), true)
      assert.equal(yield* store.addMember(young.id, ada.id, "viewer", at(7)), false)
      assert.deepEqual(yield* store.listMemberships(ada.id), [
        { organization: old, role: "viewer", name: ada.name },
        { organization: young, role: "owner", name: ada.name }
      ])
      assert.deepEqual(yield* store.listMembers(young.id), [
        { person: ben, role: "member", createdAt: at(4) },
        { person: ada, role: "owner", createdAt: at(5) }
      ])
      assert.deepEqual(yield* store.listMembers(foreign.id), [])
      assert.deepEqual(yield* store.findMember(old.id, ada.id), { person: ada, role: "viewer", createdAt: at(6) })
      assert.equal(yield* store.findMember(old.id, ben.id), null)
    }
  ),

  "changes and removes a role, and says which it was": Effect.fnUntraced(function*() {
    const store = yield* PersonStore
    const { id } = yield* seedOrganization()
    yield* seedMember(id)
    const ben = yield* seedMember(id, "member")
    assert.equal(yield* store.setRole(id, ben.id, "owner"), "member")
    assert.equal(yield* store.setRole(id, ben.id, "viewer"), "owner")
    assert.equal((yield* store.findMember(id, ben.id))?.role, "viewer")
    assert.equal(yield* store.removeMember(id, ben.id), "viewer")
    assert.equal(yield* store.removeMember(id, ben.id), null)
    assert.equal(yield* store.setRole(id, ben.id, "owner"), null)
    assert.equal(yield* store.findMember(id, ben.id), null)
    assert.deepEqual(yield* store.find(ben.id), ben)
  }),

  "keeps the last owner": Effect.fnUntraced(function*() {
    const store = yield* PersonStore
    const [{ id }, other] = [yield* seedOrganization(), yield* seedOrganization()]
    const ada = yield* seedMember(id)
    yield* seedMember(id, "member")
    yield* store.addMember(other.id, ada.id, "owner", at(1))
    yield* seedMember(other.id)
    assert.ok((yield* failureOf(store.setRole(id, ada.id, "member"))) instanceof LastOwner)
    assert.ok((yield* failureOf(store.removeMember(id, ada.id))) instanceof LastOwner)
    assert.equal(yield* store.setRole(id, ada.id, "owner"), "owner")
    assert.equal((yield* store.findMember(id, ada.id))?.role, "owner")
  }),

  "of two owners who leave at once, one stays": Effect.fnUntraced(function*() {
    const store = yield* PersonStore
    const { run } = yield* Transaction
    const { id } = yield* seedOrganization()
    const [ada, ben] = [yield* seedMember(id), yield* seedMember(id)]
    const exits = yield* Effect.all([
      Effect.exit(run(Effect.tap(store.setRole(id, ada.id, "viewer"), () => Effect.sleep("50 millis")))),
      Effect.exit(run(Effect.tap(store.removeMember(id, ben.id), () => Effect.sleep("50 millis"))))
    ], { concurrency: "unbounded" })
    assert.equal(exits.filter(Exit.isSuccess).length, 1)
    assert.equal((yield* store.listMembers(id)).filter(({ role }) => role === "owner").length, 1)
  }),

  "locks a person, so that two who count one after another see each other's work": Effect.fnUntraced(function*() {
    const store = yield* PersonStore
    const { run } = yield* Transaction
    const person = yield* seedPerson()
    const claim = run(Effect.gen(function*() {
      const locked = yield* store.lock(person.id)
      yield* Effect.sleep("20 millis")
      if (locked?.signedInAt === null) yield* store.recordSignIn(person.id, at(9))
      return locked?.signedInAt ?? null
    }))
    const seen = yield* Effect.all([claim, claim, claim], { concurrency: "unbounded" })
    assert.equal(seen.filter((time) => time === null).length, 1)
    assert.equal(yield* store.lock(yield* newId(PersonId)), null)
  })
})
