// Only in `npm run test:all`: four processes; cli/sameNumbers shows the same in one
/**
 * The command, REST, the tool server and the pages, each in a process of its own on one database, say the same numbers.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Called, message } from "../support/mcpServer.ts"
import { startReceiver } from "../support/Receiver.ts"
import { type Running, sov, sovJson, startSov, until } from "../support/sov.ts"

interface Bounds {
  readonly low: number
  readonly high: number
}

/** What of `sov score --json` the other ways say, too. */
interface Score {
  readonly scan_id: string
  readonly avg_sov: number
  readonly platform_breakdown: Readonly<Record<string, number>>
  readonly interval: Bounds
  readonly platforms: ReadonlyArray<{ readonly platform: string; readonly sov: number; readonly interval: Bounds }>
  readonly competitors: ReadonlyArray<{ readonly name: string; readonly sov: number; readonly interval: Bounds }>
  readonly nobody: number
  readonly trend: { readonly delta: number; readonly direction: string; readonly n_cells: number }
  readonly results_count: number
  readonly failed_count: number
}

interface Answers {
  readonly data: ReadonlyArray<{
    readonly id: string
    readonly brand_mentioned: boolean
    readonly mention_count: number
    readonly sentiment: string | null
    readonly sov_score: number
  }>
}

/** What of `sov scan show --json` the other ways say, too. */
interface Scan {
  readonly scan_id: string
  readonly avg_sov: number
  readonly results_count: number
  readonly failed_count: number
  readonly interval: Bounds
}

const database = ["--data-dir", "demo"]
/** Webhooks go to loopback. */
const env = { SOV_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8", SOV_WEBHOOK_ALLOW_HTTP: "1" }
const cwd = mkdtempSync(join(tmpdir(), "sov-same-numbers-"))

let score: Score
let scan: Scan
let archived: Answers["data"]
let rest: (path: string) => Promise<unknown>
let tool: (name: string, args?: object) => Promise<NonNullable<Called["structuredContent"]>>
/** What a tool says beside its numbers. */
let toolText: (name: string) => Promise<string>
/** A page or a CSV, as its text; `/o` stands for the organization's own path. */
let page: (path: string) => Promise<string>
let server: Running

const wordsOf = (text: string) =>
  text.replace(/^[^]*<main[^>]*>/, "").replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ")

/** The lines of a CSV (RFC 4180) by its heads. */
const linesOf = (csv: string): ReadonlyArray<Readonly<Record<string, string>>> => {
  const lines: Array<Array<string>> = [[]]
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    lines.at(-1)!.push(quoted?.replaceAll("\"\"", "\"") ?? plain!)
    if (end !== ",") lines.push([])
  }
  const [header, ...rows] = lines.slice(0, -1)
  return rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [header![i]!, cell])))
}
const boundsOf = (line: Readonly<Record<string, string>> | undefined) => ({
  low: Number(line?.["interval_low"]),
  high: Number(line?.["interval_high"])
})

const serve = async () => {
  const running = startSov(cwd, ["dashboard", ...database], { env: { ...env, SOV_PORT: "0", SOV_NO_BROWSER: "1" } })
  let text = ""
  running.child.stdout!.on("data", (chunk: string) => text += chunk)
  await until(() => text.includes("\n") || running.child.exitCode !== null, 60_000, `a link; ${running.errors()}`)
  return { running, link: text.trim() }
}

beforeAll(async () => {
  const demo = await sov(cwd, ["demo", "--weeks", "1", ...database], { env: { SOV_PORT: "1" } })
  expect(demo.code).toBe(0)
  const { key } = await sovJson<{ key: string }>(cwd, ["key", "create", "--name", "numbers", ...database])
  score = await sovJson<Score>(cwd, ["score", ...database])
  archived = (await sovJson<Answers>(cwd, ["archive", "list", "--limit", "50", ...database])).data
  scan = await sovJson<Scan>(cwd, ["scan", "show", "latest", ...database])

  const { link, running } = await serve()
  server = running
  const { origin } = new URL(link)
  rest = async (path) =>
    (await fetch(`${origin}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })).json()
  const call = async (name: string, args: object) => {
    const { body, headers } = message("tools/call", { name, arguments: args })
    const answer = await fetch(`${origin}/api/mcp`, {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${key}` },
      body: JSON.stringify(body)
    })
    return ((await answer.json()) as { readonly result: Called }).result
  }
  tool = async (name, args = {}) => (await call(name, args)).structuredContent
  toolText = async (name) => (await call(name, {})).content.map((one) => JSON.stringify(one)).join("")
  const signedIn = await fetch(link, { method: "POST", redirect: "manual", headers: { origin, accept: "text/html" } })
  const cookie = signedIn.headers.getSetCookie().map((one) => one.split(";")[0]).join("; ")
  const home = await fetch(`${origin}/`, { headers: { cookie, accept: "text/html" } })
  page = async (path) => {
    const answer = await fetch(`${origin}${path.replace(/^\/o\b/, new URL(home.url).pathname)}`, {
      headers: { cookie, accept: "text/html" }
    })
    expect([path, answer.status]).toEqual([path, 200])
    return answer.text()
  }
})

