/** Signing in at an OpenID Connect issuer: who is signed in, and what is refused. */
import { type EmailAddress, listSessions, type OrganizationId } from "@sov/core"
import { layerServer as layerDatabase, layerStores } from "@sov/core/postgres"
import { seedOrganization } from "@sov/core/testing"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openDashboard, pathOf, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome, postgresUrl } from "../../support/homes.ts"
import { openIssuer, type TestIssuer } from "../../support/OpenIdIssuer.ts"
import { seedMember } from "../../support/people.ts"
import { readActs } from "../../support/signIn.ts"
import { client, goThere, settingsOf, signInThere } from "../../support/signInElsewhere.ts"
import { freshDatabase } from "../../support/storage.ts"

const publicUrl = "https://sov.example"

let issuer: TestIssuer
let server: TestDashboard
let organizationId: OrganizationId
let home: `/o/${string}`

beforeAll(async () => {
  issuer = await openIssuer(client)
  server = await openDashboard(oneHome[0]!, { publicUrl }, { openId: settingsOf(issuer) })
  organizationId = (await server.run(seedOrganization())).id
  home = await server.run(pathOf(organizationId))
})
beforeEach(() => issuer.answer())
afterAll(() => Promise.all([server.close(), issuer.close()]))

/** A person who was invited; from now on the issuer signs in as this person. */
const invite = async (of: TestDashboard = server, organization = organizationId) => {
  const email = `ada-${randomUUID()}@acme.example` as EmailAddress
  const person = await of.run(seedMember(organization, "member", { email }))
  const user = { sub: randomUUID(), email: email.toUpperCase(), email_verified: true as unknown }
  issuer.state.user = user
  return { person, user }
}

const sessionCookie = "__Host-sov"
const attemptCookie = "__Host-sov_sso"

/** Asserts that nobody was signed in, with this status and text. */
const expectRefused = async (browser: ReturnType<TestDashboard["browser"]>, path: string) => {
  const page = await browser.get(path)
  expect(browser.cookies.has(sessionCookie)).toBe(false)
  expect(wordsOf(page.text)).toMatch(/^You are not signed in /)
  return { status: page.status, words: wordsOf(page.text) }
}

describe("the sign-in page", () => {
  it("the sign-in page has a link, not a form, with the issuer's name", async () => {
    const page = await server.browser().get("/login")
    expect(page.text).toContain("<a class=\"button\" href=\"/login/sso\">Sign in with Acme SSO</a>")
    expect(page.text).not.toContain("<form")
  })
  it("without an issuer, the sign-in page has no such link, and the page of the link does not exist", async () => {
    const without = await openDashboard(oneHome[0]!, { publicUrl })
    expect((await without.browser().get("/login")).text).not.toContain("/login/sso")
    for (const path of ["/login/sso", "/login/sso/callback"]) {
      expect((await without.browser().get(path)).status).toBe(404)
    }
    await without.close()
  })
  it("the sign-in page shows a name with markup as text", async () => {
    const named = await openDashboard(oneHome[0]!, { publicUrl }, {
      openId: settingsOf(issuer, { name: "<b>SSO</b>" })
    })
    expect((await named.browser().get("/login")).text).toContain("Sign in with &lt;b&gt;SSO&lt;/b&gt;")
    await named.close()
  })
})

describe("the redirect to the issuer", () => {
  it("each redirect asks for a code, with a new PKCE challenge, state and nonce", async () => {
    const asked = await Promise.all([1, 2].map(async () => {
      const { headers } = await server.browser().get("/login/sso")
      return new URL(headers["location"]!)
    }))
    for (const { origin, pathname, searchParams } of asked) {
      expect(`${origin}${pathname}`).toBe(`${issuer.url}/authorize`)
      expect(Object.fromEntries(searchParams)).toEqual({
        client_id: client.id,
        redirect_uri: `${publicUrl}/login/sso/callback`,
        response_type: "code",
        scope: "openid email",
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: "S256"
      })
    }
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(asked[0]!.searchParams.get(name), name).not.toBe(asked[1]!.searchParams.get(name))
    }
  })
  it("the redirect sets an encrypted cookie for ten minutes, which no script can read", async () => {
    const browser = server.browser()
    const { headers } = await browser.get("/login/sso")
    const [line] = [headers["set-cookie"]].flat()
    expect(line).toMatch(
      /^__Host-sov_sso=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/
    )
    const value = Buffer.from(browser.cookies.get(attemptCookie)!, "base64url").toString("latin1")
    const { searchParams } = new URL(headers["location"]!)
    expect(value).not.toMatch(/state|nonce|verifier/)
    for (const name of ["state", "nonce"]) expect(value).not.toContain(searchParams.get(name))
  })
  it("simultaneous visitors cause only one request for the issuer's configuration", async () => {
    const other = await openIssuer(client)
    const fresh = await openDashboard(oneHome[0]!, { publicUrl }, { openId: settingsOf(other) })
    await Promise.all([1, 2, 3].map(() => fresh.browser().get("/login/sso")))
    expect(other.asked).toEqual(["/.well-known/openid-configuration"])
    await Promise.all([fresh.close(), other.close()])
  })
})

