/** REST, the tool server, the command and the overview say the same of one database: each number is formed once. */
import {
  createApiKey,
  readAnswerDetail,
  readArchive,
  readCompetitors,
  readOverview,
  readScanDetail,
  readScoreReport,
  roundHalfUp,
  wholeHistory
} from "@sov/core"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { scoreJson } from "../../packages/cli/src/commands/score/scoreReport.ts"
import { summaryOf } from "../../packages/cli/src/render/scanReport.ts"
import { scanWith, seed } from "../support/completedScans.ts"
import { oneHome } from "../support/homes.ts"
import { openMcp, type TestMcp } from "../support/mcpServer.ts"

let mcp: TestMcp
beforeAll(async () => {
  mcp = await openMcp(oneHome[0]!)
})
afterAll(() => mcp.close())

const before = () => "Acme Forge, Globex and Initech."
/** Shares that are no short decimals, a failure, and an answer that names nobody. */
const after = (keyword: number, platform: string) =>
  keyword === 0
    ? "Acme Forge."
    : keyword === 1
    ? "Acme Forge and Globex."
    : keyword === 2 && platform === "assistant_b"
    ? null
    : keyword === 3
    ? "Nobody stands out."
    : before()

const one = (value: number | null) => value === null ? null : roundHalfUp(value, 1)
const bounds = (interval: { readonly low: number; readonly high: number } | null) =>
  interval === null ? null : { low: roundHalfUp(interval.low, 1), high: roundHalfUp(interval.high, 1) }

it("the command, the page, REST and MCP return the same share of voice, interval, trend and breakdown", async () => {
  const { id, key, report, scan, standing } = await mcp.run(Effect.gen(function*() {
    const id = yield* seed
    yield* scanWith(id, 100, before)
    const scan = yield* scanWith(id, 200, after)
    const { secret } = yield* createApiKey(id, "numbers")
    const { standing } = yield* readOverview(id, wholeHistory, 12, null)
    return { id, key: secret, scan, standing: standing!, report: yield* readScoreReport(id, wholeHistory, 12, null) }
  }))
  const command = scoreJson(report)
  const rest = (await mcp.ask("/api/v1/sov", { key })).json as Record<string, unknown>
  const { structuredContent: tool } = await mcp.call(key, "get_visibility_summary")
  const { comparison } = standing.report.movements
  const brand = standing.named[0]!

  const share = roundHalfUp(brand.sov!, 0)
  expect([rest["avg_sov"], tool.avg_sov, command.avg_sov]).toEqual([share, share, share])
  const breakdown = Object.fromEntries(standing.platforms.map(({ platform, sov }) => [platform, one(sov)]))
  expect(Object.values(breakdown).some((value) => value !== null && value % 1 !== 0)).toBe(true)
  for (const said of [rest["platform_breakdown"], tool.platform_breakdown, command.platform_breakdown]) {
    expect(said).toEqual(breakdown)
  }
  expect(brand.interval).not.toBe(null)
  expect([tool.interval_95, command.interval]).toEqual([bounds(brand.interval), bounds(brand.interval)])
  const delta = roundHalfUp(comparison!.trend!.delta, 1)
  expect(delta).not.toBe(0)
  for (const said of [tool.trend, command.trend]) {
    expect(said).toMatchObject({ delta, direction: comparison!.trend!.direction, n_cells: comparison!.nCells })
  }
  expect(standing.platforms.map(({ failed }) => failed)).toEqual(command.platforms.map((of) => of.failed_count))
  expect([tool.failed_count, command.failed_count]).toEqual([1, 1])

  const others = standing.named.filter(({ who }) => who === "competitor")
  expect(new Map(command.competitors.map((of) => [of.id, [of.sov, of.interval]]))).toEqual(
    new Map(others.map((of) => [of.id, [one(of.sov), bounds(of.interval)]]))
  )
  expect(command.nobody).toBe(one(standing.named.at(-1)!.sov))
  expect((await mcp.run(readCompetitors(id, wholeHistory, 12))).named).toEqual(standing.named)

  const scans = (await mcp.ask("/api/v1/scans", { key })).json as {
    readonly scans: ReadonlyArray<{ readonly id: string }>
  }
  expect(scans.scans[0]!.id).toBe(scan.id)
  const detail = await mcp.run(readScanDetail(id, wholeHistory, scan.id))
  expect(summaryOf(detail)).toMatchObject({ avg_sov: share, platform_breakdown: breakdown, failed_count: 1 })
})

it("all ways return the same measurement of an answer", async () => {
  const { details, key } = await mcp.run(Effect.gen(function*() {
    const id = yield* seed
    yield* scanWith(id, 200, after)
    const { rows } = yield* readArchive(id, wholeHistory, {}, { limit: 50 })
    const details = yield* Effect.forEach(rows, (row) => readAnswerDetail(id, wholeHistory, row.id))
    return { details, key: (yield* createApiKey(id, "answers")).secret }
  }))
  const rest = (await mcp.ask("/api/v1/archive", { key })).json as { readonly data: ReadonlyArray<object> }
  const { structuredContent } = await mcp.call(key, "get_answer_archive", { limit: 50 })
  const expected = details.map(({ row }) => ({
    id: row.id,
    brand_mentioned: row.brandMentioned,
    mention_count: row.mentionCount,
    mention_position: row.mentionPosition,
    sentiment: row.sentiment,
    sov_score: roundHalfUp(row.sovScore!, 2)
  }))
  expect(expected).toHaveLength(11)
  expect(rest.data).toMatchObject(expected)
  expect(structuredContent.data).toMatchObject(expected)
  // What is marked in the text is what was counted
  for (const { measured, row } of details) {
    expect(measured!.mentions.filter(({ who }) => who === "brand")).toHaveLength(row.mentionCount!)
  }
})