afterAll(async () => {
  server.child.kill("SIGTERM")
  await server
  rmSync(cwd, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
})

describe("the headline", () => {
  it("the headline has the same share, interval and breakdown by platform everywhere", async () => {
    const overview = linesOf(await page("/o/overview.csv"))
    const { high, low } = score.interval
    expect(await rest("/sov")).toMatchObject({ avg_sov: score.avg_sov, platform_breakdown: score.platform_breakdown })
    expect(await tool("get_visibility_summary")).toMatchObject({
      avg_sov: score.avg_sov,
      platform_breakdown: score.platform_breakdown,
      interval_95: score.interval
    })
    const [, share, from, to] = /(\d+) % 95 % interval (\d+)–(\d+) %/.exec(wordsOf(await page("/o")))!
    expect(Number(share)).toBe(score.avg_sov)
    // Whole percents of numbers that the others round to a tenth
    expect(Math.abs(Number(from) - low)).toBeLessThanOrEqual(0.55)
    expect(Math.abs(Number(to) - high)).toBeLessThanOrEqual(0.55)
    const brand = overview.find(({ kind }) => kind === "brand")
    expect([Math.round(Number(brand?.["sov"])), boundsOf(brand), brand?.["scan_id"]])
      .toEqual([score.avg_sov, score.interval, score.scan_id])
    const platforms = overview.filter(({ kind }) => kind === "platform")
    expect(platforms.map((line) => ({ platform: line["id"], sov: Number(line["sov"]), interval: boundsOf(line) })))
      .toEqual(score.platforms.map(({ interval, platform, sov }) => ({ platform, sov, interval })))
  })

  it("the change has the same size and the same verdict on noise everywhere", async () => {
    const { delta, direction, n_cells } = score.trend
    expect((await tool("get_visibility_summary")).trend).toMatchObject({ delta, direction, n_cells })
    const sign = delta === 0 ? "" : delta > 0 ? "+" : "−"
    const noise = direction === "flat" ? "within noise" : "more than noise"
    const [, points, words] = /(\S+) points since .*? (within noise|more than noise)/.exec(wordsOf(await page("/o")))!
    expect([points, words]).toEqual([`${sign}${Math.abs(delta).toFixed(1)}`, noise])
    const [line] = linesOf(await page("/portfolio.csv"))
    expect([Number(line?.["delta"]), line?.["direction"]]).toEqual([delta, direction])
  })
})

describe("named brands", () => {
  it("named brands have the same shares and intervals on the overview and among the competitors", async () => {
    const [overview, competitors] = [linesOf(await page("/o/overview.csv")), linesOf(await page("/o/competitors.csv"))]
    for (const lines of [overview, competitors]) {
      const named = lines.filter(({ kind }) => kind === "competitor")
      expect(new Map(named.map((line) => [line["name"], [Number(line["sov"]), boundsOf(line)]]))).toEqual(
        new Map(score.competitors.map(({ interval, name, sov }) => [name, [sov, interval]]))
      )
      expect(Number(lines.find(({ kind }) => kind === "nobody")?.["sov"])).toBe(score.nobody)
    }
  })
})

describe("the newest scan", () => {
  it("the newest scan has the same share and counts as its line in the list", async () => {
    const counts = { avg_sov: scan.avg_sov, results_count: scan.results_count, failed_count: scan.failed_count }
    expect(score).toMatchObject(counts)
    expect(scan.scan_id).toBe(score.scan_id)
    const { scans } = await rest("/scans") as { readonly scans: ReadonlyArray<{ readonly id: string }> }
    expect(scans[0]!.id).toBe(scan.scan_id)
    const said = await tool("get_scan_results")
    expect(said.scan.id).toBe(scan.scan_id)
    const measured = new Map(
      linesOf(await page(`/o/scans/${scan.scan_id}/results.csv`)).map((
        line
      ) => [line["answer_id"], Number(line["sov_score"])])
    )
    expect(measured.size).toBe(scan.results_count)
    expect(said.results.length).toBeGreaterThan(5)
    for (const { archive_id, sov_score } of said.results) {
      expect([archive_id, measured.get(archive_id)]).toEqual([archive_id, sov_score])
    }
    const [line] = linesOf(await page("/o/scans.csv"))
    expect([line?.["scan_id"], Number(line?.["avg_sov"]), Number(line?.["answered"]), Number(line?.["failed"])])
      .toEqual([scan.scan_id, scan.avg_sov, scan.results_count, scan.failed_count])
    expect(boundsOf(line)).toEqual(scan.interval)
    expect(wordsOf(await page(`/o/scans/${scan.scan_id}`))).toContain(`${scan.avg_sov} %`)
  })
})

describe("an answer", () => {
  it("an answer has the same measurement in lists and on its page", async () => {
    const measured = ({ brand_mentioned, id, mention_count, sentiment, sov_score }: Answers["data"][number]) => ({
      id,
      brand_mentioned,
      mention_count,
      sentiment,
      sov_score
    })
    const expected = archived.map(measured)
    expect(expected).toHaveLength(50)
    expect(new Set(expected.map(({ sov_score }) => sov_score)).size).toBeGreaterThan(3)
    expect(((await rest("/archive?limit=50")) as Answers).data.map(measured)).toEqual(expected)
    // An answer of the tool server ends by its size
    const said = ((await tool("get_answer_archive", { limit: 50 })) as Answers).data.map(measured)
    expect(said.length).toBeGreaterThan(10)
    expect(said).toEqual(expected.slice(0, said.length))
    const lines = linesOf(await page("/o/answers.csv")).slice(0, 50)
    expect(lines.map((line) => ({
      id: line["id"],
      brand_mentioned: line["brand_mentioned"] === "true",
      mention_count: Number(line["mention_count"]),
      sentiment: line["sentiment"] === "" ? null : line["sentiment"],
      sov_score: Number(line["sov_score"])
    }))).toEqual(expected)
    const named = expected.find(({ mention_count }) => mention_count > 1)!
    const one = await page(`/o/answers/${named.id}`)
    expect(one.match(/<mark class="mine">/g)).toHaveLength(named.mention_count)
    expect(wordsOf(one)).toContain(`${named.sov_score.toFixed(1)} %`)
  })
})

describe("a question", () => {
  it("a question has the same share on its page as in the overview's table, and its trend ends there", async () => {
    const overview = linesOf(await page("/o/overview.csv")).filter(({ kind }) => kind === "keyword")
    const keywords = linesOf(await page("/o/keywords.csv")).filter(({ branded }) => branded === "false")
    expect(new Map(keywords.map(({ id, sov }) => [id, sov]))).toEqual(new Map(overview.map(({ id, sov }) => [id, sov])))
    expect(keywords.length).toBeGreaterThan(3)
    for (const { id, sov } of keywords) {
      const course = linesOf(await page(`/o/keywords/${id}.csv`)).filter(({ platform }) => platform === "all")
      expect(course.at(-1)?.["sov"]).toBe(sov)
    }
  })
})

/** Last, since it is the newest scan from then on. */
describe("a scan of two keywords", () => {
  const few = 2
  const printed = (...args: ReadonlyArray<string>) => async () => (await sov(cwd, [...args, ...database])).stdout
  const said = (...args: ReadonlyArray<string>) => () => sovJson<unknown>(cwd, [...args, ...database])
  let tracked: number
  let narrowed: string
  /** Pages say questions, commands and files keywords. */
  const narrowing = () => new RegExp(`${few} of ${tracked} (keywords|questions)`)

  beforeAll(async () => {
    const keywords = await sovJson<ReadonlyArray<{ readonly id: string }>>(cwd, ["keyword", "list", ...database])
    tracked = keywords.length
    for (const { id } of keywords.slice(0, few)) await sovJson(cwd, ["keyword", "tag", id, "few", ...database])
  })

  it("a scan of two keywords is marked in the webhooks of its completion, for programs and for chats", async () => {
    const receiver = await startReceiver()
    for (const format of ["json", "slack", "discord", "teams"]) {
      await sovJson(cwd, ["webhook", "add", `${receiver.url}/${format}`, "--format", format, ...database], env)
    }
    narrowed = (await sovJson<Scan>(cwd, ["scan", "--tag", "few", ...database], env)).scan_id
    await until(() => receiver.received.length >= 4, 60_000, "the webhooks")
    for (const { body, path } of receiver.received) {
      const text = body.toString("utf8")
      if (path.endsWith("/json")) {
        expect(JSON.parse(text)).toMatchObject({ data: { asked: { keywords: few, tracked_keywords: tracked } } })
      } else expect([path, text]).toEqual([path, expect.stringContaining(`${few} of ${tracked} keywords`)])
    }
  })

  it.each<readonly [string, () => Promise<string>]>([
    ["sov status", printed("status")],
    ["sov score", printed("score")],
    ["sov score --tag", printed("score", "--tag", "few")],
    ["sov score --by tag", printed("score", "--by", "tag")],
    ["sov scan list", printed("scan", "list")],
    ["sov scan list -o csv", printed("scan", "list", "-o", "csv")],
    ["sov scan show", printed("scan", "show", "latest")],
    ["sov scan compare", () => printed("scan", "compare", score.scan_id, narrowed)()],
    ["the tool of a scan", () => toolText("get_scan_results")],
    ["the overview", () => page("/o")],
    ["the scans", () => page("/o/scans")],
    ["the scan", () => page(`/o/scans/${narrowed}`)],
    ["its answers", () => page(`/o/answers?scan_id=${narrowed}`)],
    ["two scans", () => page(`/o/scans/compare?before=${score.scan_id}&after=${narrowed}`)],
    ["scans.csv", () => page("/o/scans.csv")],
    ["results.csv", () => page(`/o/scans/${narrowed}/results.csv`)]
  ])("the narrowed scan is marked for people: %s", async (_, read) => {
    expect(await read()).toMatch(narrowing())
  })

  it.each<readonly [string, () => Promise<string>]>([
    ["sov score -o csv", printed("score", "-o", "csv")],
    ["sov scan compare", printed("scan", "compare", "previous", "latest")],
    // An alert of the narrowed scan may stand among the week's, marked as one
    ["sov digest preview", async () => (await printed("digest", "preview")()).replaceAll(/^Alert:.*$/gm, "")],
    ["the tool of the headline", () => toolText("get_visibility_summary")],
    ["the competitors", () => page("/o/competitors")],
    ["competitors.csv", () => page("/o/competitors.csv")],
    ["the organizations", () => page("/portfolio")],
    ["the report", () => page("/o/report.html")],
    ["sources", () => page("/o/sources")],
    ["sources by page", () => page("/o/sources/pages")],
    ["gaps", () => page("/o/sources/gaps")],
    ["searches", () => page("/o/sources/searches")],
    ["overview.csv", () => page("/o/overview.csv")],
    ["portfolio.csv", () => page("/portfolio.csv")],
    ["sources.csv", () => page("/o/sources.csv?all=1")],
    ["pages.csv", () => page("/o/sources/pages.csv?all=1")]
  ])("people see the last scan that asked everything: %s", async (_, read) => {
    expect(await read()).not.toMatch(narrowing())
  })

  it.each<readonly [string, () => Promise<unknown>]>([
    ["sov score", said("score")],
    ["GET /sov", () => rest("/sov")],
    ["the tool of the headline", () => tool("get_visibility_summary")]
  ])("programs get the last scan that asked everything: %s", async (_, read) => {
    expect(await read()).toMatchObject({
      scan_id: score.scan_id,
      asked: { keywords: tracked, tracked_keywords: tracked }
    })
  })

  it.each<readonly [string, () => Promise<unknown>, (asked: object) => unknown]>([
    ["sov status", said("status"), (asked) => ({ organizations: [{ last_scan: { asked } }] })],
    ["sov scan list", said("scan", "list", "--limit", "1"), (asked) => ({ scans: [{ asked }] })],
    ["sov scan show", said("scan", "show", "latest"), (asked) => ({ asked })],
    ["sov scan compare", () => said("scan", "compare", score.scan_id, narrowed)(), (asked) => ({ after: { asked } })],
    ["GET /scans", () => rest("/scans?limit=1"), (asked) => ({ scans: [{ asked }] })],
    ["the tool of a scan", () => tool("get_scan_results", { limit: 1 }), (asked) => ({ scan: { asked } })]
  ])("the narrowed scan is marked for programs: %s", async (_, read, shape) => {
    expect(await read()).toMatchObject(shape({ keywords: few, tracked_keywords: tracked }) as object)
  })
})
