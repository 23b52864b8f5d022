/** AI traffic over HTTP: both counts side by side, never their sum, and the same numbers as in the use case. */
import { builtInSources, importTraffic, type OrganizationId, readAiTraffic, wholeHistory } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect, Stream } from "effect"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openDashboard, pathOf, type TestBrowser, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { uploadForm } from "../../support/uploadForm.ts"

let server: TestDashboard
let organizationId: OrganizationId
let page: `/o/${string}/traffic`
let viewer: TestBrowser

const line = (day: number, path: string, referrer: string, agent = "Mozilla/5.0") =>
  `192.0.2.${day} - - [${
    String(day).padStart(2, "0")
  }/Mar/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" 200 1 "${referrer}" "${agent}"\n`

/** Five referrer signals and three tag-only visits; their sum, eight, must not be shown anywhere. */
const log = [
  line(1, "/shop", "https://chatgpt.com/"),
  line(1, "/shop?n=2", "https://chatgpt.com/"),
  line(2, "/shop?utm_source=chatgpt.com", "https://chatgpt.com/"),
  line(3, "/compare", "https://www.perplexity.ai/search"),
  line(3, "/=1+1", "https://www.perplexity.ai/"),
  line(2, "/shop?utm_source=chatgpt.com", "-"),
  line(4, "/a?utm_source=chatgpt.com", "-"),
  line(5, "/b?utm_source=chatgpt.com", "https://other.example/"),
  line(5, "/c", "-", "GPTBot/1.2")
].join("")

const importLog = (id: OrganizationId) =>
  importTraffic(id, Stream.make(new TextEncoder().encode(log)), {
    sources: builtInSources,
    dryRun: false,
    ownHosts: []
  })

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
  organizationId = (await server.run(seedOrganization())).id
  page = `${await server.run(pathOf(organizationId))}/traffic`
  viewer = await server.signIn(organizationId, "viewer")
})
afterAll(() => server.close())

it("until a log is imported, the page says how to import one", async () => {
  const { status, text } = await viewer.get(page)
  expect(status).toBe(200)
  expect(wordsOf(text)).toContain("No log imported yet")
  const member = await server.signIn(organizationId, "member")
  expect(wordsOf((await member.get(page)).text)).toContain("Import a log")
  expect((await viewer.get(`${page}.csv`)).text).toBe("signal,source,name,day,count,simulated\r\n")
})

it("the page and its CSV show both counts, but never their sum", async () => {
  await server.run(importLog(organizationId))
  const traffic = await server.run(readAiTraffic(organizationId, wholeHistory, { crawlers: true }))
  expect([traffic.referrerSignals.count, traffic.tagOnlyVisits.count, traffic.crawlers?.count]).toEqual([5, 3, 1])
  const words = wordsOf((await viewer.get(page)).text)
  expect(words).toContain("Referrer signals 5 requests from an assistant&#39;s page; 1 also tagged")
  expect(words).toContain("Tag-only visits 3 requests with only a tag; 1 from other sites")
  expect(words).toContain("1 Mar 2026 to 5 Mar 2026 (UTC)")
  expect(words).not.toMatch(/\b8\b/)
  for (const reason of traffic.lowerBound.reasons) expect(words).toContain(reason.replaceAll("'", "&#39;"))
  expect(words).not.toContain("GPTBot")
  const lines = (await viewer.get(`${page}.csv`)).text.trimEnd().split("\r\n").slice(1).map((row) => row.split(","))
  const sum = (signal: string) =>
    lines.filter(([one]) => one === signal).reduce((total, [, , , , count]) => total + Number(count), 0)
  expect([sum("referrer"), sum("tag"), sum("crawler")]).toEqual([5, 3, 0])
  const pages = (await viewer.get(`${page}/pages.csv`)).text
  expect(pages).toContain("referrer,/shop,3\r\n")
})

