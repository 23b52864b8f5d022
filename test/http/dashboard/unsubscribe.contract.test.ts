/** The weekly digest, from when it is due until its recipient stops it with one POST without an account (RFC 8058). */
import {
  DigestStore,
  EmailAddress,
  InstanceStore,
  MailStore,
  makeUnsubscribeToken,
  type OrganizationId,
  readRecipients,
  runDigests,
  setDigest,
  setRecipients
} from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openDashboard, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

const [ann, bob] = [EmailAddress.make("ann@acme.example"), EmailAddress.make("bob@acme.example")]

let server: TestDashboard
let id: OrganizationId

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
  id = (await server.run(seedOrganization())).id
  await server.run(setRecipients(id, [ann, bob]))
})
afterAll(() => server.close())

const claim = () => server.run(Effect.flatMap(MailStore, (mails) => mails.claim(id, new Date(Date.now() + 1_000), 99)))
const recipients = () =>
  server.run(Effect.map(readRecipients(id), (all) => all.map(({ digestOffAt }) => digestOffAt !== null)))
const tokenOf = (address: EmailAddress) =>
  server.run(Effect.map(
    Effect.flatMap(InstanceStore, ({ firstCursorKey }) => firstCursorKey),
    (key) => makeUnsubscribeToken(key, id, address)
  ))
const makeDue = Effect.flatMap(
  DigestStore,
  (store) => store.save(id, { enabled: true, nextAt: new Date(Date.now() - 60_000) })
)

it("the digest can be switched on for Monday at 08:00, and off again", async () => {
  const { enabled, nextAt } = await server.run(setDigest(id, true))
  expect([enabled, nextAt!.getUTCDay(), nextAt!.getUTCHours(), nextAt! > new Date()]).toEqual([true, 1, 8, true])
  expect(await server.run(setDigest(id, true))).toEqual({ enabled, nextAt })
  expect(await server.run(setDigest(id, false))).toEqual({ enabled: false, nextAt: null })
})

it("each recipient gets one digest a week, however many processes queue it and however often it is due", async () => {
  for (let round = 0; round < 3; round++) {
    await server.run(makeDue)
    await server.run(Effect.all([runDigests(), runDigests(), runDigests()], { concurrency: "unbounded" }))
  }
  const mails = await claim()
  expect(mails.map(({ to }) => to).toSorted()).toEqual([ann, bob])
  expect(mails.every(({ digest }) => digest)).toBe(true)
  expect(mails[0]!.text).toMatch(/^No scan has completed yet, so there is nothing to report\./)
  // The time of the next digest is set in the same transaction
  expect((await server.run(DigestStore.use((store) => store.find(id))))!.nextAt! > new Date()).toBe(true)
})

describe("unsubscribing", () => {
  it("opening the link shows a page with a button, and changes nothing", async () => {
    const page = await server.browser().get(`/unsubscribe/${await tokenOf(ann)}`)
    expect([page.status, page.headers["cache-control"]]).toEqual([200, "private, no-store"])
    expect(wordsOf(page.text)).toContain("ann@acme.example will no longer get digests of")
    expect(await recipients()).toEqual([false, false])
  })

  it.each([
    ["application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"],
    [
      "multipart/form-data; boundary=x",
      "--x\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--\r\n"
    ]
  ])("a mail program's POST as %s unsubscribes only that recipient, also if repeated", async (type, body) => {
    const answer = await server.ask(`/unsubscribe/${await tokenOf(ann)}`, {
      method: "POST",
      headers: { "content-type": type },
      body
    })
    expect([answer.status, wordsOf(answer.text).includes("You are unsubscribed")]).toEqual([200, true])
    expect(await recipients()).toEqual([true, false])
  })

  it("unsubscribing does not stop the digests of other recipients, nor reveal who they are", async () => {
    const eve = await tokenOf(EmailAddress.make("eve@evil.example"))
    const bobs = await tokenOf(bob)
    const changed = bobs.slice(0, -1) + (bobs.endsWith("_") ? "-" : "_")
    for (const token of [eve, changed, "x", "a".repeat(64)]) {
      expect((await server.ask(`/unsubscribe/${token}`, { method: "POST" })).status).toBe(410)
    }
    expect(await recipients()).toEqual([true, false])
  })

  it("a recipient who has unsubscribed gets no digest in the next week", async () => {
    const queued = DigestStore.use((store) =>
      store.enqueue(id, "2099-01-05", {
        id: "01900000-0000-7000-8000-00000000000a" as never,
        subject: "a",
        text: "a",
        html: "a",
        createdAt: new Date()
      })
    )
    expect(await server.run(queued)).toBe(1)
    expect((await claim()).map(({ to }) => to)).toEqual([bob])
  })
})
