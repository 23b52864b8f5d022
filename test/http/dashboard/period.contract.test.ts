/** The period of a page: its answers pooled, the period that it is compared with, and how it is kept in the address. */
import {
  earlierPeriod,
  endingAt,
  groupIntoCells,
  keywordInterval,
  MeasurementStore,
  type OrganizationId,
  readMeasuredVoice,
  readPeriodReport,
  type Scan,
  scoreRow,
  wholeHistory
} from "@sov/core"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { scanWith, seed } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestBrowser, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { serverHomeOrAll } from "../../support/homes.ts"

const platforms = ["assistant_a", "assistant_b", "assistant_c", "assistant_d"] as const
const dayMs = 86_400_000

describe.each(serverHomeOrAll)("periods on %s", (home) => {
  let server: TestDashboard
  let id: OrganizationId
  let path: string
  let owner: TestBrowser
  let old: Scan
  let first: Scan
  let second: Scan
  const now = () => new Date(Date.now() + server.clock.ms)
  /** Adds a scan this many days before today. */
  const scan = (daysAgo: number, text: (keyword: number) => string, fields: Partial<Scan> = {}) =>
    server.run(scanWith(id, 0, text, { platforms, startedAt: new Date(now().getTime() - daysAgo * dayMs), ...fields }))

  beforeAll(async () => {
    server = await openDashboard(home)
    id = await server.run(seed)
    path = await server.run(pathOf(id))
    owner = await server.signIn(id)
    old = await scan(40, () => "Globex.")
    first = await scan(20, () => "Acme Forge.")
    second = await scan(2, (keyword) => keyword < 3 ? "Acme Forge." : "Globex.")
  })
  afterAll(() => server.close())

  it("a period combines the answers of all its scans, with an interval by question", async () => {
    const period = endingAt(now(), "4w")
    const periods = { period, against: earlierPeriod(period, "before") }
    const report = await server.run(readPeriodReport(id, wholeHistory, periods, null))
    const rows = (await server.run(
      Effect.flatMap(MeasurementStore, (store) => store.rowsOfScans(id, [first.id, second.id], report.score))
    ))!.rows
    expect(report.score.avgSov).toBeCloseTo(75)
    expect(report.score.uncertainty!.interval).toEqual(keywordInterval(groupIntoCells(rows), scoreRow))
    expect(report.period).toMatchObject({ scans: 2, leftOut: 0, earlierScans: 1 })
    expect(report.movements.comparison).toMatchObject({ before: { id: old.id }, trend: { before: 0, after: 75 } })
    const words = wordsOf((await owner.get(`${path}?period=4w`)).text)
    expect(words).toContain("2 scans together")
    expect(words).toContain("75 %")
    expect(report.period.mentionRate.value).toBeCloseTo(75)
    // Of a period with one scan, it is that of the scan
    const one = { from: second.startedAt, to: second.startedAt }
    const alone = await server.run(readPeriodReport(id, wholeHistory, { period: one, against: null }, null))
    const { columns } = await server.run(readMeasuredVoice(id, { scan: alone.scan, score: alone.score }))
    expect(columns.find(({ definition }) => definition === "mention_rate")!.shares[0]).toEqual(alone.period.mentionRate)
    expect(words.slice(words.indexOf("Rank"))).toMatch(/1 of 3 tracked brands, by share Mention rate 75 % \d+–\d+/)
    expect(words).toContain("Named first is counted for the latest scan only.")
    expect(words).toMatch(/▲ \+75\.0 points against \d+ \w+ 2026 – \d+ \w+ 2026/)
    expect(wordsOf((await owner.get(`${path}?period=4w&against=year`)).text)).toContain("no scan to compare with")
    expect(wordsOf((await owner.get(path)).text)).toContain("50 %")
  })

  it("a period with real scans ignores simulated ones", async () => {
    const simulated = await scan(1.5, () => "Acme Forge.", { simulated: true })
    const newest = await scan(1, () => "Globex.")
    const period = { from: simulated.startedAt, to: newest.startedAt }
    const report = await server.run(readPeriodReport(id, wholeHistory, { period, against: null }, null))
    expect([report.score.avgSov, report.period.scans, report.period.leftOut]).toEqual([0, 1, 1])
  })

  it("a period counts failed questions, and questions without an overview, in all its scans", async () => {
    const answer = (keyword: number) => keyword < 2 ? null : "Acme Forge."
    const startedAt = (daysAgo: number) => new Date(now().getTime() - daysAgo * dayMs)
    const begin = await server.run(scanWith(id, 0, answer, { startedAt: startedAt(0.5) }))
    const end = await server.run(scanWith(id, 0, answer, { startedAt: startedAt(0.4), failure: "no_overview" }))
    const period = { from: begin.startedAt, to: end.startedAt }
    const { score } = await server.run(readPeriodReport(id, wholeHistory, { period, against: null }, null))
    expect(score).toMatchObject({ failedCount: 4, noOverviewCount: 4 })
  })

  it("a period whose scan has no answer shows no rate or share of the earlier period", async () => {
    const other = await server.run(seed)
    const scanAt = (seconds: number, answer: string | null) =>
      server.run(scanWith(other, seconds, () => answer, { failure: "no_overview" }))
    const [begin, empty] = [await scanAt(0, "Acme Forge."), await scanAt(100, null)]
    const only = (one: Scan) => ({ from: one.startedAt, to: one.startedAt })
    for (const against of [only(begin), null]) {
      const periods = { period: only(empty), against }
      const { movements, period, score } = await server.run(readPeriodReport(other, wholeHistory, periods, null))
      expect([score.avgSov, period.mentionRate, movements.keywordShares]).toEqual([
        null,
        { value: null, interval: null },
        []
      ])
      expect(movements.comparison?.trend ?? null).toBeNull()
    }
  })

  it("a period shows nothing that the plan hides", async () => {
    const period = { from: old.startedAt, to: now() }
    const window = { since: new Date(second.startedAt.getTime() - 1) }
    const report = await server.run(readPeriodReport(id, window, { period, against: period }, null))
    expect(report.examined.map((one) => one.scan.id)).not.toContain(first.id)
    expect(
      (await server.run(Effect.flip(
        readPeriodReport(id, { since: now() }, { period, against: null }, null)
      )))._tag
    ).toBe("NoCompletedScan")
  })

  it("a period stays in the addresses of menu, filters, tables and CSV", async () => {
    const query = "period=quarter&against=year"
    const text = (await owner.get(`${path}?${query}`)).text
    for (const page of ["/keywords", "/competitors", "/sources"]) {
      expect(text).toContain(`href="${path}${page}?${query.replace("&", "&amp;")}"`)
      const other = await owner.get(`${path}${page}?${query}`)
      expect(other.status, page).toBe(200)
      expect(other.text, page).toMatch(/\.csv\?[^"]*period=quarter/)
    }
    const csv = (await owner.get(`${path}/overview.csv?period=quarter`)).text.split("\r\n")
    expect(csv[0]).toMatch(/,asked,period_from,period_to,scans$/)
    expect((await owner.get(`${path}/overview.csv`)).text.split("\r\n")[0]).toMatch(/,asked$/)
    expect(wordsOf((await owner.get(`${path}/keywords?period=quarter`)).text)).toMatch(/\d scans of the period/)
  })

  it("the report of a period begins with its newest scan, and its link says so", async () => {
    const day = (one: Scan) => one.startedAt.toISOString().slice(0, 10)
    const query = `period=own&from=${day(first)}&to=${day(first)}`
    const page = await owner.get(`${path}?${query}&against=year`)
    expect(wordsOf(page.text)).toContain("Download report of its latest scan")
    const link = /href="([^"]+report\.html[^"]*)"/.exec(page.text)![1]!.replaceAll("&amp;", "&")
    expect(link).toBe(`${path}/report.html?${query}`)
    const report = await owner.get(link)
    expect(report.text).toContain(`"scan_id":"${first.id}"`)
    expect(report.text).not.toContain(second.id)
    expect((await owner.get(`${path}/report.html?period=own&from=2020-01-01&to=2020-02-01`)).status).toBe(404)
  })

  it("days that are not accepted stay in the form, and unknown names of periods are refused", async () => {
    const text = (await owner.get(`${path}?period=own&from=2026-11-20&to=2026-11-01`)).text
    expect(wordsOf(text)).toContain("The first day is after the last day. The latest scan is shown.")
    expect(text).toContain("value=\"2026-11-20\"")
    expect(text).toContain("value=\"2026-11-01\"")
    expect(/href="([^"]+report\.html[^"]*)"/.exec(text)![1]).toBe(`${path}/report.html`)
    // Without a name of a period, days are own days
    expect(wordsOf((await owner.get(`${path}?from=2026-13-01`)).text)).toContain(
      "Enter both days as YYYY-MM-DD. The latest scan is shown."
    )
    const hostile = encodeURIComponent("\"><i>x")
    expect((await owner.get(`${path}?period=own&from=${hostile}&to=`)).text).not.toContain("<i>x")
    for (const bad of ["period=week", "period=4w&against=x"]) {
      expect((await owner.get(`${path}?${bad}`)).status).toBe(400)
    }
    const empty = await owner.get(`${path}?period=own&from=2020-01-01&to=2020-02-01`)
    expect(wordsOf(empty.text)).toContain("No scan in this period")
    for (const page of ["/competitors", "/sources", "/keywords"]) {
      expect((await owner.get(`${path}${page}?period=own&from=2020-01-01&to=2020-02-01`)).status, page).toBe(200)
    }
  })
  it.each([
    "report.html",
    "overview.csv",
    "keywords.csv",
    "competitors.csv",
    "sources.csv",
    "sources/pages.csv",
    "sources/gaps.csv",
    "sources/searches.csv"
  ])("%s is refused for days that are not accepted, and a page that shows them links to the latest", async (file) => {
    const both = "Enter both days as YYYY-MM-DD."
    for (
      const [days, words] of [
        ["period=own&from=2026-11-20&to=2026-11-01", "The first day is after the last day."],
        ["from=2026-11-20&to=2026-11-01", "The first day is after the last day."],
        ["period=own&from=x&to=2026-11-01", both],
        ["from=2026-13-01", both],
        ["to=2026-11-01", both],
        ["period=own", both]
      ] as const
    ) {
      const { status, text } = await owner.get(`${path}/${file}?${days}`)
      expect([status, wordsOf(text).includes(words)], days).toEqual([400, true])
    }
    expect((await owner.get(`${path}/${file}?from=2026-01-01&to=2099-12-31`)).status).toBe(200)
    const page = file.replace(/^(report|overview)\.\w+$/, "").replace(".csv", "")
    const { text } = await owner.get(`${path}/${page}?from=2026-13-01&to=2026-13-02`.replace("/?", "?") as `/${string}`)
    expect(text).toContain("value=\"2026-13-01\"")
    const link = [...text.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!).find((href) =>
      href.includes(`/${file}`)
    )
    expect(link?.replaceAll("&amp;", "&")).toMatch(/^[^?]+(\?(?!.*(from|period)=).*)?$/)
  })
})
