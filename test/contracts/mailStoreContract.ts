import { type ClaimedMail, EmailAddress, EventId, mailRetryDelaysMs, MailStore, type OrganizationId } from "@sov/core"
import { at, hostileTexts, newId, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

export const address = (text: string): EmailAddress => EmailAddress.make(text)
const [ann, bob, cid] = [address("ann@acme.example"), address("bob@acme.example"), address("cid@acme.example")]

/** An e-mail, not stored. */
export const mailOf = (fields: { readonly createdAt?: Date; readonly subject?: string } = {}) =>
  Effect.map(newId(EventId), (id) => ({
    id,
    subject: "Subject",
    text: "Text \u{1F6E0}",
    html: "<p>Text",
    createdAt: at(0),
    ...fields
  }))

const claimed = (organizationId: OrganizationId, now: Date) =>
  Effect.gen(function*() {
    const all = yield* (yield* MailStore).claim(organizationId, now, 1000)
    return all.toSorted((a, b) => a.to < b.to ? -1 : 1)
  })

const seedMail = Effect.fnUntraced(function*(...to: ReadonlyArray<EmailAddress>) {
  const mails = yield* MailStore
  const { id: organizationId } = yield* seedOrganization()
  yield* mails.setRecipients(organizationId, to, at(0))
  const mail = yield* mailOf()
  yield* mails.enqueue(organizationId, mail)
  return { mails, organizationId, mail }
})

/** What every MailStore must keep. */
export const mailStoreContract = storeContract("MailStore", {
  "replaces the recipients, none of them flagged then": Effect.fnUntraced(function*() {
    const mails = yield* MailStore
    const { id } = yield* seedOrganization()
    assert.deepEqual(yield* mails.listRecipients(id), [])
    yield* mails.setRecipients(id, [bob, ann, ann], at(1))
    yield* mails.flag(id, bob, "550 \u0000 no", at(2))
    assert.deepEqual(yield* mails.listRecipients(id), [
      { address: ann, flagged: null, digestOffAt: null },
      { address: bob, flagged: { at: at(2), reason: "550 \uFFFD no" }, digestOffAt: null }
    ])
    yield* mails.setRecipients(id, [bob], at(3))
    assert.deepEqual(yield* mails.listRecipients(id), [{ address: bob, flagged: null, digestOffAt: null }])
    yield* mails.setRecipients(id, [], at(4))
    assert.deepEqual(yield* mails.listRecipients(id), [])
  }),

  "queues an e-mail for everybody who is not flagged, once, whatever it says": Effect.fnUntraced(function*() {
    const mails = yield* MailStore
    const { id } = yield* seedOrganization()
    yield* mails.setRecipients(id, [ann, bob], at(0))
    yield* mails.flag(id, bob, "no", at(1))
    const mail = yield* mailOf({ subject: hostileTexts.join("") })
    yield* mails.enqueue(id, mail)
    yield* mails.enqueue(id, mail)
    assert.deepEqual(yield* claimed(id, at(0)), [{ ...mail, organizationId: id, to: ann, tries: 1, digest: false }])
    assert.deepEqual(
      yield* mails.listStatuses(id, [mail.id]),
      [{ id: mail.id, to: ann, state: "queued", tries: 1, message: null, endedAt: null }]
    )
  }),

  "gives each to one claimer, again when its next try is due": Effect.fnUntraced(function*() {
    const { mail, mails, organizationId } = yield* seedMail(ann)
    assert.deepEqual(yield* claimed(organizationId, at(-1)), [])
    assert.equal(yield* mails.hasUnattempted(at(0)), true)
    let now = at(0)
    for (let tries = 1; tries <= mailRetryDelaysMs.length + 2; tries++) {
      const found = yield* claimed(organizationId, now)
      assert.deepEqual(found.map((one) => one.tries), [tries])
      // A claimer that dies says nothing
      if (tries % 2 === 0) yield* mails.markFailed(found[0]!, `try ${tries} \u0000`, null)
      const pause = mailRetryDelaysMs[Math.min(tries, mailRetryDelaysMs.length) - 1]!
      assert.deepEqual(yield* claimed(organizationId, new Date(now.getTime() + pause - 1)), [])
      now = new Date(now.getTime() + pause)
    }
    assert.equal((yield* mails.listStatuses(organizationId, [mail.id]))[0]?.message, "try 6 \uFFFD")
  }),

  "names who has e-mails that are due, and gives those of one organization, the longest due first": Effect.fnUntraced(
    function*() {
      const { mails, organizationId } = yield* seedMail(ann)
      const other = yield* seedMail(ann)
      const later = yield* mailOf({ createdAt: at(10) })
      yield* mails.enqueue(organizationId, later)
      const waits = (now: Date) =>
        Effect.map(mails.listOrganizationsWithDueMail(now), (ids) => ids.includes(organizationId))
      assert.deepEqual([yield* waits(at(-1)), yield* waits(at(0))], [false, true])
      assert.deepEqual((yield* mails.claim(organizationId, at(20), 1)).map(({ id }) => id === later.id), [false])
      assert.deepEqual((yield* mails.claim(organizationId, at(20), 9)).map(({ id }) => id), [later.id])
      assert.deepEqual([yield* waits(at(20)), yield* waits(at(80))], [false, true])
      assert.deepEqual((yield* claimed(other.organizationId, at(20))).map(({ id }) => id), [other.mail.id])
    }
  ),

  "drops what is due to somebody who is no recipient any more, or is flagged": Effect.fnUntraced(function*() {
    const { mail, mails, organizationId } = yield* seedMail(ann, bob, cid)
    yield* mails.setRecipients(organizationId, [bob, cid], at(1))
    yield* mails.flag(organizationId, bob, "no", at(2))
    assert.deepEqual((yield* claimed(organizationId, at(3))).map(({ to }) => to), [cid])
    const states = (yield* mails.listStatuses(organizationId, [mail.id])).map(({ endedAt, state, to, tries }) =>
      [to, state, tries, endedAt] as const
    )
    assert.deepEqual(states, [[ann, "dropped", 0, at(3)], [bob, "dropped", 0, at(3)], [cid, "queued", 1, null]])
    assert.deepEqual(
      yield* mails.listOrganizationsWithDueMail(at(4)),
      (yield* mails.listOrganizationsWithDueMail(at(4))).filter((id) => id !== organizationId)
    )
  }),

  "ends what was sent or given up, for its recipient alone": Effect.fnUntraced(function*() {
    const { mail, mails, organizationId } = yield* seedMail(ann, bob)
    const [toAnn, toBob] = yield* claimed(organizationId, at(0))
    yield* mails.markFailed(toBob!, "451 later", null)
    yield* mails.markSent(toAnn!, at(5))
    yield* mails.markFailed(toBob!, "550 never", at(6))
    // What has ended stays as it ended
    yield* mails.markSent(toBob!, at(7))
    yield* mails.markFailed(toAnn!, "late", at(8))
    const one = { id: mail.id, tries: 1 }
    assert.deepEqual(yield* mails.listStatuses(organizationId, [mail.id]), [
      { ...one, to: ann, state: "sent", message: null, endedAt: at(5) },
      { ...one, to: bob, state: "failed", message: "550 never", endedAt: at(6) }
    ])
    assert.deepEqual(yield* claimed(organizationId, at(999_999)), [])
    assert.deepEqual(yield* mails.listStatuses(organizationId, []), [])
  }),

  "says how sending goes": Effect.fnUntraced(function*() {
    const mails = yield* MailStore
    const before = yield* mails.queue(at(0))
    const { organizationId } = yield* seedMail(ann, bob)
    const [one] = yield* claimed(organizationId, at(0))
    yield* mails.enqueue(organizationId, yield* mailOf({ createdAt: at(9e6) }))
    yield* mails.markFailed(one as ClaimedMail, "550", at(100))
    yield* mails.flag(organizationId, one!.to, "550", at(100))
    const after = yield* mails.queue(at(100))
    assert.deepEqual(
      [after.queued - before.queued, after.flagged - before.flagged, after.lastFailure],
      [3, 1, "550"]
    )
    assert.equal(after.failed - (yield* mails.queue(at(101))).failed, 1)
  })
})
