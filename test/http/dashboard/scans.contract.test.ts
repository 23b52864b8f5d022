/** Scans over HTTP: the list, the page of a scan, its live progress, cancelling a scan and starting one. */
import {
  addView,
  cancelScan,
  CellStore,
  changeToPlan,
  describeBlindAlert,
  estimateScan,
  findBlindAlert,
  listScanRows,
  listScans,
  type OrganizationId,
  readQuota,
  readScanDetail,
  type Scan,
  setAlertRule,
  setPlan,
  wholeHistory
} from "@sov/core"
import { seedAnswers, seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { scanWith, seed, texts } from "../../support/completedScans.ts"
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

describe("the newest scan", () => {
  it("only the newest scan warns if the alert threshold is finer than its questions can resolve", async () => {
    const rule = { rule: "sov_drop", threshold: 40, sensitivity: "immediate" } as const
    await server.run(setAlertRule(organizationId, { ...rule, enabled: true }))
    const blind = (await server.run(findBlindAlert(organizationId, wholeHistory, after.id)))!
    expect(wordsOf((await owner.get(`${home}/scans/${after.id}`)).text)).toContain(
      `${describeBlindAlert(blind)}. sov scan plan --change ${changeToPlan(blind)} shows how many would.`
    )
    expect((await owner.get(`${home}/scans/${before.id}`)).text).not.toContain("The alert threshold")
    await server.run(setAlertRule(organizationId, { ...rule, enabled: false }))
    expect((await owner.get(`${home}/scans/${after.id}`)).text).not.toContain("The alert threshold")
  })
})

describe("the list", () => {
  it("the list and its CSV show the results of the use case", async () => {
    const { rows } = await server.run(listScanRows(organizationId, wholeHistory, {}, { limit: 20 }))
    const page = await owner.get(`${home}/scans`)
    const words = wordsOf(page.text)
    const csv = rowsOf((await owner.get(`${home}/scans.csv`)).text)
    expect(csv.map((row) => row["scan_id"])).toEqual([after.id, before.id])
    for (const [i, { cells, scan, score, spent }] of rows.entries()) {
      expect(page.text).toContain(`href="${home}/scans/${scan.id}"`)
      const { high, low } = score!.uncertainty!.interval!
      expect(words).toContain(
        `completed ${Math.round(score!.avgSov!)} % ${Math.round(low)}–${Math.round(high)} ` +
          `manual 12 answers asked for, 2 platforms ${cells.answered} / ${cells.failed}`
      )
      expect(csv[i]).toMatchObject({
        answered: String(cells.answered),
        failed: String(cells.failed),
        cost_usd: String(spent!.costUsd),
        avg_sov: String(Math.round(score!.avgSov!)),
        simulated: "false"
      })
    }
  })

  it("the list has twenty scans per page, and all of them in its CSV", async () => {
    const { organizationId: id } = await server.run(seedScan())
    for (let i = 0; i < 21; i++) await server.run(scanWith(id, 100 + i, () => null, { platforms: ["assistant_a"] }))
    const { browser, path } = await enter(id)
    const ids = (html: string) => [...html.matchAll(/scans\/([0-9a-f-]{36})"><time/g)].map(([, one]) => one)
    const newest = await browser.get(`${path}/scans`)
    const next = /href="([^"]+)" rel="next"/.exec(newest.text)![1]!
    const older = await browser.get(next)
    const expected = (await server.run(listScans(id, { limit: 50 }))).map((scan) => scan.id)
    expect(expected).toHaveLength(22)
    expect([...ids(newest.text), ...ids(older.text)]).toEqual(expected)
    expect(older.text).toContain(`href="${path}/scans" rel="first"`)
    expect(rowsOf((await browser.get(`${path}/scans.csv`)).text).map((row) => row["scan_id"])).toEqual(expected)
  })

  it("until the first scan, the list names the next step", async () => {
    const { browser, path } = await enter(await server.run(seed))
    expect(wordsOf((await browser.get(`${path}/scans`)).text)).toContain("No scans yet")
    expect(wordsOf((await browser.get(`${path}/scans/compare`)).text)).toContain("You need two completed scans")
  })
})

describe("a scan that has ended", () => {
  it("a scan that has ended shows its share with interval, platforms, failures by reason, cost and seal", async () => {
    const detail = await server.run(readScanDetail(organizationId, wholeHistory, after.id))
    const { interval } = detail.score!.uncertainty!
    const words = wordsOf((await owner.get(`${home}/scans/${after.id}`)).text)
    expect(words).toContain(`Share of voice ${Math.round(detail.score!.avgSov!)} %`)
    expect(words).toContain(`95 % interval ${Math.round(interval!.low)}–${Math.round(interval!.high)} %`)
    const ofPlatform = detail.score!.uncertainty!.platforms.assistant_a!
    expect(words).toContain(
      `Parrot (assistant_a) 100 % ${Math.round(ofPlatform.low)}–${Math.round(ofPlatform.high)} 6 0 0`
    )
    expect(words).toContain("no answer in time: 1 question assistant_b 1 late")
    expect(words).toContain(`Seal ${detail.seals[0]!.sequence}, over 11 answers`)
    expect(words).toContain(Buffer.from(detail.seals[0]!.hash).toString("hex"))
  })

  it("the CSV of a scan that has ended contains each finished question", async () => {
    const rows = rowsOf((await owner.get(`${home}/scans/${after.id}/results.csv`)).text)
    expect(rows).toHaveLength(12)
    expect(rows.filter((row) => row["failure"] !== "")).toEqual([
      expect.objectContaining({ platform: "assistant_b", keyword: texts[5], failure: "timeout", answer_id: "" })
    ])
    expect(rows.filter((row) => row["brand_mentioned"] === "true")).toHaveLength(6)
  })

  it("a failed scan says that it did not count toward the quota", async () => {
    const id = await server.run(seed)
    const failed = await server.run(scanWith(id, 0, () => null, { quotaPeriod: "2026-01" }))
    const { browser, path } = await enter(id)
    const words = wordsOf((await browser.get(`${path}/scans/${failed.id}`)).text)
    expect(words).toContain("no answers received, no quota used")
    expect(words).toContain("no answer in time: 12 questions")
  })

  it("a scan of simulated answers says that they are simulated", async () => {
    const id = await server.run(seed)
    const scan = await server.run(scanWith(id, 0, () => "Acme Forge.", { simulated: true }))
    const { browser, path } = await enter(id)
    for (const page of ["/scans", `/scans/${scan.id}`, "/answers"]) {
      expect(wordsOf((await browser.get(`${path}${page}`)).text), page).toContain("no number here is real")
    }
    expect(rowsOf((await browser.get(`${path}/scans.csv`)).text)[0]).toMatchObject({ simulated: "true", cost_usd: "" })
  })

  it("a scan is not found by other organizations, and only mentioned if it is older than the plan's history", async () => {
    const { browser, path } = await enter(await server.run(seed))
    for (const page of ["", "/events", "/cancel", "/results.csv"]) {
      expect((await browser.get(`${path}/scans/${after.id}${page}`)).status, page).toBe(404)
    }
    expect((await browser.get(`${path}/scans/compare?before=${before.id}&after=${after.id}`)).status).toBe(404)
    await server.run(setPlan(organizationId, "free"))
    try {
      expect(wordsOf((await owner.get(`${home}/scans`)).text)).toContain("All scans are older than your plan shows")
      for (
        const page of [`/${after.id}`, `/${after.id}/results.csv`, `/compare?before=${before.id}&after=${after.id}`]
      ) {
        expect((await owner.get(`${home}/scans${page}`)).status, page).toBe(403)
      }
    } finally {
      await server.run(setPlan(organizationId, "pro"))
    }
  })
})

describe("a scan that runs", () => {
  /** A running scan of four questions: one is answered, one has failed, two are open. */
  const seedRunning = Effect.gen(function*() {
    const seeded = yield* seedScan()
    yield* seedAnswers({ ...seeded, cells: seeded.cells.slice(0, 1) })
    yield* (yield* CellStore).fail(seeded.organizationId, seeded.cells[2]!.id, {
      reason: "throttled",
      message: "slow down",
      excerpt: null,
      status: 429
    })
    return seeded
  })

  it("a running scan shows its progress per platform, and reloads if scripts do not run", async () => {
    const { organizationId: id, scan } = await server.run(seedRunning)
    const { browser, path } = await enter(id)
    const page = await browser.get(`${path}/scans/${scan.id}`)
    expect(page.text).toContain("<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>")
    expect(page.text).toContain(`data-events="${path}/scans/${scan.id}/events"`)
    expect(page.text).toContain("<progress max=\"2\" value=\"1\"")
    const words = wordsOf(page.text)
    expect(words).toContain("1 of 2 · asking")
    expect(words).toContain("0 of 2 · 1 failed · asking")
    expect(words).toContain("No worker is active")
    expect((await owner.get(`${home}/scans/${after.id}`)).text).not.toContain("http-equiv")
  })

  it("a running scan streams the rows that change, and its end", async () => {
    const { cells, organizationId: id, scan } = await server.run(seedRunning)
    const { browser, path } = await enter(id)
    const response = await fetch(`${server.base}${path}/scans/${scan.id}/events`, {
      headers: { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ") }
    })
    expect(response.headers.get("content-type")).toBe("text/event-stream")
    const events: Array<
      { readonly name: string; readonly data: ReadonlyArray<{ readonly id: string; readonly text: string }> }
    > = []
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    const readEvent = async () => {
      const { done, value } = await reader.read()
      for (const [, name, data] of (value ?? "").matchAll(/event: (\w+)\ndata: (.*)\n\n/g)) {
        events.push({ name: name!, data: JSON.parse(data!) })
      }
      return !done
    }
    await readEvent()
    expect(events).toMatchObject([{
      name: "progress",
      data: [{ text: "1 of 2 · asking" }, { text: "0 of 2 · 1 failed · asking" }]
    }])
    await server.run(seedAnswers({ organizationId: id, cells: cells.slice(1, 2) }, 40))
    await readEvent()
    expect(events[1]).toEqual({
      name: "progress",
      data: [{ id: "progress-assistant_a", done: 2, text: "2 of 2 · done" }]
    })
    await server.run(cancelScan(id, scan.id))
    while (await readEvent());
    expect(events.at(-1)!.name).toBe("ended")
    expect(events.filter(({ name }) => name === "ended")).toHaveLength(1)
  })

  it("a running scan is cancelled after a confirmation, which says what is kept and what will not be asked", async () => {
    const { organizationId: id, scan } = await server.run(seedRunning)
    const { browser, path } = await enter(id)
    const asked = await browser.get(`${path}/scans/${scan.id}/cancel`)
    expect(wordsOf(asked.text)).toContain("1 answer stays, 2 questions are not asked.")
    const done = await browser.post(`${path}/scans/${scan.id}/cancel`)
    expect([done.status, done.headers["location"]]).toEqual([303, `${path}/scans/${scan.id}?done=scan-cancelled`])
    const page = wordsOf((await browser.get(done.headers["location"]!)).text)
    expect(page).toContain("Scan cancelled. Its answers are kept.")
    expect(page).toContain("cancelled after")
    expect((await browser.get(`${path}/scans/${scan.id}/cancel`)).status).toBe(409)
    const again = await browser.post(`${path}/scans/${scan.id}/cancel`)
    expect(again.headers["location"]).toContain("done=scan-cancelled")
  })

  it("a running scan has no buttons for viewers", async () => {
    const { organizationId: id, scan } = await server.run(seedRunning)
    const viewer = await enter(id, "viewer")
    const member = await enter(id, "member")
    for (const [page, button] of [["/scans", "Start a scan"], [`/scans/${scan.id}`, "Cancel…"]] as const) {
      expect(wordsOf((await member.browser.get(`${member.path}${page}`)).text), page).toContain(button)
      expect(wordsOf((await viewer.browser.get(`${viewer.path}${page}`)).text), page).not.toContain(button)
    }
  })
})

const hiddenOf = (html: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map((
      [, name, value]
    ) => [name!, value!])
  )

describe("starting a scan", () => {
  it("the page for a new scan shows questions, duration, cost and quota from the use case", async () => {
    const id = await server.run(seed)
    const { browser, path } = await enter(id)
    const estimate = await server.run(estimateScan(id, { samples: 1 }))
    const words = wordsOf((await browser.get(`${path}/scans/new`)).text)
    expect(words).toContain(`Collects ${estimate.questions} answers: 6 questions on 2 platforms`)
    expect(words).toContain(`Duration about ${estimate.seconds} s`)
    expect(words).toContain(`uses 1 of ${estimate.quota.remaining} scans left this month (of ${estimate.quota.limit})`)
    const [keyword] = estimate.keywords
    const chosen = wordsOf((await browser.get(`${path}/scans/new?platform=assistant_b&keyword_id=${keyword!.id}`)).text)
    expect(chosen).toContain("Collects 1 answer: 1 question on 1 platform")
    await server.run(addView(id, { name: "germany", country: "DE", language: null, context: null }))
    const both = wordsOf((await browser.get(`${path}/scans/new`)).text)
    expect(both).toContain(`Collects ${2 * estimate.questions} answers: 6 questions on 2 platforms from 2 views`)
    expect(both).toContain(`uses 2 of ${estimate.quota.remaining} scans left`)
    const form = hiddenOf((await browser.get(`${path}/scans/new?view=germany`)).text)
    expect((await browser.post(`${path}/scans`, form)).status).toBe(303)
    expect((await server.run(listScans(id, { limit: 9 }))).map(({ view }) => view?.name)).toEqual(["germany"])
    expect(wordsOf((await browser.get(`${path}/scans/new?view=nope`)).text)).toContain("There is no view")
  })

  it("the form starts only one scan, however often it is submitted", async () => {
    const id = await server.run(seed)
    const { browser, path } = await enter(id)
    const form = hiddenOf((await browser.get(`${path}/scans/new?platform=assistant_b`)).text)
    const sent = await Promise.all([1, 2, 3].map(() => browser.post(`${path}/scans`, form)))
    const again = await browser.post(`${path}/scans`, form)
    const scans = await server.run(listScans(id, { limit: 9 }))
    expect(scans).toMatchObject([{ status: "running", scanType: "manual", platforms: ["assistant_b"], cellCount: 6 }])
    for (const { headers, status } of [...sent.filter((one) => one.status !== 409), again]) {
      expect([status, headers["location"]]).toEqual([303, `${path}/scans/${scans[0]!.id}?done=scan-started`])
    }
    expect((await server.run(readQuota(id))).used).toBe(1)
    expect((await browser.post(`${path}/scans`, { ...form, platform: "assistant_a" })).status).toBe(409)
    const other = hiddenOf((await browser.get(`${path}/scans/new`)).text)
    expect(other["idempotency_key"]).not.toBe(form["idempotency_key"])
  })

  it("the page says what is missing, what cannot be asked, and when the quota is used up", async () => {
    const { organizationId: id, organization } = await server.run(seedScan())
    const { browser, path } = await enter(id)
    const foreign = (await server.run(estimateScan(organizationId, { samples: 1 }))).keywords[0]!.id
    expect(wordsOf((await browser.get(`${path}/scans/new?keyword_id=${foreign}`)).text))
      .toContain("One of the chosen questions is not active")
    expect(wordsOf((await browser.get(`${path}/scans/new?platform=assistant_e`)).text)).toContain(
      "This scan is not possible"
    )
    expect((await browser.post(`${path}/scans`, { idempotency_key: "x" })).status).toBe(400)
    const limited = await server.run(Effect.as(setPlan(organization.id, "free"), organization.id))
    const { limit } = await server.run(readQuota(limited))
    for (let i = 0; i < limit; i++) {
      const form = hiddenOf((await browser.get(`${path}/scans/new`)).text)
      expect((await browser.post(`${path}/scans`, form)).status).toBe(303)
    }
    const page = await browser.get(`${path}/scans/new`)
    expect(wordsOf(page.text)).toContain(`all ${limit} scans of this month are used`)
    expect(page.text).not.toContain("idempotency_key")
    const late = await browser.post(`${path}/scans`, { idempotency_key: "0".repeat(36) })
    expect([late.status, wordsOf(late.text)]).toEqual([422, expect.stringContaining("The scan cannot start")])
  })
})
