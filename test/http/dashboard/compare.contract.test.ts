/** Comparing two scans over HTTP: first the changes, then the rest. */
import {
  addCompetitor,
  completeScan,
  type OrganizationId,
  readComparison,
  roundPoints,
  type Scan,
  wholeHistory
} from "@sov/core"
import { seedScan } from "@sov/core/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { measurements, scanWith, seed } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestBrowser, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

let server: TestDashboard
let organizationId: OrganizationId
let home: `/o/${string}`
let owner: TestBrowser
let before: Scan
let after: Scan

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!, {}, { platformLabels: new Map([["assistant_a", "Parrot"]]) })
  organizationId = await server.run(seed)
  before = await server.run(scanWith(organizationId, 0, () => "Acme Forge and Globex."))
  after = await server.run(
    scanWith(
      organizationId,
      600,
      (n, platform) =>
        n === 5 && platform === "assistant_b" ? null : platform === "assistant_b" ? "Globex." : "Acme Forge."
    )
  )
  home = await server.run(pathOf(organizationId))
  owner = await server.signIn(organizationId)
})
afterAll(() => server.close())

const rowsOf = (csv: string): ReadonlyArray<Readonly<Record<string, string>>> => {
  const [header, ...lines] = csv.trimEnd().split("\r\n").map((line) => line.split(","))
  return lines.map((cells) => Object.fromEntries(cells.map((cell, i) => [header![i]!, cell])))
}

/** Signs in to a new organization. */
const enter = async (id: OrganizationId, role: "viewer" | "member" | "owner" = "owner") => ({
  browser: await server.signIn(id, role),
  path: await server.run(pathOf(id))
})

const hiddenOf = (html: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map((
      [, name, value]
    ) => [name!, value!])
  )