describe("an invited person", () => {
  it("an invited person first signs in by a verified address in any case, later by the subject", async () => {
    const { person, user } = await invite()
    const browser = server.browser()
    const back = await signInThere(browser)
    expect([back.status, back.headers["location"]]).toEqual([303, "/"])
    expect(browser.cookies.has(attemptCookie)).toBe(false)
    expect((await browser.get(home)).status).toBe(200)
    expect((await server.run(listSessions(person.id))).map(({ method }) => method)).toEqual(["oidc"])
    expect(await server.run(readActs(organizationId))).toContain(`${person.name}: session.started`)

    issuer.state.user = { sub: user.sub, email: "moved@elsewhere.example", email_verified: false }
    const later = server.browser()
    expect((await signInThere(later)).status).toBe(303)
    expect((await later.get(home)).status).toBe(200)
  })
  it("an invited person can see and remove the linked account, and still sign in by a link", async () => {
    const { person, user } = await invite()
    const browser = server.browser()
    await signInThere(browser)
    const { host } = new URL(issuer.url)
    expect(wordsOf((await browser.get("/account")).text)).toContain(
      `Ways to sign in Account at Attached Change ${host} ${user.sub}`
    )
    const path = `/account/identities/remove?issuer=${encodeURIComponent(issuer.url)}`
    const asked = wordsOf((await browser.get(path)).text)
    expect(asked).toContain(`The account ${user.sub} there no longer signs you in.`)
    expect(asked).toContain(`You can still sign in with: A link that the operator of this server creates`)
    const fields = { issuer: issuer.url }
    expect((await browser.post("/account/identities/remove", fields)).headers["location"])
      .toBe("/account?done=identity-removed")
    expect(wordsOf((await browser.get("/account?done=identity-removed")).text)).not.toContain(user.sub)
    expect(await server.run(readActs(organizationId))).toContain(`${person.name}: identity.removed`)
    for (const again of [await browser.get(path), await browser.post("/account/identities/remove", fields)]) {
      expect(again.status).toBe(404)
    }
    issuer.state.user = { ...user, sub: randomUUID() }
    expect((await signInThere(server.browser())).status).toBe(303)
  })
  it("an invited person can sign in if only the userinfo endpoint returns the address", async () => {
    await invite()
    issuer.answer({ emailByUserinfo: true })
    expect((await signInThere(server.browser())).status).toBe(303)
  })
  it("an invited person is redirected to the requested page if it is on this site", async () => {
    await invite()
    const browser = server.browser()
    const led = await browser.get(`${home}?from=2026-01-01`)
    await browser.get(led.headers["location"]!)
    expect((await signInThere(browser)).headers["location"]).toBe(`${home}?from=2026-01-01`)
    const direct = `/login/sso?next=${encodeURIComponent(home)}`
    expect((await signInThere(server.browser(), direct)).headers["location"]).toBe(home)
    expect((await signInThere(server.browser(), "/login/sso?next=//evil.example")).headers["location"]).toBe("/")
  })
  it("an invited person gets a new session, and the browser's previous session ends, even somebody else's", async () => {
    const attacker = await server.signIn(organizationId)
    const planted = attacker.cookies.get(sessionCookie)!
    await invite()
    const victim = server.browser()
    victim.cookies.set(sessionCookie, planted)
    await signInThere(victim)
    expect(victim.cookies.get(sessionCookie)).not.toBe(planted)
    expect((await victim.get(home)).status).toBe(200)
    expect((await attacker.get(home)).status).toBe(303)
  })
})

