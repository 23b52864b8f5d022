/** Sources over HTTP: the tables and their CSV contain the same data as the use case. */
import {
  type ArchivedAnswer,
  ArchiveStore,
  completeScan,
  deriveSources,
  KeywordStore,
  listCitedSites,
  type OrganizationId,
  readSources,
  tagKeywords,
  wholeHistory
} from "@sov/core"
import { addScan, answerTo, at, captureOf, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { seed } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestBrowser, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

let server: TestDashboard
let organizationId: OrganizationId
let page: `/o/${string}/sources`
let viewer: TestBrowser

const hostile = "<img src=x onerror=alert(1)>"

/** A response of the Responses API that searched and cites these addresses. */
const cites = (text: string, ...urls: ReadonlyArray<string>): Partial<ArchivedAnswer> => {
  const adapter = "openai-responses"
  const payload = new TextEncoder().encode(JSON.stringify({
    output: [
      { type: "web_search_call", action: { type: "search", queries: [`best anvil ${hostile}`], sources: [] } },
      {
        type: "message",
        content: [{ type: "output_text", text, annotations: urls.map((url) => ({ type: "url_citation", url })) }]
      }
    ]
  }))
  const found = deriveSources({ adapter, payload, text, citations: [] })
  return { adapter, payload, rawResponse: text, capture: captureOf({ found }) }
}

/** A scan whose answers name a competitor for most questions, and cite a page only in these answers. */
const scanWithSources = Effect.fnUntraced(function*(id: OrganizationId, seconds: number, simulated = false) {
  const asked = yield* (yield* KeywordStore).list(id, ["active"])
  const { cells, scan } = yield* addScan(id, asked, { startedAt: at(seconds), trackedSetVersion: 1, simulated })
  for (const [n, cell] of cells.entries()) {
    const answer = n % 3 === 0
      ? cites("Acme Forge leads.", "https://www.acmeforge.example/a", "https://tests.example/anvils")
      : cites(
        "Globex leads.",
        "https://tests.example/anvils",
        "https://rivals.example/globex",
        `https://odd.example/${n}`
      )
    yield* (yield* ArchiveStore).archive(id, yield* answerTo(cell, { ...answer, simulated }), null)
  }
  yield* completeScan(id, scan.id)
  return scan
})

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!, {}, { platformLabels: new Map([["assistant_a", "Parrot"]]) })
  organizationId = await server.run(seed)
  page = `${await server.run(pathOf(organizationId))}/sources`
  viewer = await server.signIn(organizationId, "viewer")
})
afterAll(() => server.close())

const tableOf = (csv: string) => {
  const [header, ...lines] = csv.trimEnd().split("\r\n")
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, i) => [header!.split(",")[i]!, cell])))
}

it("before the first scan, each page says that no scan has completed", async () => {
  for (const view of ["", "/pages", "/gaps", "/searches"]) {
    const { status, text } = await viewer.get(`${page}${view}`)
    expect([status, wordsOf(text).includes("No scan has completed yet")], view).toEqual([200, true])
    expect((await viewer.get(`${page}${view}.csv`)).text.trimEnd().split("\r\n"), view).toHaveLength(1)
  }
})

it("the page and its CSV show cited domains with the numbers of the use case", async () => {
  const scan = await server.run(scanWithSources(organizationId, 0))
  const report = await server.run(readSources(organizationId, wholeHistory, { scans: 1 }))
  const { text } = await viewer.get(page)
  const words = wordsOf(text)
  expect(text).toContain(`/scans/${scan.id}"`)
  expect(words).toContain("6 questions, 12 answers, 12 with sources")
  expect(words).toContain("Parrot (assistant_a)")
  const sites = listCitedSites(report.rows, "domain")
  expect(sites.map(({ name }) => name)).toEqual(["tests.example", "odd.example", "rivals.example", "acmeforge.example"])
  for (const { answers, keywords, namingBrand, share } of sites.filter(({ listed }) => listed)) {
    expect(words).toContain(`${share.toFixed(1)} % ${answers} ${keywords} ${namingBrand} of ${answers}`)
  }
  expect(tableOf((await viewer.get(`${page}.csv`)).text)).toEqual(
    sites.filter(({ listed }) => listed).map(({ answers, name, owner, share }) =>
      expect.objectContaining({
        domain: name,
        answers: String(answers),
        share: String(Number(share.toFixed(1))),
        owner: owner?.kind === "own" ? "you" : "",
        simulated: "false"
      })
    )
  )
  const rate = Math.round(report.summary.ownCitationRate!)
  expect(words).toContain(`Answers with sources that cite your pages ${rate} %`)
})

it("rarely cited domains are left out, counted, and shown on request", async () => {
  const words = wordsOf((await viewer.get(`${page}/pages`)).text)
  expect(words).not.toContain("odd.example/1")
  expect(words).toContain("8 pages appeared less often")
  const all = await viewer.get(`${page}/pages?all=1`)
  expect(wordsOf(all.text)).toContain("odd.example/1 rare")
  expect(all.text).toContain("<a href=\"https://odd.example/1\" rel=\"noreferrer noopener nofollow\">")
  const [few, many] = [await viewer.get(`${page}/pages.csv`), await viewer.get(`${page}/pages.csv?all=1`)]
  expect([tableOf(few.text).length, tableOf(many.text).length]).toEqual([3, 11])
})