describe("comparing two scans", () => {
  it("the comparison and its CSV show the numbers of the use case", async () => {
    const { comparison } = await server.run(readComparison(organizationId, wholeHistory, before.id, after.id))
    const { trend } = comparison!
    const query = `before=${before.id}&after=${after.id}`
    const page = await owner.get(`${home}/scans/compare?${query}`)
    const words = wordsOf(page.text)
    expect(words).toContain(`${Math.round(trend!.before)} % → ${Math.round(trend!.after)} %`)
    expect(words).toContain("11 of 12 pairs of question and platform")
    expect(words).toContain("within noise")
    expect(words).toContain("Parrot (assistant_a) 50 % 100 % +50.0")
    expect(words).not.toContain("● more than noise")
    expect(wordsOf((await owner.get(`${home}/scans/compare`)).text)).toContain(`${Math.round(trend!.before)} % →`)
    const rows = rowsOf((await owner.get(`${home}/scans/compare.csv?${query}`)).text)
    expect(rows.filter(({ kind }) => kind === "keyword")).toHaveLength(6)
    for (const { after: now, before: then, beyondNoise, delta, id } of comparison!.platforms) {
      expect(rows.find((row) => row["id"] === id)).toMatchObject({
        before: String(roundPoints(then)),
        after: String(roundPoints(now)),
        delta: String(roundPoints(delta)),
        beyond_noise: String(beyondNoise)
      })
    }
  })

  it("by default, the comparison shows scans of the standard view, and it never compares two views", async () => {
    const id = await server.run(seed)
    const view = { name: "germany", country: "DE", language: null, context: null }
    await server.run(scanWith(id, 0, () => "Acme Forge and Globex."))
    await server.run(scanWith(id, 600, () => "Acme Forge."))
    const german = await server.run(scanWith(id, 1200, () => "Globex.", { view }))
    const { browser, path } = await enter(id)
    expect(wordsOf((await browser.get(`${path}/scans/compare`)).text)).toContain("50 % → 100 %")
    const alone = await browser.get(`${path}/scans/compare?after=${german.id}`)
    expect([alone.status, wordsOf(alone.text)]).toEqual([200, expect.not.stringContaining("→ 0 %")])
  })

  it("the comparison marks changes that exceed noise", async () => {
    const id = await server.run(seed)
    const asked = { platforms: ["assistant_a", "assistant_b", "assistant_c", "assistant_d"] } as const
    const both = await server.run(scanWith(id, 0, () => "Acme Forge and Globex.", asked))
    const alone = await server.run(scanWith(id, 600, () => "Acme Forge.", asked))
    const { browser, path } = await enter(id)
    const words = wordsOf((await browser.get(`${path}/scans/compare?before=${both.id}&after=${alone.id}`)).text)
    expect(words).toContain("50 % → 100 % +50.0 points more than noise")
    expect(words).toContain("Globex 50 % 0 % −50.0 ● more than noise")
    const moved = words.slice(words.indexOf("What moved by more than noise"), words.indexOf("Platforms ●"))
    expect(moved).toMatch(/Globex name 50 % 0 % −50\.0/)
    expect(moved).not.toContain("Initech")
    expect(words).toContain("Initech 0 % 0 % 0.0 No tracked brand")
    const rows = rowsOf((await browser.get(`${path}/scans/compare.csv?before=${both.id}&after=${alone.id}`)).text)
    const marked = rows.filter((row) => row["beyond_noise"] === "true").map(({ kind, name }) => [kind, name])
    expect(marked).toEqual(expect.arrayContaining([["brand", "Acme Forge"], ["competitor", "Globex"]]))
    expect(marked).not.toContainEqual(["competitor", "Initech"])
  })

  it("the address keeps the two scans and determines search, order and page of the questions", async () => {
    const path = `${home}/scans/compare?before=${before.id}&after=${after.id}`
    const questions = (text: string) => {
      const rows = text.slice(text.indexOf("id=\"questions\"")).matchAll(/<tr><th scope="row">([^<]*)/g)
      return [...rows].map(([, name]) => name!)
    }
    const up = (await owner.get(`${path}&sort=question`)).text
    const down = (await owner.get(`${path}&sort=-question`)).text
    expect(questions(up).length).toBeGreaterThan(2)
    expect(questions(down)).toEqual(questions(up).toReversed())
    expect(up).toContain("aria-sort=\"ascending\"")
    const one = questions(up)[0]!
    const found = (await owner.get(`${path}&q=${encodeURIComponent(one.toUpperCase())}`)).text
    expect(questions(found)).toEqual([one])
    expect(found).toContain(`name="before" value="${before.id}"`)
    expect(questions((await owner.get(`${path}&page=99`)).text)).toEqual([])
    for (const bad of ["sort=nothing", "page=0", "page=x"]) {
      expect((await owner.get(`${path}&${bad}`)).status, bad).toBe(400)
    }
    expect((await owner.get(`${path}&q=${encodeURIComponent("<i>&\"")}`)).text).not.toContain("<i>")
  })

  it("if the scans share too few cells, the comparison says why there is no number", async () => {
    const id = await server.run(seed)
    const whole = await server.run(scanWith(id, 0, () => "Acme Forge."))
    const part = await server.run(scanWith(id, 600, (n) => n < 2 ? "Globex." : null))
    const { browser, path } = await enter(id)
    const query = `before=${whole.id}&after=${part.id}`
    const words = wordsOf((await browser.get(`${path}/scans/compare?${query}`)).text)
    expect(words).toContain(
      "4 of 12 cells (keyword × platform) were answered in both scans; 6 are needed to compare them."
    )
    expect(words).not.toContain("→")
    expect(rowsOf((await browser.get(`${path}/scans/compare.csv?${query}`)).text)).toEqual([])
  })

  it("the comparison measures scans again only when a form asks for it", async () => {
    const id = await server.run(seed)
    const old = await server.run(scanWith(id, 0, () => "Acme Forge, or Hooli."))
    const also = await server.run(scanWith(id, 300, () => "Acme Forge, or Hooli."))
    await server.run(addCompetitor(id, { name: "Hooli", aliases: [], domains: [] }))
    // Completing a scan measures the previous scan with the new names, and no other scan
    const recent = await server.run(scanWith(id, 600, () => "Acme Forge, or Hooli."))
    expect(also.id).not.toBe(recent.id)
    const { browser, path } = await enter(id, "member")
    const viewer = await enter(id, "viewer")
    const query = `before=${old.id}&after=${recent.id}`
    const measured = await server.run(measurements(id))
    const page = await browser.get(`${path}/scans/compare?${query}`)
    expect(wordsOf(page.text)).toContain("was measured with different names or rules")
    expect((await browser.get(`${path}/scans/compare.csv?${query}`)).status).toBe(409)
    expect((await viewer.browser.get(`${path}/scans/compare?${query}`)).text).not.toContain(
      "<button class=\"primary\">"
    )
    expect(await server.run(measurements(id))).toBe(measured)
    const done = await browser.post(`${path}/scans/compare`, hiddenOf(page.text))
    expect([done.status, done.headers["location"]]).toEqual([303, `${path}/scans/compare?${query}&done=measured-again`])
    expect(await server.run(measurements(id))).toBe(measured + 12)
    expect(wordsOf((await browser.get(done.headers["location"]!)).text)).toContain("50 % → 50 %")
  })

  it("the comparison refuses a scan that is not completed, and two scans of different kinds", async () => {
    const { organizationId: id, scan } = await server.run(seedScan())
    const { browser, path } = await enter(id)
    expect((await browser.get(`${path}/scans/compare?before=${scan.id}&after=${scan.id}`)).status).toBe(422)
    await server.run(completeScan(id, scan.id))
    expect((await browser.get(`${path}/scans/compare?before=x&after=y`)).status).toBe(400)
    expect((await browser.get(`${path}/scans/compare?before=${id}&after=${scan.id}`)).status).toBe(404)
  })
})
