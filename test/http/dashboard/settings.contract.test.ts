/** The index of settings: people of each role find the pages that they may see, and every link works. */
import { seedOrganization } from "@sov/core/testing"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openDashboard, pathOf, type TestDashboard } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

let server: TestDashboard
beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
})
afterAll(() => server.close())

it.each(["viewer", "member", "owner"] as const)(
  "a %s sees the links that their role may open, and each link works",
  async (role) => {
    const { id } = await server.run(seedOrganization({ plan: "pro" }))
    const home = await server.run(pathOf(id))
    const somebody = await server.signIn(id, role)
    const { status, text } = await somebody.get(`${home}/settings`)
    expect(status).toBe(200)
    expect(text).toMatch(/<a href="[^"]+\/settings" aria-current="page">/)
    const links = [...text.slice(text.indexOf("<ul class=\"links\">")).matchAll(/<li><a href="([^"]+)"/g)].map((
      [, path]
    ) => path!)
    expect(links.includes(`${home}/settings/members`)).toBe(role === "owner")
    expect(links).toContain(`${home}/keywords`)
    for (const path of links) expect((await somebody.get(path)).status, path).toBe(200)
  }
)