it("crawlers are shown on request, for the days in the address", async () => {
  const words = wordsOf((await viewer.get(`${page}?crawlers=1&from=2026-03-03`)).text)
  expect(words).toContain("Crawlers page fetches, not visits 1 fetch")
  expect(words).toContain("Referrer signals 2 requests")
  expect((await viewer.get(`${page}.csv?crawlers=1&from=2026-03-05`)).text.trimEnd().split("\r\n")).toHaveLength(3)
  expect(wordsOf((await viewer.get(`${page}?from=2030-01-01`)).text)).toContain(
    "No AI traffic in this period"
  )
})

it("a form with empty fields redirects to an address without them, and an invalid day is refused", async () => {
  const answer = await viewer.get(`${page}?from=2026-03-03&to=&crawlers=`)
  expect([answer.status, answer.headers["location"]]).toEqual([303, `${page}?from=2026-03-03`])
  for (const query of ["from=yesterday", "to=2026-02-30", "from=2026-03-01T00:00:00Z"]) {
    expect((await viewer.get(`${page}?${query}`)).status, query).toBe(400)
  }
  expect((await viewer.get(`${page}?from=2026-03-05&to=2026-03-01`)).status).toBe(422)
})

it("on the Free plan, the page and its CSV begin with the plan's history", async () => {
  const free = await server.run(Effect.tap(seedOrganization({ plan: "free" }), ({ id }) => importLog(id)))
  const somebody = await server.signIn(free.id, "viewer")
  const path = `${await server.run(pathOf(free.id))}/traffic`
  expect(wordsOf((await somebody.get(path)).text)).toContain("No AI traffic in this period")
  for (const csv of [".csv", ".csv?from=2026-03-01", ".csv?to=2026-03-01", "/pages.csv"]) {
    expect((await somebody.get(`${path}${csv}`)).text.trimEnd().split("\r\n"), csv).toHaveLength(1)
  }
})

const sendFile = (somebody: TestBrowser, path: string, file: Uint8Array | string) =>
  uploadForm(somebody, path, "log", file, "access.log")

describe("an uploaded log", () => {
  let member: TestBrowser
  let own: OrganizationId
  let path: `/o/${string}/traffic`
  beforeAll(async () => {
    own = (await server.run(seedOrganization())).id
    path = `${await server.run(pathOf(own))}/traffic`
    member = await server.signIn(own, "member")
  })

  it("an uploaded log is counted as by the command, and only once however often it is sent", async () => {
    const first = await sendFile(member, path, log)
    expect(first.status).toBe(200)
    expect(wordsOf(first.text)).toContain("9 lines read. Referrer signals: 5, 5 of them new")
    expect(wordsOf((await sendFile(member, path, log)).text)).toContain(
      "Referrer signals: 5, 0 of them new Tag-only visits: 3, 0"
    )
    const counted = await server.run(readAiTraffic(own, wholeHistory, { crawlers: true }))
    const byCommand = await server.run(readAiTraffic(organizationId, wholeHistory, { crawlers: true }))
    expect({ ...counted, sourceVersions: [] }).toEqual({ ...byCommand, sourceVersions: [] })
  })

  it.each([
    ["packed", gzipSync(log), 422, "Decompress it"],
    ["empty", "", 422, "No file was chosen"],
    ["in no known form", "what is this?\n".repeat(9), 422, "Nothing was counted"],
    ["larger than it may be", Buffer.concat([Buffer.from(log), Buffer.alloc(65 * 2 ** 20, "x")]), 413, "64 MB"]
  ])("an upload that is %s is refused with an explanation", async (_, file, status, words) => {
    const answer = await sendFile(member, path, file)
    expect([answer.status, wordsOf(answer.text)]).toEqual([status, expect.stringContaining(words)])
  })

  it("a log can be uploaded only by members, and only from this site", async () => {
    const somebody = await server.signIn(own, "viewer")
    expect((await sendFile(somebody, path, log)).status).toBe(403)
    expect(wordsOf((await somebody.get(path)).text)).not.toContain("Import a log")
    const foreign = await member.ask(path, {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=x", "sec-fetch-site": "cross-site" },
      body: "--x--"
    })
    expect(foreign.status).toBe(403)
  })

  it("an upload without a file is refused", async () => {
    expect((await member.post(path, { log: "x" })).status).toBe(400)
  })
})
