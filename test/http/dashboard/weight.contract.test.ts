/** What a browser downloads for its first page: limits on bytes and requests, for a trend of thirty scans. */
import { initialize } from "@sov/core"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openDashboard, pathOf, type TestDashboard } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { type Loaded, loadPage, sumSent } from "../../support/pageWeight.ts"
import { scoreArchive, seedArchive } from "../../support/seedArchive.ts"

let server: TestDashboard
let loaded: ReadonlyArray<Loaded>
beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
  const organizationId = await server.run(Effect.gen(function*() {
    const { competitors, organization } = yield* initialize({
      name: "Acme",
      plan: "pro",
      tracking: {
        brand: { name: "Acme" },
        competitors: ["Globex", "Hooli", "Initech", "Umbrella"].map((name) => ({ name })),
        keywords: Array.from({ length: 14 }, (_, n) => ({ text: `which anvil suits workshop number ${n}?` }))
      }
    })
    yield* seedArchive({ keywords: 14, scans: 30, length: 200, named: competitors.map(({ id }) => id) })
    yield* scoreArchive(organization.id)
    return organization.id
  }))
  const viewer = await server.signIn(organizationId, "viewer")
  const cookie = [...viewer.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  loaded = await loadPage(server.base, await server.run(pathOf(organizationId)), cookie)
})
afterAll(() => server.close())

const named = (end: string): Loaded => loaded.find(({ path }) => path.endsWith(end))!

it("the measured page is realistic: a trend of thirty scans, twelve questions, five named brands", () => {
  const [page] = loaded
  expect(page!.encoding).toBe("gzip")
  expect(page!.body.match(/<circle class="dot/g)).toHaveLength(30)
  expect(page!.body.match(/which anvil suits workshop number/g)!.length).toBeGreaterThanOrEqual(12)
  expect(page!.body).toContain("Umbrella")
})

it("a first page takes at most 5 requests and 20 kB", () => {
  expect(loaded.length).toBeLessThanOrEqual(5)
  expect(loaded.map(({ path }) => path.split(".").at(-1))).toEqual(expect.arrayContaining(["css", "js", "svg"]))
  expect(sumSent(loaded), loaded.map(({ path, sent }) => `${path} ${sent}`).join(", ")).toBeLessThanOrEqual(20_000)
})

it("a first page has at most 5 kB of uncompressed JavaScript and 8 kB of compressed CSS", () => {
  expect(Buffer.byteLength(named(".js").body)).toBeLessThanOrEqual(5_000)
  expect(named(".css").encoding).toBe("gzip")
  expect(named(".css").packed.length).toBeLessThanOrEqual(8_000)
})
