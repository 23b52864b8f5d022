/** Lists over HTTP: each sorts by the head of a column and is searched, by links and forms that need no script. */
import { addCompetitor, type OrganizationId } from "@sov/core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { scanWith, seed } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestBrowser, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"

let server: TestDashboard
let organizationId: OrganizationId
let home: `/o/${string}`
let viewer: TestBrowser

const hostile = `"><script>alert(1)</script>'; drop table answer; -- %_\\`

beforeAll(async () => {
  server = await openDashboard("embedded")
  organizationId = await server.run(seed)
  await server.run(scanWith(organizationId, 0, (n) => n === 0 ? "Acme Forge is the best." : "Globex, or Initech."))
  for (let n = 0; n < 10; n++) {
    await server.run(addCompetitor(organizationId, { name: `Rival ${9 - n}`, aliases: [], domains: [] }))
  }
  home = await server.run(pathOf(organizationId))
  viewer = await server.signIn(organizationId, "viewer")
})
afterAll(() => server.close())

/** The heads of the rows of the page's widest list, as they read. */
const rowsOf = async (path: string): Promise<ReadonlyArray<string>> => {
  const { status, text } = await viewer.get(`${home}${path}` as `/${string}`)
  expect(status, path).toBe(200)
  const table = text.split("<table").find((part) => part.includes("aria-sort") || part.includes("sort=")) ?? ""
  return [...table.matchAll(/<th scope="row"[^>]*>(.*?)<\/th>/gs)].map(([, head]) => wordsOf(head!))
}

/** In the order in which English readers look names up. */
const sorted = (rows: ReadonlyArray<string>) => rows.toSorted((a, b) => a.localeCompare(b, "en"))

it.each(
  [
    ["/keywords", "question"],
    ["/competitors", "name"]
  ] as const
)("the list %s sorts by %s in both directions, and a heading leads to the other direction", async (path, key) => {
  // Who is not tracked stands at the end in every order
  const named = async (sort: string) =>
    (await rowsOf(`${path}?sort=${sort}`)).filter((row) => row !== "No tracked brand")
  const up = await named(key)
  expect(up.length).toBeGreaterThan(4)
  expect(up).toEqual(sorted(up))
  expect(await named(`-${key}`)).toEqual(up.toReversed())
  const { text } = await viewer.get(`${home}${path}?sort=${key}`)
  expect(text).toContain(`sort=-${key}`)
  expect(text).toContain(`aria-sort="ascending"`)
})

it("questions and names are sorted by their share, and those without a share come last", async () => {
  expect((await rowsOf("/keywords?sort=-share"))[0]).toBe((await rowsOf("/keywords?sort=share")).at(-1))
  const names = await rowsOf("/competitors")
  expect(names.at(-1)).toBe("No tracked brand")
  expect((await rowsOf("/competitors?sort=share")).at(-1)).toBe("No tracked brand")
})

it("a search keeps the rows that contain its words and the order", async () => {
  expect(await rowsOf("/competitors?q=rival&sort=name")).toEqual(
    Array.from({ length: 10 }, (_, n) => `Rival ${n} not measured yet`)
  )
  expect(await rowsOf("/competitors?q=GLOBEX")).toEqual(["Globex"])
})

it.each(["/keywords", "/competitors", "/answers", "/sources", "/sources/pages", "/sources/gaps", "/sources/searches"])(
  "the list %s shows a hostile search as text and refuses an unknown order",
  async (path) => {
    const answer = await viewer.get(`${home}${path}?q=${encodeURIComponent(hostile)}`)
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain("<script>alert")
    expect(answer.text).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;")
    if (path !== "/answers") expect((await viewer.get(`${home}${path}?sort=secret`)).status).toBe(400)
  }
)

it("a platform and a competitor have pages with the share of the overview, and their questions link to answers", async () => {
  const { text } = await viewer.get(home)
  const platform = /\/o\/[^"]+\/platforms\/assistant_a/.exec(text)![0] as `/${string}`
  const rival = /\/o\/[^"]+\/competitors\/[0-9a-f-]{36}\/share/.exec(text)![0] as `/${string}`
  const overview = (await viewer.get(`${home}/overview.csv`)).text.split("\r\n")
  const shareOf = (id: string) => Number(overview.find((line) => line.includes(id))!.split(",")[5])
  for (const [path, id] of [[platform, "assistant_a"], [rival, rival.split("/").at(-2)!]] as const) {
    const page = await viewer.get(path)
    expect(page.status, path).toBe(200)
    expect(Number.parseFloat(/class="number">([\d.]+)/.exec(page.text)![1]!)).toBeCloseTo(shareOf(id), 0)
    const answers = /href="([^"]+\/answers\?keyword_id=[^"]+)"/.exec(page.text)![1]!.replaceAll("&amp;", "&")
    expect((await viewer.get(answers as `/${string}`)).text, answers).toContain("<ol class=\"answers\">")
    const up = await viewer.get(`${path}?sort=question` as `/${string}`)
    expect(up.text).toContain(`aria-sort="ascending"`)
    const hidden = await viewer.get(`${path}?q=${encodeURIComponent(hostile)}` as `/${string}`)
    expect([hidden.status, hidden.text.includes("No matching questions")]).toEqual([200, true])
  }
  for (
    const unknown of ["platforms/assistant_e", "platforms/x", "competitors/01a1fc84-0000-7000-8000-000000000001/share"]
  ) {
    expect((await viewer.get(`${home}/${unknown}`)).status, unknown).toBe(404)
  }
})

it("each explained word opens by its own button, and all words are at /glossary", async () => {
  for (const path of [home, `${home}/keywords`, `${home}/competitors`, `${home}/sources`, "/portfolio"] as const) {
    const { text } = await viewer.get(path)
    const [targets, ids] = ["popovertarget", "popover id"].map((name) =>
      [...text.matchAll(new RegExp(`${name}="(about-[a-zA-Z]+)"`, "g"))].map(([, id]) => id!)
    ) as [Array<string>, Array<string>]
    expect(new Set(targets), path).toEqual(new Set(ids))
    expect(new Set(ids).size, path).toBe(ids.length)
    expect(wordsOf((await viewer.get("/glossary")).text)).toContain("Share of voice How much of the answers is yours")
  }
})
