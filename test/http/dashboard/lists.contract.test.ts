/** Lists over HTTP: each can be sorted by a column and searched, with links and forms that need no script. */
import {
  ActionStore,
  addCompetitor,
  annotate,
  consoleIdentity,
  createApiKey,
  createShareLink,
  eventNames,
  EventOutbox,
  type OrganizationId,
  type OutboundEvent,
  PersonStore
} from "@sov/core"
import { at, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { maxSortedReads, readRows } from "../../../packages/http/src/dashboard/handlers/listView.ts"
import { chatMessage, scanCompleted, seedEndpoint } from "../../contracts/webhookSeeds.ts"
import { drop, named, seedWithRules } from "../../support/alertRules.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestBrowser, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { sealPlan } from "../../support/experiments.ts"
import { oneHome } from "../../support/homes.ts"
import { seedMember } from "../../support/people.ts"

let server: TestDashboard
let organizationId: OrganizationId
let home: `/o/${string}`
let viewer: TestBrowser

const hostile = `"><script>alert(1)</script>'; drop table answer; -- %_\\`

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
  organizationId = await server.run(seed)
  await server.run(scanWith(organizationId, 0, (n) => n === 0 ? "Acme Forge is the best." : "Globex, or Initech."))
  for (let n = 0; n < 10; n++) {
    await server.run(addCompetitor(organizationId, { name: `Rival ${9 - n}`, aliases: [], domains: [] }))
  }
  home = await server.run(pathOf(organizationId))
  viewer = await server.signIn(organizationId, "viewer")
})
afterAll(() => server.close())

/** The texts of the row heads of the page's widest list. */
const rowsOf = async (path: string): Promise<ReadonlyArray<string>> => {
  const { status, text } = await viewer.get(`${home}${path}` as `/${string}`)
  expect(status, path).toBe(200)
  const table = text.split("<table").find((part) => part.includes("aria-sort") || part.includes("sort=")) ?? ""
  return [...table.matchAll(/<th scope="row"[^>]*>(.*?)<\/th>/gs)].map(([, head]) => wordsOf(head!))
}

/** Sorted in the alphabetical order that English readers expect. */
const sorted = (rows: ReadonlyArray<string>) => rows.toSorted((a, b) => a.localeCompare(b, "en"))

it.each(
  [
    ["/keywords", "question"],
    ["/competitors", "name"]
  ] as const
)(
  "the list %s can be sorted by %s in both directions, and a heading links to the other direction",
  async (path, key) => {
    // Names that are not tracked come last in every order
    const named = async (sort: string) =>
      (await rowsOf(`${path}?sort=${sort}`)).filter((row) => row !== "No tracked brand")
    const up = await named(key)
    expect(up.length).toBeGreaterThan(4)
    expect(up).toEqual(sorted(up))
    expect(await named(`-${key}`)).toEqual(up.toReversed())
    const { text } = await viewer.get(`${home}${path}?sort=${key}`)
    expect(text).toContain(`sort=-${key}`)
    expect(text).toContain(`aria-sort="ascending"`)
  }
)

it("questions and names are sorted by share, with unknown shares last", async () => {
  expect((await rowsOf("/keywords?sort=-share"))[0]).toBe((await rowsOf("/keywords?sort=share")).at(-1))
  const names = await rowsOf("/competitors")
  expect(names.at(-1)).toBe("No tracked brand")
  expect((await rowsOf("/competitors?sort=share")).at(-1)).toBe("No tracked brand")
})

it("a search shows the rows that contain its words, and keeps the order", async () => {
  expect(await rowsOf("/competitors?q=rival&sort=name")).toEqual(
    Array.from({ length: 10 }, (_, n) => `Rival ${n} not measured yet`)
  )
  expect(await rowsOf("/competitors?q=GLOBEX")).toEqual(["Globex"])
})

