/** Share links over HTTP: until it ends, a link shows its report to everybody who has the link, and nothing else. */
import {
  ArchiveStore,
  type OrganizationId,
  readAuditLog,
  revokeShareLink,
  roundHalfUp,
  ScoreStore,
  setPlan,
  ShareLinkId,
  ShareLinkStore,
  wholeHistory
} from "@sov/core"
import { newId } from "@sov/core/testing"
import { Effect, Layer, Logger, References } from "effect"
import { createHash } from "node:crypto"
import { request } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { routes } from "../../../packages/http/src/dashboard/routes.ts"
import { tenant } from "../../support/apiServer.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { freshForm } from "../../support/dashboardForms.ts"
import { openDashboard, pathOf, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { layerHome } from "../../support/storage.ts"

const logged: Array<string> = []
const logs = Layer.mergeAll(
  Logger.layer([Logger.map(Logger.formatJson, (line) => void logged.push(line))]),
  Layer.succeed(References.MinimumLogLevel, "Trace")
)

/** An effect that runs while the scores of a report are read. */
let meanwhile: Effect.Effect<void> = Effect.void
/** How often links were looked up, and how often their use was stored. */
const asked = { found: 0, used: 0 }
/** The factor by which answers are lengthened when they are read. */
let timesLonger = 1
const storage = Layer.mergeAll(
  Layer.effect(
    ScoreStore,
    Effect.map(ScoreStore, (store) =>
      ScoreStore.of({
        ...store,
        history: (...args) => Effect.andThen(Effect.suspend(() => meanwhile), store.history(...args))
      }))
  ),
  Layer.effect(
    ShareLinkStore,
    Effect.map(ShareLinkStore, (store) =>
      ShareLinkStore.of({
        ...store,
        findByHash: (...args) => Effect.suspend(() => (asked.found++, store.findByHash(...args))),
        recordUse: (...args) => Effect.suspend(() => (asked.used++, store.recordUse(...args)))
      }))
  ),
  Layer.effect(
    ArchiveStore,
    Effect.map(ArchiveStore, (store) =>
      ArchiveStore.of({
        ...store,
        page: (...args) =>
          Effect.map(store.page(...args), (rows) =>
            rows.map((row) => ({ ...row, rawResponse: row.rawResponse.repeat(timesLonger) })))
      }))
  )
).pipe(Layer.provideMerge(layerHome(oneHome[0]!)))

let server: TestDashboard
let organizationId: OrganizationId
let home: string
let owner: Awaited<ReturnType<TestDashboard["signIn"]>>

beforeAll(async () => {
  server = await openDashboard(storage, {}, {}, logs)
  organizationId = await server.run(Effect.gen(function*() {
    const id = yield* seed
    yield* setPlan(id, "enterprise")
    yield* scanWith(id, 0, (n) => n % 2 === 0 ? "Acme Forge, of course." : "Globex <script>alert(1)</script>.")
    yield* scanWith(id, 100, () => "Acme Forge and Globex.")
    return id
  }))
  home = await server.run(pathOf(organizationId))
  owner = await server.signIn(organizationId, "owner")
})
afterAll(() => server.close())

const make = async (fields: Readonly<Record<string, string>> = {}) => {
  const values = await freshForm(server, { name: "the board", from: "", to: "", days: "30", ...fields })
  const answer = await owner.post(`${home}/settings/shares`, values as Readonly<Record<string, string>>)
  const path = /\/share\/([\w-]{43})</.exec(answer.text)?.[0].slice(0, -1)
  return { answer, values: values as Readonly<Record<string, string>>, path: path! }
}
const linkNamed = (name: string) =>
  server.run(Effect.gen(function*() {
    return (yield* (yield* ShareLinkStore).list(organizationId)).find((link) => link.name === name)!
  }))
const revoke = async (id: ShareLinkId) =>
  owner.post(
    `${home}/settings/shares/${id}/revoke`,
    await freshForm(server, {}) as Readonly<Record<string, string>>
  )

describe("a share link", () => {
  it("a share link shows its report to everybody who has it, and asks search engines not to index it", async () => {
    const { answer, path } = await make({ name: "<b>board" })
    expect([answer.status, answer.headers["content-encoding"]]).toEqual([200, undefined])
    expect(answer.text).toContain("&lt;b&gt;board")
    expect(wordsOf(answer.text)).toContain("works on this computer only")
    const shown = await server.browser().get(path)
    expect(shown.status).toBe(200)
    expect(shown.headers).toMatchObject({
      "x-robots-tag": "noindex, nofollow, noarchive",
      "referrer-policy": "no-referrer",
      "cache-control": "private, no-store",
      "content-security-policy": expect.stringMatching(/default-src 'none'(?!.*script)/)
    })
    expect(shown.headers["set-cookie"]).toBe(undefined)
    const { newest } = await server.run(Effect.gen(function*() {
      const [newest] = yield* (yield* ScoreStore).history(organizationId, 1)
      return { newest: newest!.score }
    }))
    expect(wordsOf(shown.text)).toContain(`${roundHalfUp(newest.avgSov!, 1).toFixed(1)} %`)
    expect(shown.text).not.toContain("<script")
    // The page contains no person, no key and no link into the dashboard
    expect(shown.text).not.toContain(owner.person.name)
    expect(shown.text).not.toMatch(/href="\/|\/o\//)
  })

  it("a share link shows the scans of its period, and answer texts only if its creator included them", async () => {
    const { path: without } = await make({ name: "figures", to: "1999-01-01" })
    const early = await server.browser().get(without)
    expect([early.status, wordsOf(early.text)]).toEqual([404, expect.stringContaining("try again later")])
    const { path: plain } = await make({ name: "plain" })
    const { path: texts } = await make({ name: "texts", answers: "yes" })
    expect((await server.browser().get(plain)).text).not.toContain("Acme Forge and Globex.")
    expect((await server.browser().get(texts)).text).toContain("Acme Forge and Globex.")
  })

  it("a share link shows nothing once it is revoked or expired, even if it was just shown", async () => {
    const { path } = await make({ name: "revoked" })
    expect((await server.browser().get(path)).status).toBe(200)
    const { id } = await linkNamed("revoked")
    expect((await revoke(id)).status).toBe(303)
    const gone = await server.browser().get(path)
    expect([gone.status, wordsOf(gone.text)]).toEqual([410, expect.stringContaining("no longer works")])
    expect(gone.text).not.toContain("Acme Forge")

    const expiring = async (token: string, expiresAt: Date) => {
      await server.run(Effect.gen(function*() {
        const store = yield* ShareLinkStore
        const [link] = yield* store.list(organizationId)
        const id = yield* newId(ShareLinkId)
        const hash = createHash("sha256").update(token).digest()
        yield* store.insert(organizationId, { ...link!, id, name: token, revokedAt: null, expiresAt }, hash)
      }))
      return (await server.browser().get(`/share/${token}`)).status
    }
    expect(await expiring("a".repeat(43), new Date(Date.now() + 60_000))).toBe(200)
    expect(await expiring("b".repeat(43), new Date(Date.now() - 1))).toBe(410)
    expect((await server.browser().get(`${path.slice(0, -1)}${path.endsWith("A") ? "B" : "A"}`)).status).toBe(410)
    expect((await server.browser().get("/share/nothing")).status).toBe(410)
  })

  it("a share link shows nothing if it is revoked while its report is generated", async () => {
    const { path } = await make({ name: "late" })
    const { id } = await linkNamed("late")
    meanwhile = Effect.promise(() => server.run(revokeShareLink(organizationId, id))).pipe(Effect.asVoid)
    const shown = await server.browser().get(path)
    meanwhile = Effect.void
    expect([shown.status, shown.text.includes("Acme Forge")]).toEqual([410, false])
  })

  it("a share link is looked up once per view and again after its report was generated; each view counts once", async () => {
    const { path } = await make({ name: "counted" })
    for (const found of [2, 1, 1]) {
      Object.assign(asked, { found: 0, used: 0 })
      expect((await server.browser().get(path)).status).toBe(200)
      expect(asked).toEqual({ found, used: 1 })
    }
  })

  it("a share link looks like an expired link if the plan does not show its period, and does not mention plans", async () => {
    const { path } = await make({ name: "free" })
    await server.run(setPlan(organizationId, "free"))
    const shown = await server.browser().get(path)
    await server.run(setPlan(organizationId, "enterprise"))
    const gone = await server.browser().get("/share/nothing")
    expect([shown.status, shown.text.includes("Acme Forge")]).toEqual([410, false])
    const [here, there] = [shown, gone].map(({ text }) => wordsOf(text).replace(/req_[\w-]+/, ""))
    expect(here).toBe(there)
  })

  it("a share link refuses a report whose answers are too long together, even if each scan is short enough", async () => {
    const { path } = await make({ name: "long", answers: "yes" })
    for (const _ of ["made", "kept"]) {
      timesLonger = 10_000
      const shown = await server.browser().get(path)
      timesLonger = 1
      expect([shown.status, wordsOf(shown.text)]).toEqual([422, expect.stringContaining("too long for a page")])
    }
  })

  it("the report of a share link is compressed for clients that accept it", async () => {
    const { path } = await make({ name: "packed" })
    const plain = await server.browser().get(path)
    const packed = await server.browser().get(path, { headers: { "accept-encoding": "gzip" } })
    expect([plain.headers["content-encoding"], packed.headers["content-encoding"]]).toEqual([undefined, "gzip"])
    expect([plain.headers["vary"], packed.headers["vary"]]).toEqual(["accept-encoding", "accept-encoding"])
    expect(Number(packed.headers["content-length"])).toBeLessThan(plain.text.length / 2)
  })

  it("a view whose reader left before the report was generated does not count as a wrong token", async () => {
    const { path } = await make({ name: "impatient" })
    const { path: other } = await make({ name: "other" })
    for (let n = 0; n <= 60; n++) {
      await new Promise<void>((resolve) => {
        const sent = request(`${server.base}${path}`).on("error", () => {}).on("response", () => resolve()).end()
        // The request before it has given up its turn
        meanwhile = Effect.andThen(Effect.sync(() => resolve(void sent.destroy())), Effect.never)
      })
    }
    meanwhile = Effect.void
    expect((await server.browser().get(other)).status).toBe(200)
  })

  it("a share link opens no other page", async () => {
    const { path } = await make({ name: "nosy" })
    const nosy = server.browser()
    await nosy.get(path)
    const token = path.slice("/share/".length)
    for (const route of routes.filter(({ least }) => least !== "anybody")) {
      const address = route.path.replace(":slug", home.slice("/o/".length)).replaceAll(/:\w+/g, token)
      const answer = await nosy.ask(`${address}?token=${token}`, {
        method: route.method,
        headers: { cookie: `session=${token}`, "sec-fetch-site": "same-origin" }
      })
      expect({ address, status: answer.status }).toMatchObject({ address, status: 303 })
    }
  })

  it("a form that is submitted twice creates one share link, recorded with its creator", async () => {
    const { values } = await make({ name: "twice" })
    const again = await owner.post(`${home}/settings/shares`, values)
    expect(again.headers["location"]).toBe(`${home}/settings/shares?done=share-made-before`)
    const { entries } = await server.run(
      readAuditLog(organizationId, wholeHistory, { action: "share_link.created" }, { limit: 100 })
    )
    const [entry, ...more] = entries.filter(({ detail }) => detail["name"] === "twice")
    expect([more.length, entry!.actor.personId]).toEqual([0, owner.person.id])
  })

  it("an invalid share link is refused with an error beside its field, and the form keeps what was typed", async () => {
    const { answer } = await make({ name: "", from: "yesterday", to: "2026-02-30", days: "9999" })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain("value=\"yesterday\"")
    expect(answer.text.match(/class="fault"|aria-invalid="true"/g)!.length).toBeGreaterThanOrEqual(3)
    const { answer: backwards } = await make({ from: "2026-02-02", to: "2026-02-01" })
    expect(wordsOf(backwards.text)).toContain("The period must end after it begins.")
  })

  it("a share link belongs to one organization", async () => {
    const { organizationId: other } = await server.run(tenant({ plan: "pro" }))
    const stranger = await server.signIn(other, "owner")
    const theirs = await server.run(pathOf(other))
    await make({ name: "mine" })
    const { id } = await linkNamed("mine")
    expect((await stranger.get(`${theirs}/settings/shares`)).text).not.toContain("mine")
    expect((await stranger.get(`${theirs}/settings/shares/${id}/revoke`)).status).toBe(404)
    const tried = await freshForm(server, {}) as Readonly<Record<string, string>>
    expect((await stranger.post(`${theirs}/settings/shares/${id}/revoke`, tried)).status).toBe(404)
    expect((await linkNamed("mine")).revokedAt).toBe(null)
  })

  it("no log contains a share link", async () => {
    const { path } = await make({ name: "logged" })
    await server.browser().get(path)
    expect(logged.length).toBeGreaterThan(0)
    expect(logged.join("\n")).not.toContain(path.slice("/share/".length))
    expect(logged.join("\n")).toContain("/share/***")
  })
})
