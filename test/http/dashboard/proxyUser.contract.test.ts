/** Signing in through a trusted proxy that names the person in a header. */
import { type EmailAddress, endSession, listSessions, type OrganizationId } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { parseTrustedProxies } from "@sov/http"
import { Result } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openDashboard, pathOf, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { seedMember, seedSession } from "../../support/people.ts"
import { readActs } from "../../support/signIn.ts"

const header = "X-Forwarded-Email"
const behind = (networks: string) => ({ trustedProxies: Result.getOrThrow(parseTrustedProxies(networks)) })

let server: TestDashboard
let organizationId: OrganizationId
let home: `/o/${string}`

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!, behind("127.0.0.1/32"), { proxyUserHeader: header })
  organizationId = (await server.run(seedOrganization())).id
  home = await server.run(pathOf(organizationId))
})
afterAll(() => server.close())

const invite = async () => {
  const email = `ada-${randomUUID()}@acme.example` as EmailAddress
  return { email, person: await server.run(seedMember(organizationId, "member", { email })) }
}
const named = (...values: ReadonlyArray<string>) => ({ headers: { [header]: values } })

describe("a person named by the proxy", () => {
  it("a person named by the proxy is signed in by e-mail address in any case, and redirected to the requested page", async () => {
    const { email, person } = await invite()
    const browser = server.browser()
    const led = await browser.ask(`${home}?from=2026-01-01`, named(email))
    const back = await browser.ask(led.headers["location"]!, named(email.toUpperCase()))
    expect([back.status, back.headers["location"]]).toEqual([303, `${home}?from=2026-01-01`])
    expect((await browser.ask(home, named(email))).status).toBe(200)
    expect((await server.run(listSessions(person.id))).map(({ method }) => method)).toEqual(["proxy"])
  })
  it("a person named by the proxy is not redirected to another site", async () => {
    const { email } = await invite()
    const back = await server.browser().ask("/login?next=//evil.example", named(email))
    expect(back.headers["location"]).toBe("/")
  })
  it("a person named by the proxy gets a new session, and the browser's previous session ends, even somebody else's", async () => {
    const [{ email }, other] = [await invite(), await invite()]
    const browser = server.browser()
    await browser.ask("/login", named(email))
    const [[name, first]] = [...browser.cookies] as [[string, string]]
    await browser.ask("/login", named(other.email))
    expect(browser.cookies.get(name)).not.toBe(first)
    const before = server.browser()
    before.cookies.set(name, first)
    expect((await before.ask(home, named(email))).headers["location"]).toMatch(/^\/login/)
  })
  it("the session is valid only in requests in which the proxy names the person", async () => {
    const [{ email }, other] = [await invite(), await invite()]
    const browser = server.browser()
    await browser.ask("/login", named(email))
    expect((await browser.ask(home, named(email))).status).toBe(200)
    expect((await browser.get(home)).headers["location"]).toMatch(/^\/login/)
    expect((await browser.ask(home, named(""))).headers["location"]).toMatch(/^\/login/)
    expect((await browser.ask(home, named(other.email))).headers["location"]).toMatch(/^\/login/)
    const back = await browser.ask("/login", named(other.email))
    expect(back.status).toBe(303)
    expect((await browser.ask("/account", named(other.email))).status).toBe(200)
    expect((await browser.ask("/account", named(email))).headers["location"]).toMatch(/^\/login/)
  })
  it("a person whom the proxy names but nobody invited is refused with an explanation", async () => {
    const page = await server.browser().ask("/login", named("eve@elsewhere.example"))
    expect(page.status).toBe(403)
    expect(wordsOf(page.text)).toMatch(/Nobody is invited as eve@elsewhere\.example\. Ask an owner/)
    expect(page.text).not.toContain("/login/sso")
  })
  it.each(["ada", "<script>alert(1)</script>", "a@b.example, c@d.example"])(
    "the name %s, which is not an e-mail address, is refused with an explanation",
    async (name) => {
      const page = await server.browser().ask("/login", named(name))
      expect(page.status).toBe(403)
      expect(wordsOf(page.text)).toContain("which is not an e-mail address")
      expect(page.text).not.toContain("<script>alert")
    }
  )
})

describe("a person who returns without the session", () => {
  it("a person without the cookie gets the existing session, unless it has ended or the browser is another one", async () => {
    const { email, person } = await invite()
    const visit = async (agent = "curl/8") => {
      const browser = server.browser()
      const { headers } = named(email)
      expect((await browser.ask("/login", { headers: { ...headers, "user-agent": agent } })).status).toBe(303)
      expect((await browser.ask(home, named(email))).status).toBe(200)
    }
    const sessions = () => server.run(listSessions(person.id))
    for (let n = 0; n < 10; n++) await visit()
    const [only, ...more] = await sessions()
    expect(more).toEqual([])
    const acts = (await server.run(readActs(organizationId))).filter((act) => act.endsWith("session.started"))
    await visit("Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")
    expect(await sessions()).toHaveLength(2)
    await server.run(endSession(person.id, only!.id))
    await visit()
    expect((await sessions()).map(({ id }) => id)).not.toContain(only!.id)
    expect((await server.run(readActs(organizationId))).filter((act) => act.endsWith("session.started")))
      .toHaveLength(acts.length + 2)
  })
  it("a person without the cookie does not keep another person's session that the browser sends", async () => {
    const [{ email }, other] = [await invite(), await invite()]
    await server.browser().ask("/login", named(email))
    const browser = server.browser()
    await browser.ask("/login", named(other.email))
    await browser.ask("/login", named(email))
    expect((await browser.ask(home, named(email))).status).toBe(200)
    expect(await server.run(listSessions(other.person.id))).toEqual([])
  })
})

