/** Data that must never leave the server, and what people see when its database does not respond. */
import { listApiKeys, makeFormId, type OrganizationId } from "@sov/core"
import { layerServer as layerDatabase, layerStores } from "@sov/core/postgres"
import { seedOrganization } from "@sov/core/testing"
import { layerLogs } from "@sov/http"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { openDashboard, pathOf, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { type FaultProxy, faultProxy } from "../../support/faultProxy.ts"
import { oneHome, postgresUrl } from "../../support/homes.ts"
import { readForm } from "../../support/pageForms.ts"
import { seedMember } from "../../support/people.ts"
import { freshDatabase } from "../../support/storage.ts"

it("no log contains the token of a link or session, even if every request is logged", async () => {
  const lines: Array<string> = []
  const spy = vi.spyOn(console, "error").mockImplementation((...parts) => void lines.push(parts.join(" ")))
  const server = await openDashboard(oneHome[0]!, {}, {}, layerLogs(true))
  const { token } = await server.run(Effect.gen(function*() {
    const person = yield* seedMember((yield* seedOrganization()).id)
    return yield* server.makeLink(person.id)
  }))
  const browser = server.browser()
  await browser.get(`/login/link/${token}`)
  await browser.post(`/login/link/${token}`)
  await browser.get(`/login/link/${token}`)
  await browser.get("/")
  await server.close()
  spy.mockRestore()
  const log = lines.join("\n")
  expect(log).toContain("/login/link/***")
  for (const secret of [token, ...browser.cookies.values()]) {
    if (secret.length >= 40) expect(log).not.toContain(secret)
  }
})

describe.skipIf(postgresUrl === null)("a server without its database", () => {
  const scope = Scope.makeUnsafe()
  let proxy: FaultProxy
  let server: TestDashboard
  let organizationId: OrganizationId
  beforeAll(async () => {
    const { url } = await Effect.runPromise(Scope.provide(freshDatabase, scope))
    const behind = new URL(url)
    proxy = await faultProxy(behind.hostname, Number(behind.port))
    behind.hostname = "127.0.0.1"
    behind.port = String(proxy.port)
    server = await openDashboard(
      layerStores.pipe(
        Layer.provideMerge(layerDatabase({ url: Redacted.make(behind.href) })),
        Layer.provideMerge(SecureRandom.layerWebCrypto)
      ),
      { timeouts: { headersMs: 5_000, requestMs: 10_000, answerMs: 2_500 } }
    )
    organizationId = (await server.run(seedOrganization({ plan: "enterprise" }))).id
  })
  afterAll(async () => {
    proxy.blackhole = false
    await server.close()
    await proxy.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("without its database, the server shows a page with the request's id that says nothing is lost, and recovers", async () => {
    const path = await server.run(pathOf(organizationId))
    const person = await server.signIn(organizationId)
    expect((await person.get(path)).status).toBe(200)
    proxy.blackhole = true
    const page = await person.get(path)
    expect([page.status, page.headers["retry-after"], page.headers["content-type"]])
      .toEqual([503, "2", "text/html; charset=utf-8"])
    expect(wordsOf(page.text)).toContain("The database is not responding. Nothing is lost; try again.")
    expect(page.text).toContain(page.headers["x-request-id"]!)
    proxy.blackhole = false
    proxy.dropConnections()
    await expect.poll(async () => (await person.get(path)).status).toBe(200)
  })

  it.each(["does not answer", "is stopped"])(
    "a form that is sent while the database %s keeps what was typed, and acts only once",
    async (how) => {
      const path = `${await server.run(pathOf(organizationId))}/settings/api`
      const owner = await server.signIn(organizationId)
      expect((await owner.get(path)).status).toBe(200)
      const typed = `<i> & "${how}"`
      const form_id = await server.run(makeFormId)
      if (how === "is stopped") {
        proxy.refuse = true
        proxy.reset()
      } else {
        proxy.blackhole = true
      }
      const refused = await owner.post(path, { name: typed, scope: "read", expires: "", form_id })
      proxy.refuse = false
      proxy.blackhole = false
      proxy.dropConnections()
      expect([refused.status, wordsOf(refused.text).includes("Your input is kept on this page.")]).toEqual([
        503,
        true
      ])
      const kept = readForm(refused.text, path)
      expect(kept).toEqual({ name: typed, scope: "read", expires: "", form_id })
      await expect.poll(async () => (await owner.get(path)).status).toBe(200)
      const named = async () =>
        (await server.run(listApiKeys(organizationId))).filter(({ name }) => name === typed).length
      expect(await named()).toBeLessThanOrEqual(1)
      expect([200, 303]).toContain((await owner.post(path, kept)).status)
      expect((await owner.post(path, kept)).status).toBe(303)
      expect(await named()).toBe(1)
    }
  )
})
