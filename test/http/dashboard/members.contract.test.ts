/** Members over HTTP: invitations whose link is shown once, roles, removal, and their entries in the audit log. */
import {
  makeFormId,
  maxInvitations,
  type OrganizationId,
  PersonStore,
  readAuditLog,
  setRole,
  wholeHistory
} from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openDashboard, pathOf, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { readForm } from "../../support/pageForms.ts"
import { seedInvitations } from "../../support/people.ts"

let server: TestDashboard
let organizationId: OrganizationId
let home: `/o/${string}`
let owner: Awaited<ReturnType<TestDashboard["signIn"]>>

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
})
beforeEach(async () => {
  organizationId = (await server.run(seedOrganization())).id
  home = await server.run(pathOf(organizationId))
  owner = await server.signIn(organizationId, "owner")
})
afterAll(() => server.close())

const members = () => server.run(Effect.flatMap(PersonStore, (store) => store.listMembers(organizationId)))
const invite = (fields: Readonly<Record<string, string>>) => owner.submit(`${home}/settings/members`, fields)
const linkIn = (text: string) => /<code id="link">([^<]+)<\/code>/.exec(text)?.[1]

describe("an invitation", () => {
  it("without a mail server, an invitation is a link that is shown once, uncompressed, and signs the person in", async () => {
    const answer = await owner.ask(`${home}/settings/members`, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "sec-fetch-site": "same-origin",
        "accept-encoding": "gzip"
      },
      body: `email=Ben%40acme.example&role=member&name=Ben+Example&form_id=${await server.run(makeFormId)}`
    })
    expect([answer.status, answer.headers["content-encoding"], answer.headers["cache-control"]])
      .toEqual([200, undefined, "private, no-store"])
    const link = linkIn(answer.text)!
    expect(link.startsWith(`${server.base}/login/link/`)).toBe(true)
    expect(wordsOf(answer.text)).toContain("Ben Example is now a member with the role member.")
    expect(wordsOf(answer.text)).toContain("works on this computer only")
    const after = await owner.get(`${home}/settings/members`)
    expect(after.text).not.toContain(link.split("/").at(-1))
    expect(wordsOf(after.text)).toContain("Ben Example Ben@acme.example invited")
    const ben = server.browser()
    expect((await ben.post(new URL(link).pathname)).status).toBe(303)
    expect((await ben.get(home)).status).toBe(200)
    expect((await ben.get(`${home}/settings/members`)).status).toBe(403)
    const again = await invite({ email: "ben@acme.example", role: "member" })
    expect([again.status, linkIn(again.text)]).toEqual([200, undefined])
    expect(wordsOf(again.text)).toContain(
      "No link is shown, because it would sign in as a person who has signed in before, or open an organization"
    )
  })

  it("an invalid invitation is refused, keeps what was typed, and makes nobody a member", async () => {
    const wrong = await invite({ email: "nobody<b>", role: "viewer", name: "Ben" })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain("value=\"nobody&lt;b&gt;\"")
    expect(wrong.text).toMatch(/id="email-fault">Enter a valid e-mail address\./)
    expect((await invite({ email: "a@acme.example", role: "king" })).status).toBe(400)
    expect(await members()).toHaveLength(1)
  })

  it("an invitation shows no link if it would also open another owner's organization", async () => {
    const other = (await server.run(seedOrganization())).id
    const stranger = await server.signIn(other, "owner")
    const answer = await invite({ email: stranger.person.email!, role: "viewer" })
    expect([answer.status, linkIn(answer.text)]).toEqual([200, undefined])
    expect(wordsOf(answer.text)).toContain("No link is shown")
    expect((await members()).map(({ person }) => person.id)).toContain(stranger.person.id)
  })
})

it("a server without a public address sends no invitations by mail", async () => {
  const mailing = await openDashboard(oneHome[0]!, {}, { canMail: true })
  const { id } = await mailing.run(seedOrganization())
  const somebody = await mailing.signIn(id, "owner")
  const path = await mailing.run(pathOf(id))
  const answer = await somebody.submit(`${path}/settings/members`, { email: "b@acme.example", role: "viewer" })
  expect([answer.status, wordsOf(answer.text).includes("SOV_PUBLIC_URL")]).toEqual([409, true])
  await mailing.close()
})