describe("a link behind the proxy", () => {
  it("a session begun by a link behind the proxy ends when the proxy names another person", async () => {
    const { email } = await invite()
    const signedIn = await server.signIn(organizationId, "member")
    const own = signedIn.person.email!
    for (const asked of [named(own), named(own.toUpperCase()), named("")]) {
      expect((await signedIn.ask(home, asked)).status).toBe(200)
    }
    expect((await signedIn.ask(home, named(email))).headers["location"]).toMatch(/^\/login/)
    expect((await signedIn.get(home)).headers["location"]).toMatch(/^\/login/)
    expect(await server.run(listSessions(signedIn.person.id))).toEqual([])
    expect((await server.run(readActs(organizationId))).at(-1)).toBe(`${signedIn.person.name}: session.ended`)
  })
  it("a link for somebody else can still be used, and the page says why it was not", async () => {
    const [{ email }, other] = [await invite(), await invite()]
    const { token } = await server.run(server.makeLink(other.person.id))
    const browser = server.browser()
    const headers = { ...named(email).headers, "sec-fetch-site": "same-origin" }
    for (const method of ["GET", "POST"]) {
      const page = await browser.ask(`/login/link/${token}`, { method, headers })
      expect([page.status, page.headers["set-cookie"]]).toEqual([403, undefined])
      expect(wordsOf(page.text)).toContain(`has signed you in as ${email}, but this link is for somebody else`)
    }
    const same = { ...named(other.email).headers, "sec-fetch-site": "same-origin" }
    expect((await browser.ask(`/login/link/${token}`, { method: "POST", headers: same })).status).toBe(303)
    expect((await browser.ask(home, named(other.email))).status).toBe(200)
  })
})

describe("the header gets a 400", () => {
  it.each(["GET", "HEAD"])("the header gets a 400 if it is sent twice: %s", async (method) => {
    const { email } = await invite()
    const page = await server.browser().ask("/login", { method, ...named(email, email) })
    expect([page.status, page.headers["set-cookie"]]).toEqual([400, undefined])
  })
  it("the header gets a 400 on any connection that is not the proxy's, whatever X-Forwarded-For says", async () => {
    const elsewhere = await openDashboard(oneHome[0]!, behind("10.0.0.0/8, ::1/128"), { proxyUserHeader: header })
    const organization = await elsewhere.run(seedOrganization())
    const { email } = await elsewhere.run(seedMember(organization.id))
    const signedIn = await elsewhere.signIn(organization.id)
    const path = await elsewhere.run(pathOf(organization.id))
    for (const forged of [{}, { "x-forwarded-for": "10.0.0.1" }, { forwarded: "for=10.0.0.1" }]) {
      for (const [browser, asked] of [[elsewhere.browser(), "/login"], [signedIn, path]] as const) {
        const page = await browser.ask(asked, { headers: { [header]: email!, ...forged } })
        expect([page.status, page.headers["set-cookie"]]).toEqual([400, undefined])
        expect(wordsOf(page.text)).toContain("counts only where a trusted proxy sends it")
      }
    }
    expect((await signedIn.get(path)).status).toBe(200)
    await elsewhere.close()
  })
})

it("a network with too many refusals gets 429 for a while, but its known people stay signed in", async () => {
  const strict = await openDashboard(oneHome[0]!, behind("127.0.0.1/32"), { proxyUserHeader: header })
  const organization = await strict.run(seedOrganization())
  const { email } = await strict.run(seedMember(organization.id))
  const path = await strict.run(pathOf(organization.id))
  const known = strict.browser()
  expect((await known.ask("/login", named(email!))).status).toBe(303)
  expect((await known.ask(path, named(email!))).status).toBe(200)
  const visit = () => strict.browser().ask("/login", named("eve@elsewhere.example"))
  for (let n = 0; n < 60; n++) expect((await visit()).status).toBe(403)
  expect((await visit()).status).toBe(429)
  expect((await known.ask(path, named(email!))).status).toBe(200)
  await strict.close()
})

it("without the setting the header is ignored, and sessions begun by a proxy are invalid", async () => {
  const without = await openDashboard(oneHome[0]!, behind("127.0.0.1/32"))
  const organization = await without.run(seedOrganization())
  const path = await without.run(pathOf(organization.id))
  const person = await without.run(seedMember(organization.id))
  const page = await without.browser().ask("/login", named(person.email!))
  expect([page.status, page.headers["set-cookie"]]).toEqual([200, undefined])

  const [name] = (await without.signIn(organization.id)).cookies.keys()
  const at = new Date()
  const times = { createdAt: at, seenAt: at, expiresAt: new Date(at.getTime() + 600_000) }
  for (const [method, status] of [["proxy", 303], ["mail", 200]] as const) {
    const browser = without.browser()
    browser.cookies.set(name!, (await without.run(seedSession(person.id, { method, ...times }))).token)
    expect((await browser.get(path)).status, method).toBe(status)
  }
  await without.close()
})
