import { PersonStore, SessionId, SessionStore, StoreError } from "@sov/core"
import { at, newId, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { newToken, seedLink, seedPerson, seedSession } from "../support/people.ts"
import { failureOf, storeContract } from "./storeContract.ts"

/** What every SessionStore must keep. */
export const sessionStoreContract = storeContract("SessionStore", {
  "finds a link by its hash only": Effect.fnUntraced(function*() {
    const store = yield* SessionStore
    const [ada, ben] = [yield* seedPerson(), yield* seedPerson()]
    const { hash, link } = yield* seedLink(ada.id, { purpose: "invitation", madeBy: ben.id })
    assert.deepEqual(yield* store.findLink(hash), link)
    assert.equal(yield* store.findLink((yield* newToken).hash), null)
    assert.equal(yield* store.findLink(new Uint8Array()), null)
  }),

  "of ten who use a link at once, one gets it": Effect.fnUntraced(function*() {
    const store = yield* SessionStore
    const person = yield* seedPerson()
    const { hash, link } = yield* seedLink(person.id)
    const used = { ...link, usedAt: at(1) }
    const got = yield* Effect.all(Array.from({ length: 10 }, () => store.consumeLink(hash, at(1))), {
      concurrency: "unbounded"
    })
    assert.deepEqual(got.filter((one) => one !== null), [used])
    assert.equal(yield* store.consumeLink(hash, at(2)), null)
    assert.deepEqual(yield* store.findLink(hash), used)
  }),

  "a link is good until it expires, and not for a disabled person": Effect.fnUntraced(function*() {
    const store = yield* SessionStore
    const [person, disabled] = [yield* seedPerson(), yield* seedPerson({ disabledAt: at(0) })]
    const [late, last] = [yield* seedLink(person.id), yield* seedLink(person.id)]
    assert.equal(yield* store.consumeLink(late.hash, at(600)), null)
    assert.notEqual(yield* store.consumeLink(last.hash, at(599.999)), null)
    assert.equal(yield* store.consumeLink((yield* seedLink(disabled.id)).hash, at(1)), null)
    assert.equal(yield* store.consumeLink((yield* newToken).hash, at(1)), null)
  }),

  "counts the mailed links of one person since a time": Effect.fnUntraced(function*() {
    const store = yield* SessionStore
    const [ada, ben] = [yield* seedPerson(), yield* seedPerson()]
    for (const second of [1, 2, 3]) {
      yield* seedLink(ada.id, { purpose: "mail", createdAt: at(second), usedAt: second === 3 ? at(4) : null })
    }
    yield* seedLink(ada.id, { purpose: "console", createdAt: at(3) })
    yield* seedLink(ben.id, { purpose: "mail", createdAt: at(3) })
    assert.equal(yield* store.countMailedLinks(ada.id, at(0)), 3)
    assert.equal(yield* store.countMailedLinks(ada.id, at(1)), 2)
    assert.equal(yield* store.countMailedLinks(ada.id, at(3)), 0)
  }),

  "removes unused links of one person: all, or those that somebody else may know": Effect.fnUntraced(function*() {
    const store = yield* SessionStore
    const [ada, ben, carol] = [yield* seedPerson(), yield* seedPerson(), yield* seedPerson()]
    const own = yield* seedLink(ada.id, { madeBy: ada.id })
    const trusted = yield* seedLink(ada.id, { madeBy: ben.id, knownTo: [ada.id, ben.id] })
    const made = yield* seedLink(ada.id, { madeBy: carol.id })
    const known = yield* seedLink(ada.id, { madeBy: ben.id, knownTo: [carol.id] })
    const used = yield* seedLink(ada.id, { madeBy: carol.id, usedAt: at(1) })
    const alone = yield* seedLink(ada.id, { purpose: "mail" })
    const others = yield* seedLink(ben.id, { madeBy: carol.id })
    yield* store.removeLinksKnownToOthers(ada.id, [ben.id])
    const left = Effect.map(
      Effect.forEach([own, trusted, made, known, used, alone, others], ({ hash }) => store.findLink(hash)),
      (found) => found.map((link) => link !== null)
    )
    assert.deepEqual(yield* left, [true, true, false, false, true, true, true])
    yield* store.removeLinksKnownToOthers(ada.id, [])
    assert.deepEqual(yield* left, [true, false, false, false, true, true, true])
    yield* store.removeLinks(ada.id, "mail")
    assert.deepEqual(yield* left, [true, false, false, false, true, false, true])
    yield* store.removeLinks(ada.id)
    assert.deepEqual(yield* left, [false, false, false, false, true, false, true])
  }),

  "records who knows an unused link": Effect.fnUntraced(function*() {
    const store = yield* SessionStore
    const [ada, ben] = [yield* seedPerson(), yield* seedPerson()]
    const { hash, link } = yield* seedLink(ada.id)
    const used = yield* seedLink(ada.id, { usedAt: at(1) })
    for (const one of [hash, used.hash]) yield* store.recordMaker(one, ben.id, [ada.id])
    assert.deepEqual(yield* store.findLink(hash), { ...link, madeBy: ben.id, knownTo: [ada.id] })
    assert.deepEqual(yield* store.findLink(used.hash), used.link)
  }),

  "removes the unused links that a person made, or knows because they may be the maker": Effect.fnUntraced(function*() {
    const store = yield* SessionStore
    const [ada, ben] = [yield* seedPerson(), yield* seedPerson()]
    const made = yield* seedLink(ben.id, { madeBy: ada.id })
    const known = yield* seedLink(ben.id, { madeBy: ben.id, knownTo: [ben.id, ada.id] })
    assert.deepEqual(yield* store.findLink(known.hash), known.link)
    const used = yield* seedLink(ben.id, { madeBy: ada.id, usedAt: at(1) })
    const others = yield* seedLink(ada.id, { madeBy: ben.id })
    yield* store.removeLinksKnownTo(ada.id)
    assert.equal(yield* store.findLink(known.hash), null)
    assert.equal(yield* store.findLink(made.hash), null)
    assert.notEqual(yield* store.findLink(used.hash), null)
    assert.notEqual(yield* store.findLink(others.hash), null)
  }),

  "finds a session with its person and memberships, oldest organization first": Effect.fnUntraced(function*() {
    const store = yield* SessionStore
    const people = yield* PersonStore
    const [ada, ben] = [yield* seedPerson({ signedInAt: at(2) }), yield* seedPerson()]
    const [young, old] = [
      yield* seedOrganization({ createdAt: at(9), scanQuota: 3, historyDays: 9 }),
      yield* seedOrganization({ createdAt: at(1) })
    ]
    yield* people.addMember(young.id, ada.id, "viewer", at(1), "Ada of Young")
    yield* people.addMember(old.id, ada.id, "owner", at(2))
    yield* people.addMember(old.id, ben.id, "member", at(3))
    const { hash, session } = yield* seedSession(ada.id)
    assert.deepEqual(yield* store.findSession(hash), {
      session,
      person: ada,
      memberships: [{ organization: old, role: "owner", name: ada.name }, {
        organization: young,
        role: "viewer",
        name: "Ada of Young"
      }]
    })
    assert.equal(yield* store.findSession((yield* newToken).hash), null)
  }),

  "finds the session of a person without a membership, and none of a disabled person": Effect.fnUntraced(function*() {
    const store = yield* SessionStore
    const [person, disabled] = [yield* seedPerson(), yield* seedPerson({ disabledAt: at(0) })]
    const { hash, session } = yield* seedSession(person.id)
    assert.deepEqual(yield* store.findSession(hash), { session, person, memberships: [] })
    assert.equal(yield* store.findSession((yield* seedSession(disabled.id)).hash), null)
  }),

  "refuses a token that exists, without showing its hash": Effect.fnUntraced(function*() {
    const store = yield* SessionStore
    const person = yield* seedPerson()
    const { hash, session } = yield* seedSession(person.id)
    const again = { ...session, id: yield* newId(SessionId) }
    const error = yield* failureOf(store.insertSession(again, hash))
    assert.ok(error instanceof StoreError)
    assert.equal(error.reason, "constraint")
    assert.ok(!JSON.stringify([error, error.stack]).includes(Buffer.from(hash).toString("hex").slice(0, 8)))
  }),

  "stores the latest use": Effect.fnUntraced(function*() {
    const store = yield* SessionStore
    const person = yield* seedPerson()
    const { hash, session } = yield* seedSession(person.id)
    yield* store.recordUse(session.id, at(7))
    yield* store.recordUse(session.id, at(6))
    assert.deepEqual((yield* store.findSession(hash))?.session, { ...session, seenAt: at(7) })
  }),

  "lists the sessions of one person, the one used last first": Effect.fnUntraced(function*() {
    const store = yield* SessionStore
    const [ada, ben] = [yield* seedPerson(), yield* seedPerson()]
    const [first, second] = [yield* seedSession(ada.id), yield* seedSession(ada.id, { seenAt: at(5) })]
    yield* seedSession(ben.id)
    assert.deepEqual(yield* store.listSessions(ada.id), [second.session, first.session])
  }),

  "removes one session, by its token or by its id and person": Effect.fnUntraced(function*() {
    const store = yield* SessionStore
    const [ada, ben] = [yield* seedPerson(), yield* seedPerson()]
    const [first, second] = [yield* seedSession(ada.id), yield* seedSession(ada.id)]
    assert.equal(yield* store.removeSession(ben.id, first.session.id), null)
    assert.deepEqual(yield* store.removeSession(ada.id, first.session.id), first.session)
    assert.equal(yield* store.removeSession(ada.id, first.session.id), null)
    assert.deepEqual(yield* store.removeByHash(second.hash), second.session)
    assert.equal(yield* store.removeByHash(second.hash), null)
    assert.deepEqual(yield* store.listSessions(ada.id), [])
  }),

  "removes the sessions of one person: all, or those that began by what somebody else may know": Effect.fnUntraced(
    function*() {
      const store = yield* SessionStore
      const [ada, ben, carol] = [yield* seedPerson(), yield* seedPerson(), yield* seedPerson()]
      const kept = yield* seedSession(ada.id, { madeBy: ben.id, knownTo: [ada.id] })
      yield* seedSession(ada.id, { madeBy: carol.id })
      yield* seedSession(ada.id, { madeBy: ben.id, knownTo: [carol.id] })
      yield* seedSession(ben.id, { madeBy: carol.id })
      assert.equal(yield* store.removeSessionsKnownToOthers(ada.id, [ben.id]), 2)
      assert.deepEqual(yield* store.listSessions(ada.id), [kept.session])
      assert.equal(yield* store.removeSessions(ada.id), 1)
      assert.deepEqual(yield* store.listSessions(ada.id), [])
      assert.equal((yield* store.listSessions(ben.id)).length, 1)
    }
  ),

  "removes the sessions of others that began by links that a person made or knows": Effect.fnUntraced(function*() {
    const store = yield* SessionStore
    const [ada, ben] = [yield* seedPerson(), yield* seedPerson()]
    const made = yield* seedSession(ben.id, { method: "invitation", madeBy: ada.id })
    const known = yield* seedSession(ben.id, { method: "invitation", madeBy: ben.id, knownTo: [ada.id] })
    assert.deepEqual(yield* store.listSessions(ben.id), [known.session, made.session])
    const kept = [
      yield* seedSession(ben.id, { method: "invitation" }),
      yield* seedSession(ada.id, { method: "invitation", madeBy: ben.id }),
      yield* seedSession(ada.id, { method: "invitation", madeBy: ada.id })
    ]
    assert.deepEqual((yield* store.findSession(made.hash))?.session, made.session)
    assert.equal(yield* store.removeSessionsKnownTo(ada.id), 2)
    assert.equal(yield* store.findSession(known.hash), null)
    assert.equal(yield* store.findSession(made.hash), null)
    for (const { hash, session } of kept) assert.deepEqual((yield* store.findSession(hash))?.session, session)
  }),

  "prunes what has ended before a time": Effect.fnUntraced(function*() {
    const store = yield* SessionStore
    const { id } = yield* seedPerson()
    const long = 1e8
    const seen = { seenAt: at(-long + 10) }
    const [expired, idle, live] = [
      yield* seedSession(id, { ...seen, expiresAt: at(-long) }),
      yield* seedSession(id, { seenAt: at(-long) }),
      yield* seedSession(id, seen)
    ]
    const [old, young] = [
      yield* seedLink(id, { expiresAt: at(-long) }),
      yield* seedLink(id, { expiresAt: at(-long + 5) })
    ]
    yield* store.prune({ endedBefore: at(-long + 5), seenBefore: at(-long + 5) })
    assert.equal(yield* store.findSession(expired.hash), null)
    assert.equal(yield* store.findSession(idle.hash), null)
    assert.notEqual(yield* store.findSession(live.hash), null)
    assert.equal(yield* store.findLink(old.hash), null)
    assert.notEqual(yield* store.findLink(young.hash), null)
  })
})