it("an invitation that is submitted twice is created once, and its link stays the same", async () => {
  const page = await owner.get(`${home}/settings/members`)
  const fields = { ...readForm(page.text, `${home}/settings/members`), email: "dora@acme.example", role: "viewer" }
  const first = await owner.post(`${home}/settings/members`, fields)
  const second = await owner.post(`${home}/settings/members`, fields)
  expect([second.status, second.headers["location"]]).toEqual([303, `${home}/settings/members?done=invited-before`])
  expect(wordsOf((await owner.get(second.headers["location"]!)).text)).toContain("invite the address again")
  const { entries } = await server.run(
    readAuditLog(organizationId, wholeHistory, { action: "link.created" }, { limit: 9 })
  )
  expect(entries).toHaveLength(1)
  expect((await server.browser().post(new URL(linkIn(first.text)!).pathname)).status).toBe(303)
  expect((await owner.post(`${home}/settings/members`, { email: "b@acme.example", role: "viewer" })).status).toBe(400)
})

it("too many invitations for one person are refused with an explanation, and the form keeps what was typed", async () => {
  const fay = { email: "fay@acme.example", role: "viewer" }
  await server.run(seedInvitations(organizationId, owner.person, maxInvitations - 1, new Date()))
  expect((await invite(fay)).status).toBe(200)
  const refused = await invite({ ...fay, email: "carol@acme.example" })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain("value=\"carol@acme.example\"")
  expect(wordsOf(refused.text)).toContain("You have sent 50 invitations within an hour")
})

describe("a role", () => {
  it("a new role applies at once, and is recorded with the person who set it", async () => {
    const ben = await server.signIn(organizationId, "viewer")
    expect((await ben.get(`${home}/card/edit`)).status).toBe(403)
    const path = `${home}/settings/members`
    const answer = await owner.press(path, `${path}/${ben.person.id}/role`, { role: "member" })
    expect(answer.headers["location"]).toBe(`${home}/settings/members?done=role-set`)
    expect((await ben.get(`${home}/card/edit`)).status).toBe(200)
    const { entries: [entry] } = await server.run(
      readAuditLog(organizationId, wholeHistory, { action: "member.role_changed" }, { limit: 1 })
    )
    expect(entry).toMatchObject({ actor: { personId: owner.person.id }, detail: { role: "member", before: "viewer" } })
  })

  it("the last owner cannot change role; one of two owners can, and then no longer sees the members", async () => {
    const list = `${home}/settings/members`
    const own = `${list}/${owner.person.id}`
    const refused = await owner.press(list, `${own}/role`, { role: "viewer" })
    expect([refused.status, wordsOf(refused.text).includes("would have no owner left")]).toEqual([409, true])
    expect((await owner.press(`${own}/remove`, `${own}/remove`)).status).toBe(409)
    await server.signIn(organizationId, "owner")
    const last = await owner.press(list, `${own}/role`, { role: "viewer" })
    expect(last.headers["location"]).toBe(`${home}?done=role-set`)
    expect((await owner.get(`${home}/settings/members`)).status).toBe(403)
  })

  it("if another owner has changed a role, it is shown before the role is changed or the member is removed", async () => {
    const [ben, list] = [await server.signIn(organizationId, "viewer"), `${home}/settings/members`]
    const path = `${list}/${ben.person.id}`
    const role = async () => (await members()).find(({ person }) => person.id === ben.person.id)?.role
    const stale = readForm((await owner.get(list)).text, `${path}/role`)
    const removal = readForm((await owner.get(`${path}/remove`)).text, `${path}/remove`)
    await server.run(setRole(organizationId, ben.person.id, "owner"))
    for (const [verb, form] of [["role", { ...stale, role: "member" }], ["remove", removal]] as const) {
      const late = await owner.post(`${path}/${verb}`, form)
      expect([late.status, wordsOf(late.text)]).toEqual([
        409,
        expect.stringContaining("It is now: Ada Example, owner.")
      ])
      expect(await role()).toBe("owner")
      expect((await owner.post(`${path}/${verb}`, readForm(late.text, `${path}/${verb}`))).status).toBe(303)
    }
    expect(await role()).toBe(undefined)
  })
})

describe("removing a member", () => {
  it("removing a member asks for confirmation, and takes effect at once", async () => {
    const ben = await server.signIn(organizationId, "owner")
    const path = `${home}/settings/members/${ben.person.id}/remove`
    const page = await owner.get(path)
    expect(wordsOf(page.text)).toContain("signed out of")
    expect(wordsOf(page.text)).toContain(
      "Unused sign-in links that this owner may know stop working, and sessions that began with one end."
    )
    expect((await ben.get(home)).status).toBe(200)
    expect((await owner.press(path, path)).headers["location"]).toBe(`${home}/settings/members?done=member-removed`)
    expect((await ben.get(home)).status).not.toBe(200)
    const late = [
      await owner.get(path),
      await owner.submit(path),
      await owner.submit(path.replace("remove", "role"), { role: "member" })
    ]
    for (const again of late) {
      expect([again.status, wordsOf(again.text).includes("This member no longer exists")]).toEqual([404, true])
    }
  })

  it("a member who leaves the organization is redirected to the first page", async () => {
    const ben = await server.signIn(organizationId, "owner")
    const path = `${home}/settings/members/${ben.person.id}/remove`
    expect((await ben.press(path, path)).headers["location"]).toBe("/")
  })
})