describe("an unknown person is refused with an explanation", () => {
  it("a person whose verified address was not invited is refused", async () => {
    issuer.state.user = { sub: "eve", email: "eve@elsewhere.example", email_verified: true }
    const browser = server.browser()
    expect(await expectRefused(browser, await goThere(browser))).toEqual({
      status: 403,
      words: expect.stringMatching(/Nobody is invited as eve@elsewhere\.example.*Ask an owner/)
    })
  })
  it.each([false, "true", 1, undefined])(
    "a person whose invited address has email_verified %j is refused",
    async (verified) => {
      const { user } = await invite()
      issuer.state.user = { ...user, email_verified: verified }
      const browser = server.browser()
      expect(await expectRefused(browser, await goThere(browser))).toEqual({
        status: 403,
        words: expect.stringMatching(/has not verified that ADA.* is yours\. Verify it there/)
      })
    }
  )
  it.each([undefined, null, "no address", "a\u0000@acme.example", 7, ["ada@acme.example"]])(
    "a person with the address %j is refused",
    async (email) => {
      issuer.state.user = { sub: randomUUID(), email, email_verified: true }
      const browser = server.browser()
      expect(await expectRefused(browser, await goThere(browser))).toEqual({
        status: 403,
        words: expect.stringContaining("did not provide your e-mail address")
      })
    }
  )
  it("a person whose address belongs to another subject is refused, because it may have been reassigned", async () => {
    const { user } = await invite()
    expect((await signInThere(server.browser())).status).toBe(303)
    issuer.state.user = { ...user, sub: randomUUID() }
    const browser = server.browser()
    expect((await expectRefused(browser, await goThere(browser))).status).toBe(403)
  })
})

describe("a callback is refused", () => {
  const stale = {
    status: 400,
    words: expect.stringMatching(/already used, started more than ten minutes ago.*Try again/)
  }

  it("a callback is refused if the browser lacks the cookie of the attempt", async () => {
    await invite()
    const path = await goThere(server.browser())
    expect(await expectRefused(server.browser(), path)).toEqual(stale)
  })
  it("a callback is refused if the cookie belongs to another attempt", async () => {
    await invite()
    const [one, other] = [server.browser(), server.browser()]
    const path = await goThere(one)
    await goThere(other)
    expect(await expectRefused(other, path)).toEqual(stale)
  })
  it.each(["", "&state=x", "changed"])("a callback is refused if its state is wrong: %j", async (change) => {
    await invite()
    const browser = server.browser()
    const path = await goThere(browser)
    const wrong = change === "changed"
      ? path.replace(/state=\w/, "state=-")
      : change === ""
      ? path.replace(/state=[^&]*&?/, "")
      : `${path}${change}`
    expect(await expectRefused(browser, wrong)).toEqual(stale)
  })
  it("a callback is refused more than ten minutes after the sign-in began", async () => {
    await invite()
    const browser = server.browser()
    const path = await goThere(browser)
    server.clock.ms += 600_000
    const refused = await expectRefused(browser, path)
    server.clock.ms -= 600_000
    expect(refused).toEqual(stale)
  })
  it("a callback is refused if any byte of the cookie was altered", async () => {
    await invite()
    const path = await goThere(server.browser())
    const began = server.browser()
    await began.get("/login/sso")
    const bytes = Buffer.from(began.cookies.get(attemptCookie)!, "base64url")
    issuer.asked.length = 0
    for (const at of [0, 12, 28, bytes.length - 1]) {
      const altered = Buffer.from(bytes)
      altered[at]! ^= 1
      const browser = server.browser()
      browser.cookies.set(attemptCookie, altered.toString("base64url"))
      expect(await expectRefused(browser, path), `byte ${at}`).toEqual(stale)
    }
    for (const value of ["", "x", "A".repeat(200), bytes.subarray(0, 28).toString("base64url")]) {
      const browser = server.browser()
      browser.cookies.set(attemptCookie, value)
      expect(await expectRefused(browser, path), value).toEqual(stale)
    }
    expect(issuer.asked).toEqual([])
  })
  it("a callback is refused the second time, even with the first cookie", async () => {
    await invite()
    const browser = server.browser()
    const path = await goThere(browser)
    const cookie = browser.cookies.get(attemptCookie)!
    expect((await browser.get(path)).status).toBe(303)
    const again = server.browser()
    expect(await expectRefused(again, path)).toEqual(stale)
    again.cookies.set(attemptCookie, cookie)
    expect(await expectRefused(again, path)).toEqual(stale)
  })
  it("a callback is refused if the issuer refused the sign-in", async () => {
    issuer.answer({ denies: "access_denied" })
    const browser = server.browser()
    expect(await expectRefused(browser, await goThere(browser))).toEqual({
      status: 403,
      words: expect.stringContaining("Acme SSO did not let you in")
    })
  })
  it("a callback is refused after 60 refusals for its network within a minute", async () => {
    const tried = await openDashboard(oneHome[0]!, { publicUrl }, { openId: settingsOf(issuer) })
    const statuses: Array<number> = []
    for (let n = 0; n < 61; n++) statuses.push((await tried.browser().get("/login/sso/callback?code=x")).status)
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 400), 429])
    await tried.close()
  })
})