it("each table can be filtered by platform and question, and links keep the filter", async () => {
  const [keyword] = await server.run(Effect.flatMap(KeywordStore, (store) => store.list(organizationId, ["active"])))
  const query = `platform=assistant_a&keyword_id=${keyword!.id}`
  const { text } = await viewer.get(`${page}?${query}`)
  expect(wordsOf(text)).toContain("1 question, 1 answer, 1 with sources")
  expect(text).toContain(`<a href="${page}/gaps?${query.replace("&", "&amp;")}"`)
  expect(text).toMatch(/<option value="assistant_a" selected>Parrot/)
  const empty = await viewer.get(`${page}?platform=&keyword_id=${keyword!.id}&scans=`)
  expect([empty.status, empty.headers["location"]]).toEqual([303, `${page}?keyword_id=${keyword!.id}`])
  for (const bad of ["keyword_id=1", "scans=11", "scans=two", "platform=A%20B"]) {
    expect((await viewer.get(`${page}?${bad}`)).status, bad).toBe(400)
  }
})

it("each page and CSV can be filtered by tag", async () => {
  const asked = await server.run(Effect.flatMap(KeywordStore, (store) => store.list(organizationId, ["active"])))
  await server.run(tagKeywords(organizationId, asked.slice(0, 2).map(({ id }) => id), ["Pricing"]))
  const read = (tag?: string) => server.run(readSources(organizationId, wholeHistory, { scans: 1, tag }))
  const { rows, summary } = await read("pricing")
  expect([summary.answers, (await read()).summary.answers]).toEqual([4, 12])
  for (const view of ["", "/pages", "/gaps", "/searches"]) {
    const { text } = await viewer.get(`${page}${view}?tag=Pricing`)
    expect(wordsOf(text), view).toContain("2 questions, 4 answers, 4 with sources")
    expect(text, view).toContain("<option value=\"Pricing\" selected>Pricing</option>")
    expect(text, view).toMatch(/href="[^"]+\.csv\?tag=Pricing"/)
  }
  expect(
    tableOf((await viewer.get(`${page}.csv?tag=PRICING&all=1`)).text).map((row) => [row["domain"], row["answers"]])
  )
    .toEqual(listCitedSites(rows, "domain").map(({ answers, name }) => [name, String(answers)]))
  expect((await viewer.get(`${page}/searches.csv?tag=pricing`)).text).toContain(`${hostile},assistant_a,2,2,false`)
  expect(tableOf((await viewer.get(`${page}.csv?tag=nosuch&all=1`)).text)).toEqual([])
  expect(wordsOf((await viewer.get(`${page}?tag=nosuch`)).text)).toContain("0 questions, 0 answers")
})

it("HTML in an assistant's web searches is shown as text", async () => {
  const { text } = await viewer.get(`${page}/searches`)
  expect(text).not.toContain("<img")
  expect(wordsOf(text)).toContain(`best anvil ${hostile.replaceAll("<", "&lt;").replaceAll(">", "&gt;")} `)
  expect((await viewer.get(`${page}/searches.csv`)).text).toContain(`best anvil ${hostile},assistant_a,6,6,false`)
})

it("the search for gaps covers the domains of the four newest scans", async () => {
  await server.run(scanWithSources(organizationId, 600))
  await server.run(scanWithSources(organizationId, 1200))
  const words = wordsOf((await viewer.get(`${page}/gaps?all=1`)).text)
  expect(words).toMatch(/of \d domains? differs? by more than noise \(3 scans\)/)
  expect(words).toMatch(/rivals\.example \d+ of \d+ 0 of \d+ Globex/)
  const rows = tableOf((await viewer.get(`${page}/gaps.csv?all=1`)).text)
  expect(rows.find(({ domain }) => domain === "rivals.example")).toMatchObject({ with_you: "0", rivals: "Globex" })
})

it("simulated answers are marked as simulated on the page and in the CSV", async () => {
  const made = await server.run(seed)
  await server.run(scanWithSources(made, 0, true))
  const somebody = await server.signIn(made, "viewer")
  const path = `${await server.run(pathOf(made))}/sources`
  expect(wordsOf((await somebody.get(path)).text)).toContain("Simulated Made-up platforms")
  expect(tableOf((await somebody.get(`${path}.csv`)).text)[0]).toMatchObject({ simulated: "true" })
})

it("no page and no CSV shows a scan that is older than the plan's history", async () => {
  const free = await server.run(Effect.gen(function*() {
    const { id } = yield* seedOrganization({ plan: "free" })
    return id
  }))
  const somebody = await server.signIn(free, "viewer")
  const path = `${await server.run(pathOf(free))}/sources`
  expect(wordsOf((await somebody.get(path)).text)).toMatch(/No scan has completed since \d+ \w+ \d{4}/)
})