it("the list can be downloaded as CSV, in which no name is a formula", async () => {
  await invite({ email: "eve@acme.example", role: "viewer", name: "=HYPERLINK(1)" })
  const lines = (await owner.get(`${home}/settings/members.csv`)).text.trimEnd().split("\r\n")
  expect(lines[0]).toBe("id,name,email,role,status,created_at,signed_in_at")
  expect(lines.slice(1).map((line) => line.split(",").slice(1, 5))).toEqual([
    ["Ada Example", owner.person.email, "owner", "active"],
    ["'=HYPERLINK(1)", "eve@acme.example", "viewer", "invited"]
  ])
})

describe("the audit log", () => {
  it("the audit log and its CSV show who did what, newest first, and filter by actor, action and time", async () => {
    await invite({ email: "b@acme.example", role: "viewer", name: "<b>Ben</b>" })
    const [, ben] = await members()
    await owner.press(`${home}/settings/members`, `${home}/settings/members/${ben!.person.id}/role`, { role: "member" })
    const { text } = await owner.get(`${home}/settings/audit`)
    expect(text).not.toContain("<b>Ben")
    const actions = (page: string) => [...page.matchAll(/<code>([\w.]+)<\/code>/g)].map(([, action]) => action)
    expect(actions(text).slice(0, 3)).toEqual(["member.role_changed", "link.created", "member.invited"])
    expect(wordsOf(text)).toContain(
      "Ada Example member.role_changed Name: &lt;b&gt;Ben&lt;/b&gt;. Role: member. Before: viewer."
    )
    expect(actions((await owner.get(`${home}/settings/audit?action=member.invited`)).text)).toEqual(["member.invited"])
    expect(actions((await owner.get(`${home}/settings/audit?actor=nobody`)).text)).toEqual([])
    expect(actions((await owner.get(`${home}/settings/audit?since=2999-01-01`)).text)).toEqual([])
    const lines = (await owner.get(`${home}/settings/audit.csv?action=member.invited`)).text.trimEnd().split("\r\n")
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/,person,Ada Example,[0-9a-f-]{36},member\.invited,person,[0-9a-f-]{36},"\{""name""/)
    for (const control of ["%00", "a%0Ab", "%7F", "%C2%85"]) {
      for (const path of ["audit", "audit.csv"]) {
        expect((await owner.get(`${home}/settings/${path}?actor=${control}`)).status, `${path} ${control}`).toBe(400)
      }
    }
    expect((await owner.get(`${home}/settings/audit?actor=&since=`)).headers["location"]).toBe(`${home}/settings/audit`)
    for (const bad of ["action=none", "since=soon", "cursor=x"]) {
      expect((await owner.get(`${home}/settings/audit?${bad}`)).status, bad).toBe(400)
    }
  })

  it("the audit log has fifty entries per page, and all of them in its CSV", async () => {
    for (let n = 0; n < 26; n++) {
      for (const role of ["viewer", "member"]) {
        if (n === 0 && role === "viewer") await invite({ email: "fifty@acme.example", role: "member" })
        const [, ben] = await members()
        await owner.press(`${home}/settings/members`, `${home}/settings/members/${ben!.person.id}/role`, { role })
      }
    }
    const first = (await owner.get(`${home}/settings/audit`)).text
    const older = /<a class="button" href="([^"]+)" rel="next">Older/.exec(first)![1]!.replaceAll("&amp;", "&")
    const second = (await owner.get(older)).text
    const count = (page: string) => page.match(/<tr><th scope="row">/g)!.length
    expect(count(first)).toBe(50)
    const lines = (await owner.get(`${home}/settings/audit.csv`)).text.trimEnd().split("\r\n")
    expect(50 + count(second)).toBe(lines.length - 1)
  })

  it("on the Free plan, the audit log begins with the plan's history", async () => {
    const { id } = await server.run(seedOrganization({ plan: "free" }))
    const path = await server.run(pathOf(id))
    const before = await server.signIn(id, "owner")
    await before.submit(`${path}/settings/members`, { email: "c@acme.example", role: "viewer" })
    expect((await before.get(`${path}/settings/audit`)).text).toContain("member.invited</code>")
    server.clock.ms += 8 * 86_400_000
    const later = await server.signIn(id, "owner")
    expect((await later.get(`${path}/settings/audit`)).text).not.toContain("member.invited</code>")
    expect((await later.get(`${path}/settings/audit.csv`)).text).not.toContain("member.invited")
    server.clock.ms -= 8 * 86_400_000
  })
})
