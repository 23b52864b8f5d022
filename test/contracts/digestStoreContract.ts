import { DigestStore, EventId, MailStore, type OrganizationId, Transaction } from "@sov/core"
import { at, newId, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { address, mailOf } from "./mailStoreContract.ts"
import { storeContract } from "./storeContract.ts"

const [ann, bob, cid] = [address("ann@acme.example"), address("bob@acme.example"), address("cid@acme.example")]

const seed = Effect.fnUntraced(function*() {
  const { id } = yield* seedOrganization()
  yield* (yield* MailStore).setRecipients(id, [ann, bob, cid], at(0))
  return id
})

/** A digest that is on, and one that was sent to everybody. */
export const seedDigest = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const [store, mails] = [yield* DigestStore, yield* MailStore]
  yield* store.save(organizationId, { enabled: true, nextAt: at(60) })
  const mail = yield* mailOf()
  yield* store.enqueue(organizationId, "2026-02-02", mail)
  for (const { address: to } of yield* mails.listRecipients(organizationId)) {
    yield* mails.markSent({ organizationId, id: mail.id, to }, at(40))
  }
})

/** What every DigestStore must keep. */
export const digestStoreContract = storeContract("DigestStore", {
  "keeps the setting, and names what is due until a time": Effect.fnUntraced(function*() {
    const store = yield* DigestStore
    const [{ id }, other] = [yield* seedOrganization(), yield* seedOrganization()]
    assert.equal(yield* store.find(id), null)
    assert.equal(yield* store.lock(id), null)
    // The database is one for all tests: far from the times of the others
    const century = (seconds: number) => new Date(at(seconds).getTime() - 100 * 365 * 86_400_000)
    yield* store.save(id, { enabled: true, nextAt: century(60) })
    yield* store.save(other.id, { enabled: true, nextAt: century(90) })
    assert.deepEqual(yield* store.lock(id), { enabled: true, nextAt: century(60) })
    assert.deepEqual(yield* store.listDue(century(59)), [])
    assert.deepEqual(yield* store.listDue(century(60)), [{ organizationId: id, dueAt: century(60) }])
    assert.deepEqual(yield* store.listDue(century(90)), [
      { organizationId: id, dueAt: century(60) },
      { organizationId: other.id, dueAt: century(90) }
    ])
    for (const one of [id, other.id]) yield* store.save(one, { enabled: false, nextAt: null })
    assert.deepEqual(yield* store.find(id), { enabled: false, nextAt: null })
    assert.deepEqual(yield* store.listDue(century(90)), [])
  }),

  "queues one of a week for each recipient who wants it, in the caller's transaction": Effect.fnUntraced(function*() {
    const [store, mails, { run }] = [yield* DigestStore, yield* MailStore, yield* Transaction]
    const id = yield* seed()
    yield* mails.flag(id, bob, "550 no", at(1))
    assert.equal(yield* store.unsubscribe(id, cid, at(2)), true)
    const first = { ...yield* mailOf(), id: yield* newId(EventId) }
    yield* Effect.ignore(run(Effect.andThen(store.enqueue(id, "2026-02-02", first), Effect.fail("rolled back"))))
    assert.equal(yield* store.enqueue(id, "2026-02-02", first), 1)
    assert.equal(yield* store.enqueue(id, "2026-02-02", { ...first, id: yield* newId(EventId) }), 0)
    assert.equal(yield* store.enqueue(id, "2026-02-09", { ...first, id: yield* newId(EventId) }), 1)
    const claimed = yield* mails.claim(id, at(9), 9)
    assert.deepEqual(claimed.map(({ digest, to }) => [to, digest]), [[ann, true], [ann, true]])
  }),

  "does not send queued digests to a person who has unsubscribed, but sends alerts": Effect.fnUntraced(
    function*() {
      const [store, mails] = [yield* DigestStore, yield* MailStore]
      const id = yield* seed()
      yield* store.enqueue(id, "2026-02-02", yield* mailOf())
      assert.equal(yield* store.unsubscribe(id, ann, at(3)), true)
      assert.equal(yield* store.unsubscribe(id, ann, at(4)), true)
      assert.equal(yield* store.unsubscribe(id, address("eve@evil.example"), at(3)), false)
      yield* mails.enqueue(id, yield* mailOf())
      const claimed = yield* mails.claim(id, at(9), 9)
      assert.deepEqual(claimed.filter(({ digest }) => digest).map(({ to }) => to).toSorted(), [bob, cid])
      assert.deepEqual(claimed.filter(({ digest }) => !digest).map(({ to }) => to).toSorted(), [ann, bob, cid])
      // A recipient who stays stays unsubscribed; one who is added again gets them
      yield* mails.setRecipients(id, [ann, bob], at(5))
      const offAt = Effect.map(mails.listRecipients(id), (all) => all.map(({ digestOffAt }) => digestOffAt))
      assert.deepEqual(yield* offAt, [at(3), null])
      yield* mails.setRecipients(id, [bob], at(6))
      yield* mails.setRecipients(id, [ann, bob], at(7))
      assert.deepEqual(yield* offAt, [null, null])
    }
  )
})
