/** Who may see which page: every route for every kind of visitor, and every form from every origin. */
import { atLeast, type OrganizationId, type Role } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { to } from "../../../packages/http/src/dashboard/Address.ts"
import { seeOther, sendFile } from "../../../packages/http/src/dashboard/guard/Reply.ts"
import { type Route, routes } from "../../../packages/http/src/dashboard/routes.ts"
import { openDashboard, pathOf, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

/** Additional routes for each role, so that the rules of the table are also tested for pages to come. */
const planted = (["viewer", "member", "owner"] as const).flatMap((least) =>
  (["GET", "POST"] as const).map((method): Route => ({
    method,
    path: `/o/:slug/planted/${least}`,
    least,
    handle: ({ frame }) =>
      Effect.succeed(method === "GET" ? sendFile("x.txt", "text/plain", frame.role) : seeOther(to("/")))
  }))
)
;(routes as Array<Route>).push(...planted)

let server: TestDashboard
let own: OrganizationId
let other: OrganizationId
let slug: string

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
  own = (await server.run(seedOrganization())).id
  other = (await server.run(seedOrganization())).id
  slug = (await server.run(pathOf(own))).slice("/o/".length)
})
afterAll(() => server.close())

const roles: ReadonlyArray<Role> = ["viewer", "member", "owner"]

const pathTo = (pattern: string, organization = slug): string =>
  pattern.replace(":slug", organization).replaceAll(/:\w+/g, () => randomUUID())

type Visitor = Awaited<ReturnType<TestDashboard["signIn"]>>
const send = ({ get, post }: Pick<Visitor, "get" | "post">, method: string, path: string) =>
  method === "GET" ? get(path) : post(path)

const readers = new Map<string, Promise<Visitor>>()
/** A visitor with this role. All GET requests use the same person, because reading changes nothing. */
const visitor = (method: string, organizationId: OrganizationId, role: Role): Promise<Visitor> => {
  if (method !== "GET") return server.signIn(organizationId, role)
  const name = `${role} of ${organizationId}`
  const known = readers.get(name) ?? server.signIn(organizationId, role)
  readers.set(name, known)
  return known
}

const leadsToSignIn = (location: string | undefined): boolean => location?.split("?")[0] === "/login"

/** The text of a page without the parts that differ between requests. */
const withoutRequest = (text: string): string => text.replaceAll(/req_[\w-]+/g, "")

const guarded = routes.filter((route) => route.least !== "anybody")
const ofOrganizations = guarded.filter(({ least }) => least !== "person")

describe("the table of routes", () => {
  it("the table of routes requires a role for each page of an organization and for no other page", () => {
    expect(ofOrganizations.length).toBeGreaterThan(1)
    for (const { least, path } of routes) {
      expect(/^\/o\/:slug(?:\/|$)/.test(path), path).toBe(least !== "anybody" && least !== "person")
    }
  })
  it("the table of routes lists each route once", () => {
    const names = routes.map(({ method, path }) => `${method} ${path}`)
    expect(names).toEqual([...new Set(names)])
  })
  it("the table of routes requires more than a viewer for every form of an organization", () => {
    for (const { least, method, path } of ofOrganizations) {
      if (method === "POST" && !path.includes("/planted/")) expect(least, path).not.toBe("viewer")
    }
  })
})

describe.each(guarded)("$method $path", ({ least, method, path }) => {
  it("the page redirects a visitor without a session to the sign-in page", async () => {
    const answer = await send(server.browser() as Visitor, method, pathTo(path))
    expect([answer.status, leadsToSignIn(answer.headers["location"])]).toEqual([303, true])
  })

  if (least === "person") {
    it("the page admits every signed-in person, whether a member of an organization or not", async () => {
      const answer = await send(await server.signIn(null), method, pathTo(path))
      expect([answer.status < 500, leadsToSignIn(answer.headers["location"])]).toEqual([true, false])
    })
    return
  }

  it.each(roles)("the least role of the route decides whether a %s is admitted", async (role) => {
    const answer = await send(await visitor(method, own, role), method, pathTo(path))
    expect([answer.status === 403, leadsToSignIn(answer.headers["location"])]).toEqual([!atLeast(role, least), false])
    expect(answer.status).toBeLessThan(500)
  })

  it("the page does not exist for an owner of another organization", async () => {
    const foreign = await visitor(method, other, "owner")
    const theirs = await send(foreign, method, pathTo(path))
    const unknown = await send(foreign, method, pathTo(path, "there-is-none"))
    expect([theirs.status, unknown.status]).toEqual([404, 404])
    expect(withoutRequest(theirs.text)).toBe(withoutRequest(unknown.text))
  })
})

describe.each(routes.filter(({ method }) => method === "POST"))("POST $path", ({ fromAnywhere = false, path }) => {
  const sites = ["same-origin", "same-site", "cross-site", "none", undefined]
  const origins = ["own", "http://evil.example", "null", undefined]
  const cases = sites.flatMap((site) => origins.map((origin) => [site, origin] as const))

  it.each(cases)(
    "the form is accepted or refused by its origin: Sec-Fetch-Site %s, Origin %s",
    async (site, origin) => {
      const answer = await server.browser().ask(pathTo(path), {
        method: "POST",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          ...site === undefined ? {} : { "sec-fetch-site": site },
          ...origin === undefined ? {} : { origin: origin === "own" ? server.base : origin }
        }
      })
      const allowed = fromAnywhere || (site === undefined ? origin === "own" : site === "same-origin")
      const refused = answer.status === 403 && wordsOf(answer.text).includes("sent from another site")
      expect(refused).toBe(!allowed)
    }
  )
})

describe("a page to look at", () => {
  it("the page opens when a link on another site leads to it", async () => {
    const viewer = await server.signIn(own, "viewer")
    const answer = await viewer.get(pathTo("/o/:slug"), { headers: { "sec-fetch-site": "cross-site" } })
    expect(answer.status).toBe(200)
  })
})

describe("behind a public address", () => {
  it("the Origin of a form must be the public address, whatever the Host header says", async () => {
    const behind = await openDashboard(oneHome[0]!, { publicUrl: "https://sov.example" })
    const send = (origin: string) =>
      behind.ask("/logout", { method: "POST", headers: { accept: "text/html", host: "sov.example", origin } })
    expect((await send("https://sov.example")).status).toBe(303)
    for (const origin of ["http://sov.example", "https://sov.example:8443", "https://sov.example.evil.example"]) {
      expect((await send(origin)).status).toBe(403)
    }
    await behind.close()
  })
})