describe("an ID token that cannot be accepted", () => {
  it("nobody is signed in, and the page says where to find the reason", async () => {
    await invite()
    issuer.answer({ claims: (claims) => ({ ...claims, nonce: "another" }) })
    const browser = server.browser()
    expect(await expectRefused(browser, await goThere(browser))).toEqual({
      status: 502,
      words: expect.stringMatching(/The response of Acme SSO could not be accepted.*Try again.*request ID req_/)
    })
  })
})

describe("an issuer that does not work", () => {
  const down = { status: 503, words: expect.stringMatching(/Acme SSO is not responding\. Try again in a minute/) }

  it("the next sign-in contacts the issuer again", async () => {
    const other = await openIssuer(client)
    const fresh = await openDashboard(oneHome[0]!, { publicUrl }, { openId: settingsOf(other) })
    other.answer({ status: 500 })
    expect(await expectRefused(fresh.browser(), "/login/sso")).toEqual(down)
    other.answer()
    expect((await fresh.browser().get("/login/sso")).status).toBe(303)
    await other.close()
    const gone = await openDashboard(oneHome[0]!, { publicUrl }, { openId: settingsOf(other) })
    expect(await expectRefused(gone.browser(), "/login/sso")).toEqual(down)
    await Promise.all([fresh.close(), gone.close()])
  })
  it("a visitor who returns from the issuer learns that it does not work", async () => {
    await invite()
    const browser = server.browser()
    const path = await goThere(browser)
    issuer.answer({ status: 503 })
    expect(await expectRefused(browser, path)).toEqual(down)
  })
  it.each([
    ["is reported if it does not exist", {}, { status: 404 }],
    ["is reported if it has another name than the settings", {}, {
      metadata: (m: object) => ({ ...m, issuer: "https://another.example" })
    }]
  ])("the visitor is told why the issuer does not work: %s", async (_, fields, faults) => {
    const other = await openIssuer(client)
    other.answer(faults)
    const fresh = await openDashboard(oneHome[0]!, { publicUrl }, { openId: settingsOf(other, fields) })
    expect((await expectRefused(fresh.browser(), "/login/sso")).status).toBe(502)
    await Promise.all([fresh.close(), other.close()])
  })
  it("the visitor is told that the issuer does not accept this server", async () => {
    await invite()
    const wrong = { clientSecret: Redacted.make("wrong") }
    const fresh = await openDashboard(oneHome[0]!, { publicUrl }, { openId: settingsOf(issuer, wrong) })
    const browser = fresh.browser()
    expect((await expectRefused(browser, await goThere(browser))).status).toBe(502)
    await fresh.close()
  })
})

describe.skipIf(postgresUrl === null)("two servers on one database", () => {
  const scope = Scope.makeUnsafe()
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  it("each server can complete a sign-in that began at the other, and both accept its session", async () => {
    const { url } = await Effect.runPromise(Scope.provide(freshDatabase, scope))
    const open = () =>
      openDashboard(
        layerStores.pipe(
          Layer.provideMerge(layerDatabase({ url: Redacted.make(url) })),
          Layer.provideMerge(SecureRandom.layerWebCrypto)
        ),
        { publicUrl },
        { openId: settingsOf(issuer) }
      )
    const [one, two] = [await open(), await open()]
    const organization = await one.run(seedOrganization())
    const path = await one.run(pathOf(organization.id))
    await invite(one, organization.id)
    const [first, second] = [one.browser(), two.browser()]
    const callback = await goThere(first)
    for (const [name, value] of first.cookies) second.cookies.set(name, value)
    expect((await second.get(callback)).status).toBe(303)
    for (const [name, value] of second.cookies) first.cookies.set(name, value)
    expect((await second.get(path)).status).toBe(200)
    expect((await first.get(path)).status).toBe(200)
    await Promise.all([one.close(), two.close()])
  })
})