/** Rows of lists that a handful of rows shows: links, endpoints, deliveries, experiments, annotations and decisions. */
const fillLists = Effect.fnUntraced(function*(id: OrganizationId) {
  const names = ["Lens", "edge", "Zinc", ...Array.from({ length: 8 }, (_, n) => `row ${n}`)]
  for (const [n, name] of names.entries()) {
    yield* createShareLink(id, { name, from: null, to: null, withAnswers: false, days: 1 + (n * 7) % 11 })
    yield* annotate(id, { day: `2026-01-${String(28 - n)}`, text: name })
    yield* seedEndpoint(id, {
      url: `https://hooks.example/${name}`,
      createdAt: at((n * 7) % 11),
      disabledReason: n === 1 ? "operator" : null
    })
    yield* (yield* ActionStore).mark(id, {
      id: n.toString(16).padStart(12, "a"),
      rule: "rival_leads",
      title: name,
      state: n === 2 ? "dismissed" : "done",
      until: null,
      markedAt: at((n * 7) % 11)
    })
  }
  const { id: endpointId } = yield* seedEndpoint(id, { url: "https://deliveries.example/", events: [...eventNames] })
  for (const [n, event] of (["scan.completed", "archive.anchored", "scan.failed"] as const).entries()) {
    yield* (yield* EventOutbox).put(id, { ...yield* scanCompleted(at(n)), event } as OutboundEvent, chatMessage)
  }
  return endpointId
})

/** An organization whose scans raised alerts, with keys and members, and an owner of it. */
const openBusy = async () => {
  const id = await server.run(seedWithRules(drop, { rule: "new_mention", enabled: true }))
  for (const [seconds, count] of [[100, 8], [200, 2], [300, 12], [400, 1]] as const) {
    await server.run(scanWith(id, seconds, named(count), { scanType: seconds === 300 ? "scheduled" : "manual" }))
  }
  for (const name of ["Looker", "agent", "Zapier", ...Array.from({ length: 8 }, (_, n) => `key ${n}`)]) {
    await server.run(createApiKey(id, name))
    await server.run(seedMember(id, name === "agent" ? "owner" : "viewer", { name }))
  }
  const endpointId = await server.run(fillLists(id))
  for (const [name, until] of [["Lens", "2999-02-28"], ["edge", "2999-03-28"], ["Zinc", "2999-01-31"]] as const) {
    await server.run(sealPlan(id, { name, change: "pages", from: "2999-01-01", until }))
  }
  const owner = await server.signIn(id)
  await server.run(
    Effect.flatMap(PersonStore, (people) => people.addIdentity(owner.person.id, consoleIdentity, new Date()))
  )
  for (const [n, name] of ["Zeta", "alpha", "Midway", ...Array.from({ length: 9 }, (_, n) => `org ${n}`)].entries()) {
    const { id: other } = await server.run(seedOrganization({ name, plan: n === 1 ? "starter" : "pro" }))
    await server.run(Effect.flatMap(PersonStore, (people) => people.addMember(other, owner.person.id, "owner", at(n))))
  }
  return { path: await server.run(pathOf(id)), owner, endpointId }
}
let busy: ReturnType<typeof openBusy> | undefined

/** The address of a list; `/-` begins one that belongs to no organization. */
const addressOf = ({ endpointId, path: home }: { readonly path: string; readonly endpointId: string }, path: string) =>
  path.startsWith("/-") ? path.slice(2) : `${home}${path.replace("{endpoint}", endpointId)}`

/** The values of a column of the page's first list that sorts: times as such, else the words. */
const readColumn = async (path: string, column: number): Promise<ReadonlyArray<string>> => {
  const { owner, ...found } = await (busy ??= openBusy())
  const { status, text } = await owner.get(addressOf(found, path))
  expect(status, path).toBe(200)
  const table = text.split("<table").find((part) => part.includes("sort=")) ?? ""
  return table.split("<tr").slice(2).map((row) => {
    const cell = [...row.matchAll(/<t[hd](?: [^>]*)?>(.*?)(?:<br>.*?)?<\/t[hd]>/gs)][column]![1]!
    return /datetime="([^"]+)"/.exec(cell)?.[1] ?? wordsOf(cell)
  })
}

