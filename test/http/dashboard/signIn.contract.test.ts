/** Signing in: what a link does and does not do, cookies, limits, and how soon a session ends. */
import { endSession, listSessions, type OrganizationId, PersonStore, removeMember } from "@sov/core"
import { layerServer as layerDatabase, layerStores } from "@sov/core/postgres"
import { seedOrganization } from "@sov/core/testing"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openDashboard, pathOf, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome, postgresUrl } from "../../support/homes.ts"
import { readForm } from "../../support/pageForms.ts"
import { seedMember, seedPerson } from "../../support/people.ts"
import { freshDatabase } from "../../support/storage.ts"

let server: TestDashboard
let organizationId: OrganizationId
let home: `/o/${string}`

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
  organizationId = (await server.run(seedOrganization())).id
  home = await server.run(pathOf(organizationId))
})
afterAll(() => server.close())

/** Creates a link for a new member. */
const newLink = () =>
  server.run(Effect.gen(function*() {
    const person = yield* seedMember(organizationId, "member", { name: "Ada <b>Example</b>" })
    return { person, token: (yield* server.makeLink(person.id)).token }
  }))

describe("a form that is sent after the session ended", () => {
  it("a form that is sent after the session ended is kept, and saved once after signing in again", async () => {
    const signedIn = await server.signIn(organizationId, "member")
    const path = `${home}/keywords`
    const form = { ...readForm((await signedIn.get(path)).text, path), texts: "which <b>anvil</b>?\nwhich \"vice\"?" }
    for (const { id } of await server.run(listSessions(signedIn.person.id))) {
      await server.run(endSession(signedIn.person.id, id))
    }
    server.clock.ms += 6_000
    const refused = await signedIn.post(path, form)
    expect([refused.status, wordsOf(refused.text).includes("Your session has ended")]).toEqual([401, true])
    expect(refused.text).not.toContain("<b>anvil")
    const kept = readForm(refused.text, path)
    expect(kept).toEqual(form)
    const { token } = await server.run(server.makeLink(signedIn.person.id))
    await signedIn.post(`/login/link/${token}`)
    expect((await signedIn.post(path, kept)).status).toBe(200)
    const page = await signedIn.get(path)
    expect(page.text).toContain("which &lt;b&gt;anvil&lt;/b&gt;?")
    expect((await signedIn.post(path, kept)).status).toBe(303)
  })

  it("such a form is neither accepted nor shown again if another site sends it", async () => {
    const answer = await server.browser().post(`${home}/keywords`, { texts: "planted" }, {
      headers: { "sec-fetch-site": "cross-site" }
    })
    expect([answer.status, answer.text.includes("planted")]).toEqual([403, false])
  })
})

