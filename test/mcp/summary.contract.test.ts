/** What the summary says about trends, caveats and names, and that it stays short. */
import { ArchiveStore, CellStore, completeScan, createApiKey, KeywordStore, TrackedSetStore } from "@sov/core"
import { addScan, answerTo, at, keywords, type Stores, trackedSet } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { scanWith, seed } from "../support/completedScans.ts"
import { oneHome } from "../support/homes.ts"
import { openMcp, type TestMcp } from "../support/mcpServer.ts"
import { seedReadingScans } from "../support/readingScan.ts"

const timeout = { reason: "timeout", message: "late", excerpt: null, status: null } as const

describe("get_visibility_summary", () => {
  let mcp: TestMcp
  beforeAll(async () => {
    mcp = await openMcp(oneHome[0]!, {
      platforms: [
        { id: "assistant_a", simulated: false },
        { id: "assistant_b", simulated: false },
        { id: "assistant_c", simulated: false },
        { id: "assistant_d", simulated: true }
      ]
    })
  })
  afterAll(() => mcp.close())

  it("the summary contains the funnel of own pages if the platform shows which pages it read, else null", async () => {
    const ask = async (from: Effect.Effect<Effect.Success<typeof seed>, unknown, Stores>) => {
      const id = await mcp.run(Effect.orDie(from))
      const { secret } = await mcp.run(createApiKey(id, "funnel"))
      return (await mcp.call(secret, "get_visibility_summary")).structuredContent.funnel
    }
    const interval_95 = { low: expect.any(Number), high: expect.any(Number) }
    expect(await ask(seedReadingScans([false, true]))).toEqual({
      scans: 1,
      platforms: ["assistant_a"],
      answers: 2,
      interval_about: "other questions like these",
      steps: {
        retrieved: { answers: 2, rate: 100, interval_95 },
        cited: { answers: 1, rate: 50, interval_95 },
        named: { answers: 1, rate: 50, interval_95 },
        named_first: { answers: 1, rate: 50, interval_95 }
      },
      named_only: 1
    })
    expect(await ask(seedReadingScans([false]))).toBeNull()
    expect(await ask(seed)).toBeNull()
  })

  it("the summary shows the trend over the cells that both scans answered, or why it is null", async () => {
    const { id, key } = await mcp.run(Effect.gen(function*() {
      const id = yield* seed
      return { id, key: (yield* createApiKey(id, "trend")).secret }
    }))
    const summary = async () => {
      const { content, structuredContent } = await mcp.call(key, "get_visibility_summary")
      return [structuredContent.trend, content[1]!.text]
    }
    const scan = (seconds: number, answer: Parameters<typeof scanWith>[2]) => mcp.run(scanWith(id, seconds, answer))
    const half = () => "Acme Forge and Globex."
    const full = await scan(100, half)
    expect(await summary()).toEqual([
      null,
      "Share of voice 50 % on 2 platforms. Rank 1 of 3; the first competitor is \"Globex\" with 50 %. API answers, web search on, market not recorded. Its scan asked only 2 of 3 configured platforms. There is no earlier scan to compare with."
    ])
    await scan(200, (keyword) => keyword === 0 ? "Acme Forge." : half())
    expect(await summary()).toEqual([
      {
        previous_scan_id: full.id,
        previous_completed_at: full.completedAt!.toISOString(),
        previous_avg_sov: 50,
        delta: 8.3,
        direction: "flat",
        n_cells: 12,
        of_cells: 12,
        per_platform: [{ platform: "assistant_a", delta: 8.3 }, { platform: "assistant_b", delta: 8.3 }]
      },
      "Share of voice 58 % on 2 platforms. Rank 1 of 3; the first competitor is \"Globex\" with 41.7 %. API answers, web search on, market not recorded. Its scan asked only 2 of 3 configured platforms. Since the scan before: +8.3 points, within noise (12 of 12 cells in both)."
    ])
    // Only this platform has answers, so nothing is known about the others
    const on = (platform: string, text: string) => (_: number, asked: string) => asked === platform ? text : null
    await scan(300, on("assistant_b", "Globex."))
    expect(await summary()).toMatchObject([
      { previous_avg_sov: 58, delta: -58.3, direction: "flat", n_cells: 6, of_cells: 12 },
      expect.stringContaining("-58.3 points, within noise (6 of 12 cells in both).")
    ])
    await scan(400, on("assistant_a", "Acme Forge."))
    expect(await summary()).toEqual([
      expect.objectContaining({ previous_avg_sov: 0, delta: null, direction: null, n_cells: 0, of_cells: 6 }),
      "Share of voice 100 % on 1 platform. Rank 1 of 3; the first competitor is \"Globex\" with 0 %. API answers, web search on, market not recorded. No scored answer from assistant_b. 6 questions failed. Its scan asked only " +
      "2 of 3 configured platforms. Since the scan before: 0 of 6 cells (keyword × platform) were answered " +
      "in both scans; 5 are needed to compare them."
    ])
    for (const [i, model] of ["old", "new"].entries()) await mcp.run(scanWith(id, 500 + i, half, { model }))
    expect(await summary()).toMatchObject([
      { previous_avg_sov: null, delta: null, direction: null, n_cells: 0, of_cells: 12 },
      expect.stringContaining("assistant_a is not compared: model changed from old to new.")
    ])
  })

  it("the summary reports failures, platforms without an answer, and questions that were not asked", async () => {
    const { id, key } = await mcp.run(Effect.gen(function*() {
      const id = yield* seed
      return { id, key: (yield* createApiKey(id, "caveats")).secret }
    }))
    const summary = async () => {
      const { content, structuredContent } = await mcp.call(key, "get_visibility_summary")
      return { ...structuredContent, said: content[1]!.text }
    }
    const half = { assistant_a: "Acme Forge.", assistant_b: "Globex." }
    await mcp.run(
      scanWith(
        id,
        100,
        (keyword, on) =>
          on === "assistant_c" || (on === "assistant_b" && keyword > 1) ? null : half[on as keyof typeof half],
        { platforms: ["assistant_a", "assistant_b", "assistant_c"], cellCount: 18 }
      )
    )
    const [first] = await mcp.run(Effect.flatMap(KeywordStore, (store) => store.list(id, ["active"])))
    expect(await summary()).toMatchObject({
      platforms: [{ platform: "assistant_a", low_coverage: false }, { platform: "assistant_b", low_coverage: true }],
      platforms_without_answer: ["assistant_c"],
      failed_count: 10,
      branded_only: false,
      asked: { platforms: 3, configured_platforms: 3, keywords: 6, tracked_keywords: 6 },
      said:
        "Share of voice 50 % on 2 platforms. Rank 1 of 3; the first competitor is \"Globex\" with 50 %. API answers, web search on, market not recorded. No scored answer from assistant_c. 10 questions failed. " +
        "There is no earlier scan to compare with."
    })
    // Only one of seven keywords was asked, and it names the brand; the keyword paused since counts in neither number
    await mcp.run(Effect.gen(function*() {
      const store = yield* KeywordStore
      const [branded] = yield* store.add(id, yield* keywords(["is Acme Forge any good?"]))
      const { cells, scan } = yield* addScan(id, [first!, branded!], {
        startedAt: at(200),
        platforms: ["assistant_a"],
        cellCount: 2
      })
      for (const cell of cells) {
        if (cell.keywordId === first!.id) yield* (yield* CellStore).fail(id, cell.id, timeout)
        else yield* (yield* ArchiveStore).archive(id, yield* answerTo(cell, { rawResponse: "Acme Forge." }), null)
      }
      yield* completeScan(id, scan.id)
      yield* store.setStatus(id, first!.id, "paused")
    }))
    expect(await summary()).toMatchObject({
      failed_count: 1,
      platforms_without_answer: [],
      branded_only: true,
      asked: { platforms: 1, configured_platforms: 3, keywords: 1, tracked_keywords: 6 },
      said: expect.stringMatching(
        /^Share of voice 100 % on 1 platform\. Rank 1 of 3; the first competitor is "Globex" with 0 %\. API answers, web search on, market not recorded\. 1 question failed\. Only keywords that name the brand have answers, so they were scored\. Its scan asked only 1 of 3 configured platforms and 1 of 6 keywords\. Since/
      )
    })
  })

  it("the summary stays short whatever is tracked, and counts what it leaves out", async () => {
    const key = await mcp.run(Effect.gen(function*() {
      const id = yield* seed
      const sets = yield* TrackedSetStore
      const set = (yield* sets.current(id))!
      const rivals = yield* Effect.forEach(
        Array.from({ length: 150 }),
        (_, n) =>
          Effect.map(trackedSet(), ({ competitors: [one] }) => ({ ...one!, name: `${n} ${"Rival & ".repeat(20)}Sons` }))
      )
      yield* sets.append(id, { ...set, version: 2, competitors: rivals })
      const long = Array.from({ length: 60 }, (_, n) => `which of these, ${n} ${`"quoted ${n}" `.repeat(120)}?`)
      yield* (yield* KeywordStore).add(id, yield* keywords(long))
      yield* scanWith(id, 100, (keyword) => keyword === 0 ? "Acme Forge." : "Nobody.")
      return (yield* createApiKey(id, "short")).secret
    }))
    const { content: [text], structuredContent } = await mcp.call(key, "get_visibility_summary")
    expect(text!.text!.length).toBeLessThan(40_000)
    const { competitors, competitors_not_listed, keywords: shown, keywords_not_listed } = structuredContent
    expect([competitors.length > 10, competitors.length + competitors_not_listed]).toEqual([true, 150])
    expect([shown.length > 3, shown.length + keywords_not_listed]).toEqual([true, 66])
  })
})