it.each(
  [
    ["/scans", "started", 0],
    ["/scans", "state", 1],
    ["/scans", "share", 2],
    ["/scans", "type", 3],
    ["/alerts", "when", 0],
    ["/alerts", "alert", 1],
    ["/settings/audit", "when", 0],
    ["/settings/audit", "who", 1],
    ["/settings/audit", "action", 2],
    ["/settings/members", "name", 0],
    ["/settings/api", "name", 0],
    ["/settings/api", "created", 4],
    ["/settings/shares", "name", 0],
    ["/settings/webhooks", "url", 0],
    ["/settings/webhooks", "state", 1],
    ["/settings/webhooks/{endpoint}", "when", 0],
    ["/settings/webhooks/{endpoint}", "event", 1],
    ["/experiments", "name", 0],
    ["/annotations", "text", 1],
    ["/actions", "action", 0],
    ["/actions", "decision", 1],
    ["/-/organizations", "name", 0],
    ["/-/organizations", "plan", 1],
    ["/-/portfolio", "name", 0]
  ] as const
)("the list %s can be sorted by %s in both directions", async (path, key, column) => {
  const up = await readColumn(`${path}?sort=${key}`, column)
  expect(up.length).toBeGreaterThan(2)
  // "8 %" before "12 %"
  expect(up).toEqual(up.toSorted((a, b) => a.localeCompare(b, "en", { numeric: key === "share" })))
  expect(await readColumn(`${path}?sort=-${key}`, column)).toEqual(up.toReversed())
})

it.each(
  [
    ["/scans", "SCHEDULED", 3, ["scheduled"]],
    ["/alerts", "fell to", 1, ["SOV Drop"]],
    ["/settings/audit", "looker", 2, ["key.created"]],
    ["/settings/members", "zap", 0, ["Zapier"]],
    ["/settings/api", "AGENT", 0, ["agent"]],
    ["/settings/shares", "len", 0, ["Lens"]],
    ["/settings/webhooks", "disabled", 1, ["disabled"]],
    ["/settings/webhooks/{endpoint}", "anchored", 1, ["archive.anchored"]],
    ["/experiments", "EDGE", 0, ["edge"]],
    ["/annotations", "2026-01-26", 1, ["Zinc"]],
    ["/actions", "not for", 1, ["Not for us"]],
    ["/-/organizations", "starter", 1, ["starter"]],
    ["/-/portfolio", "midway", 0, ["Midway"]]
  ] as const
)("a search in the list %s for %s finds only the rows with these words", async (path, q, column, found) => {
  const rows = await readColumn(`${path}?q=${encodeURIComponent(q)}`, column)
  expect(new Set(rows.map((row) => found.find((one) => row.startsWith(one)) ?? row))).toEqual(new Set(found))
  expect(rows.length).toBeLessThan((await readColumn(path, column)).length)
  const { owner, ...at } = await busy!
  expect((await owner.get(`${addressOf(at, path)}?q=nothing+has+this`)).text).toMatch(
    /No (?:matching|alerts|entries|deliveries)/
  )
})

it.each([
  "/scans",
  "/alerts",
  "/settings/audit",
  "/settings/members",
  "/settings/api",
  "/settings/shares",
  "/settings/webhooks",
  "/settings/webhooks/{endpoint}",
  "/experiments",
  "/annotations",
  "/actions",
  "/-/organizations",
  "/-/portfolio"
])(
  "the list %s shows a hostile search as text, keeps it in its form and order, and refuses an unknown order",
  async (path) => {
    const { owner, ...found } = await (busy ??= openBusy())
    const at = addressOf(found, path)
    const { status, text } = await owner.get(`${at}?q=${encodeURIComponent(hostile)}`)
    expect([status, text.includes("<script>alert")]).toEqual([200, false])
    expect(text).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;")
    for (const bad of ["sort=secret", "page=0", "page=x"]) {
      expect((await owner.get(`${at}?${bad}`)).status, bad).toBe(400)
    }
  }
)

it("sorting a list with cursors reads a limited number of pages, and returns the cursor of the rest", async () => {
  const reads: Array<string | undefined> = []
  const read = (cursor: string | undefined) =>
    Effect.sync(() => ({ rows: [reads.push(cursor)], nextCursor: String(reads.length) }))
  const { nextCursor, rows } = await Effect.runPromise(readRows(read))
  expect(rows).toEqual(Array.from({ length: maxSortedReads }, (_, n) => n + 1))
  expect([reads.slice(0, 3), nextCursor]).toEqual([[undefined, "1", "2"], String(maxSortedReads)])
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

it("the page of a platform or competitor shows the overview's share, and its questions link to answers", async () => {
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

it("each explained word opens with its own button, and /glossary lists all words", async () => {
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