describe("a link", () => {
  it("a link says whom it signs in, with which role and until when, and has one form", async () => {
    const { token } = await newLink()
    const page = await server.browser().get(`/login/link/${token}`)
    expect(page.status).toBe(200)
    expect(page.text).toContain("Sign in as Ada &lt;b&gt;Example&lt;/b&gt;")
    expect(wordsOf(page.text)).toMatch(/as member\. The link works once, until \d+ \w+ \d{4}, \d\d:\d\d UTC\./)
    expect(page.text.match(/<form /g)).toHaveLength(1)
    expect(page.text).not.toMatch(/<script(?! src="\/assets\/)/)
  })

  it("GET and HEAD neither use up a link nor set a session", async () => {
    const { token } = await newLink()
    const browser = server.browser()
    for (const method of ["GET", "HEAD", "GET"]) {
      expect((await browser.ask(`/login/link/${token}`, { method })).status).toBe(200)
    }
    expect(browser.cookies.size).toBe(0)
    expect((await browser.post(`/login/link/${token}`)).status).toBe(303)
  })

  it("a link is not compressed, because it shows a secret", async () => {
    const { token } = await newLink()
    const page = await server.browser().get(`/login/link/${token}`, { headers: { "accept-encoding": "gzip, br" } })
    expect(page.headers["content-encoding"]).toBe(undefined)
  })

  it("used, expired and unknown links get the same 410", async () => {
    const used = await newLink()
    await server.browser().post(`/login/link/${used.token}`)
    const old = await newLink()
    const unknown = "A".repeat(43)
    const answers: Array<string> = []
    for (const method of ["GET", "POST"] as const) {
      for (const token of [used.token, unknown, "x"]) {
        const browser = server.browser()
        const page = method === "GET"
          ? await browser.get(`/login/link/${token}`)
          : await browser.post(`/login/link/${token}`)
        expect(page.status).toBe(410)
        answers.push(page.text.replace(/req_[\w-]+/, ""))
      }
    }
    server.clock.ms += 600_001
    const page = await server.browser().get(`/login/link/${old.token}`)
    server.clock.ms -= 600_001
    expect(page.status).toBe(410)
    answers.push(page.text.replace(/req_[\w-]+/, ""))
    expect(new Set(answers).size).toBe(1)
  })

  it("if ten browsers use a link at once, it signs in one of them", async () => {
    const { token } = await newLink()
    const browsers = Array.from({ length: 10 }, () => server.browser())
    const answers = await Promise.all(browsers.map(({ post }) => post(`/login/link/${token}`)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      303,
      ...Array.from({ length: 9 }, () => 410)
    ])
    const signedIn = await Promise.all(browsers.map(({ get }) => get(home)))
    expect(signedIn.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe("a session", () => {
  it("a session is a cookie that no script can read and that forms of other sites do not send", async () => {
    const { token } = await newLink()
    const answer = await server.browser().post(`/login/link/${token}`)
    const [line] = [answer.headers["set-cookie"]].flat().filter((one) => /^sov_[0-9a-f]{8}=/.test(one!))
    expect(line).toMatch(/^sov_[0-9a-f]{8}=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(answer.headers["location"]).toBe("/")
  })

  it("the cookie of a session is bound to the host over https", async () => {
    const secure = await openDashboard(oneHome[0]!, { publicUrl: "https://sov.example" })
    const token = await secure.run(Effect.gen(function*() {
      return (yield* secure.makeLink((yield* seedPerson()).id)).token
    }))
    const answer = await secure.browser().post(`/login/link/${token}`)
    expect([answer.headers["set-cookie"]].flat().join("\n")).toMatch(
      /^__Host-sov=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/m
    )
    await secure.close()
  })

  it("each sign-in starts a new session, and the browser's previous session ends, even somebody else's", async () => {
    const attacker = await server.signIn(organizationId)
    const [name] = attacker.cookies.keys()
    const planted = attacker.cookies.get(name!)!
    const victim = server.browser()
    victim.cookies.set(name!, planted)
    const { token } = await newLink()
    await victim.post(`/login/link/${token}`)
    expect(victim.cookies.get(name!)).not.toBe(planted)
    expect((await victim.get(home)).status).toBe(200)
    expect((await attacker.get(home)).status).toBe(303)
  })

  it("after signing in, people are redirected to the requested page if it is on this site", async () => {
    const { token } = await newLink()
    const browser = server.browser()
    const led = await browser.get(`${home}?from=2026-01-01`)
    expect(led.headers["location"]).toBe(`/login?next=${encodeURIComponent(`${home}?from=2026-01-01`)}`)
    await browser.get(led.headers["location"]!)
    expect((await browser.post(`/login/link/${token}`)).headers["location"]).toBe(`${home}?from=2026-01-01`)
    for (const next of ["//evil.example", "https://evil.example", "/\\evil.example", "/a\tb", "javascript:x", "x"]) {
      const other = server.browser()
      await other.get(`/login?next=${encodeURIComponent(next)}`)
      expect(other.cookies.size, next).toBe(0)
    }
  })

  it("signing out ends the session", async () => {
    const person = await server.signIn(organizationId)
    const cookies = new Map(person.cookies)
    expect((await person.post("/logout")).headers["location"]).toBe("/login")
    const stolen = server.browser()
    for (const [name, value] of cookies) stolen.cookies.set(name, value)
    expect((await stolen.get(home)).status).toBe(303)
  })

  it("people see all their sessions and can end each of them, but nobody else's", async () => {
    const person = await server.signIn(organizationId)
    const other = server.browser()
    const token = await server.run(Effect.map(server.makeLink(person.person.id), (made) => made.token))
    await other.post(`/login/link/${token}`, {}, {
      headers: { "user-agent": "Mozilla/5.0 (X11; Linux) Firefox/130.0" }
    })
    const page = await person.get("/account")
    expect(wordsOf(page.text)).toMatch(/Firefox on Linux .* this browser|this browser .* Firefox on Linux/)
    const [, id] = /\/account\/sessions\/([0-9a-f-]{36})\/end/.exec(page.text)!
    const stranger = await server.signIn(organizationId)
    expect((await stranger.post(`/account/sessions/${id}/end`)).status).toBe(404)
    expect((await other.get(home)).status).toBe(200)
    expect((await person.post(`/account/sessions/${id}/end`)).headers["location"]).toBe("/account?done=session-ended")
    expect((await other.get(home)).status).toBe(303)
    expect((await person.get(home)).status).toBe(200)
  })
})

describe("a visitor who guesses tokens", () => {
  it("a visitor who guesses tokens is refused after 60 a minute, while signed-in people are not affected", async () => {
    const tried = await openDashboard(oneHome[0]!)
    const organization = await tried.run(seedOrganization())
    const path = await tried.run(pathOf(organization.id))
    const person = await tried.signIn(organization.id)
    await person.get(path)
    const tokens = Array.from({ length: 70 }, (_, n) => String(n).padStart(43, "A"))
    const tries = await Promise.all(tokens.map((token) => tried.browser().get(`/login/link/${token}`)))
    const statuses = tries.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 410), ...Array.from({ length: 10 }, () => 429)])
    const [name] = person.cookies.keys()
    const guess = tried.browser()
    guess.cookies.set(name!, "B".repeat(43))
    const refused = await guess.get(path)
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "60"])
    expect((await person.get(path)).status).toBe(200)
    await tried.close()
  })
})

describe("the sign-in page without a mail server", () => {
  it("without a mail server, the sign-in page does not ask for an address", async () => {
    expect((await server.browser().get("/login")).text).not.toContain("type=\"email\"")
  })
})

describe("the sign-in page with a mail server and a public address", () => {
  it("the page responds identically for every address, and to ten addresses an hour for each network", async () => {
    const mailing = await openDashboard(oneHome[0]!, { publicUrl: "https://sov.example" }, { canMail: true })
    const organization = await mailing.run(seedOrganization())
    const person = await mailing.run(seedMember(organization.id))
    expect((await mailing.browser().get("/login")).text).toContain("type=\"email\"")
    const answers = new Set<string>()
    for (const email of [person.email!, "nobody@nowhere.example"]) {
      const page = await mailing.browser().post("/login", { email })
      answers.add(`${page.status} ${page.text}`)
    }
    expect([...answers]).toEqual([expect.stringMatching(/^200 [^]*If that address belongs to a member/)])
    const later: Array<number> = []
    for (let n = 2; n < 11; n++) {
      later.push((await mailing.browser().post("/login", { email: `a${n}@b.example` })).status)
    }
    expect(later).toEqual([...Array.from({ length: 8 }, () => 200), 429])
    await mailing.close()
  })
})

describe.skipIf(postgresUrl === null)("two servers on one database", () => {
  const scope = Scope.makeUnsafe()
  let one: TestDashboard
  let two: TestDashboard
  beforeAll(async () => {
    const { url } = await Effect.runPromise(Scope.provide(freshDatabase, scope))
    const storage = () =>
      layerStores.pipe(
        Layer.provideMerge(layerDatabase({ url: Redacted.make(url) })),
        Layer.provideMerge(SecureRandom.layerWebCrypto)
      )
    one = await openDashboard(storage())
    two = await openDashboard(storage())
  })
  afterAll(async () => {
    await Promise.all([one?.close(), two?.close()])
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("two servers soon refuse a session that the other one ended and a member that the other one removed", async () => {
    const organization = await one.run(seedOrganization())
    const path = await one.run(pathOf(organization.id))
    const elsewhere = await one.run(seedOrganization())
    await one.signIn(organization.id)
    const ended = await one.signIn(organization.id)
    const removed = await one.signIn(organization.id)
    const { id: removedId } = removed.person
    await one.run(
      Effect.flatMap(PersonStore, (people) => people.addMember(elsewhere.id, removedId, "viewer", new Date()))
    )
    const onTwo = (cookies: ReadonlyMap<string, string>) => {
      const browser = two.browser()
      for (const [name, value] of cookies) browser.cookies.set(name, value)
      return browser
    }
    const [first, second] = [onTwo(ended.cookies), onTwo(removed.cookies)]
    for (const browser of [first, second]) expect((await browser.get(path)).status).toBe(200)

    const [session] = await one.run(listSessions(ended.person.id))
    await one.run(endSession(ended.person.id, session!.id))
    await one.run(removeMember(organization.id, removedId))
    await expect.poll(async () => (await first.get(path)).status).toBe(303)
    await expect.poll(async () => (await second.get(path)).status).toBe(404)
  })
})
