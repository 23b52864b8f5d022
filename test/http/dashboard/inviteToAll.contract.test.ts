/** Inviting one person to several organizations at once, with one e-mail. */
import { listMembers, Mailer, type OrganizationId, PersonStore } from "@sov/core"
import { at, seedOrganization } from "@sov/core/testing"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { openDashboard, pathOf, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

let server: TestDashboard
const mails: Array<{ readonly to: string; readonly subject: string; readonly text: string }> = []
beforeAll(async () => {
  const sender = { send: (mail: (typeof mails)[number]) => Effect.sync(() => void mails.push(mail)) }
  server = await openDashboard(
    oneHome[0]!,
    { publicUrl: "https://sov.example" },
    { canMail: true },
    Layer.succeed(Mailer, sender)
  )
})
afterAll(() => server.close())
beforeEach(() => void mails.splice(0))

const path = "/portfolio/invite"

/** Signs in a person who owns three organizations and is a member of a fourth. */
const open = async () => {
  const made = await Promise.all([1, 2, 3, 4].map(() => server.run(seedOrganization({ plan: "pro" }))))
  const ids = made.map(({ id }) => id)
  const owner = await server.signIn(ids[0]!, "owner")
  const join = (id: OrganizationId, role: "owner" | "member") =>
    server.run(Effect.flatMap(PersonStore, (people) => people.addMember(id, owner.person.id, role, at(1))))
  for (const id of ids.slice(1, 3)) await join(id, "owner")
  await join(ids[3]!, "member")
  const slugs = await Promise.all(ids.map(async (id) => (await server.run(pathOf(id))).slice(3)))
  const send = (fields: Readonly<Record<string, string>>, organizations: ReadonlyArray<string>) =>
    owner.ask(path, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
      body: new URLSearchParams([
        ...Object.entries(fields),
        ...organizations.map((slug): [string, string] => ["organization", slug])
      ])
        .toString()
    })
  const formId = async () => /name="form_id" value="([^"]+)"/.exec((await owner.get(path)).text)![1]!
  const emails = async (id: OrganizationId) => (await server.run(listMembers(id))).map(({ person }) => person.email)
  return { ids, slugs, owner, send, formId, emails, names: made.map(({ name }) => name) }
}

it("the person becomes a member of each chosen organization and gets one e-mail", async () => {
  const { emails, formId, ids, names, owner, send, slugs } = await open()
  expect((await owner.get("/portfolio")).text).toContain(`href="${path}"`)
  const page = (await owner.get(path)).text
  for (const slug of slugs.slice(0, 3)) expect(page).toContain(`value="${slug}"`)
  expect(page).not.toContain(`value="${slugs[3]}"`)
  const [email, form_id] = [`ben-${slugs[0]}@acme.example`, await formId()]
  const sent = await send({ form_id, email, role: "viewer" }, slugs.slice(0, 3))
  expect([sent.status, wordsOf(sent.text)]).toEqual([200, expect.stringContaining(`sent to ${email}`)])
  for (const id of ids.slice(0, 3)) expect(await emails(id)).toContain(email)
  expect(await emails(ids[3]!)).not.toContain(email)
  expect(mails.map(({ to }) => to)).toEqual([email])
  expect(mails[0]!.subject).toContain("and 2 more organizations")
  for (const name of names.slice(0, 3)) expect(mails[0]!.text).toContain(name)
  const again = await send({ form_id, email, role: "viewer" }, slugs.slice(0, 3))
  expect([again.status, mails.length]).toEqual([409, 1])
})

it("the invitation states the role that it gives, not one that the person already has", async () => {
  const { formId, ids, send, slugs } = await open()
  const { person } = await server.signIn(ids[0]!, "owner")
  const fields = { email: person.email!, role: "viewer" }
  const sent = await send({ ...fields, form_id: await formId() }, slugs.slice(0, 3))
  expect(wordsOf(sent.text)).toContain("is now a member with the role viewer.")
  expect(mails[0]!.text).toContain("as a viewer")
  expect(mails[0]!.text).not.toContain("as an owner")
  const again = await send({ ...fields, form_id: await formId() }, slugs.slice(0, 3))
  expect(wordsOf(again.text)).toContain("is already a member with the role owner.")
})

it("if the visitor does not own one of the organizations, the invitation is refused for all of them", async () => {
  const { emails, formId, ids, send, slugs } = await open()
  const stranger = await server.run(seedOrganization())
  const foreign = (await server.run(pathOf(stranger.id))).slice(3)
  for (const [n, wrong] of [slugs[3]!, foreign, "nowhere"].entries()) {
    const email = `eve-${n}-${slugs[0]}@acme.example`
    const refused = await send({ form_id: await formId(), email, role: "owner" }, [slugs[0]!, wrong])
    expect(refused.status).toBe(422)
    expect([...await emails(ids[0]!), ...await emails(ids[3]!), ...await emails(stranger.id)]).not.toContain(email)
  }
  const none = await send({ form_id: await formId(), email: "a@acme.example", role: "viewer" }, [])
  expect(wordsOf(none.text)).toContain("Choose organizations that you own")
  expect(mails).toEqual([])
})

it("the page does not exist for a person who owns no organization", async () => {
  const { ids } = await open()
  const viewer = await server.signIn(ids[0]!, "viewer")
  expect((await viewer.get(path)).status).toBe(404)
  expect((await viewer.get("/portfolio")).text).not.toContain(path)
})
