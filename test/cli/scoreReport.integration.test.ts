/**
 * What `sov score` and `sov scan plan` say of scans that asked only a part, of branded questions, and of what stands
 * beside the number.
 */
import {
  AnswerPlatforms,
  ArchiveStore,
  completeScan,
  type ConfiguredPlatform,
  type FailedCell,
  formatAsked,
  type KeywordId,
  KeywordStore,
  type OrganizationId,
  planPanel,
  type PlatformId,
  readScoreReport,
  type Scan,
  wholeHistory
} from "@sov/core"
import { addScan, answerTo, at, keywords, measurementOf } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { planJson, planText } from "../../packages/cli/src/commands/scan/planReport.ts"
import { scoreJson, scoreText } from "../../packages/cli/src/commands/score/scoreReport.ts"
import { describeError } from "../../packages/cli/src/describeError.ts"
import { comparisonText, movedText } from "../../packages/cli/src/render/changeReport.ts"
import { failureLines } from "../../packages/cli/src/render/scanReport.ts"
import { scanWith, seed } from "../support/completedScans.ts"
import { oneHome } from "../support/homes.ts"
import { openStorage } from "../support/storage.ts"

const storage = openStorage(oneHome[0]!)
afterAll(storage.close)

const canvas = { width: 200, blocks: true, style: (_: string, text: string) => text }
const config: ReadonlyArray<ConfiguredPlatform> = [
  { id: "assistant_a", simulated: false },
  { id: "assistant_b", simulated: false },
  { id: "assistant_c", simulated: false },
  { id: "assistant_d", simulated: true }
]

const shown = Effect.fnUntraced(function*(id: OrganizationId, of: typeof config | null = config) {
  const report = yield* readScoreReport(id, wholeHistory, 12, of)
  return { report, text: scoreText(report, canvas), json: scoreJson(report) }
})

/** A completed scan of some keywords on some platforms; all name the brand. */
const part = Effect.fnUntraced(function*(
  id: OrganizationId,
  seconds: number,
  count: number,
  fields: { readonly platforms: ReadonlyArray<PlatformId> } & Partial<Scan>
) {
  const asked = (yield* (yield* KeywordStore).list(id, ["active"])).slice(0, count)
  const { cells, scan } = yield* addScan(id, asked, { startedAt: at(seconds), ...fields })
  for (const cell of cells) {
    const answer = yield* answerTo(cell, { rawResponse: "Acme Forge." })
    yield* (yield* ArchiveStore).archive(id, answer, measurementOf(answer))
  }
  yield* completeScan(id, scan.id)
})

/** What a plan of a change of ten points says. */
const planned = Effect.fnUntraced(function*(id: OrganizationId) {
  const platforms = { all: new Map(), digest: "" }
  const plan = yield* Effect.provideService(planPanel(id, wholeHistory, 10), AnswerPlatforms, platforms)
  return { plan, text: planText(plan, canvas), json: planJson(plan) }
})

describe("sov scan plan", () => {
  it("a plan with fewer than 20 cells promises nothing, and states how many cells are missing", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const { platforms } = yield* scanWith(id, 100, () => "Acme Forge.")
      const few = yield* planned(id)
      expect(few.text).toMatch(
        /^With 6 keywords × 2 platforms × 1 sample \(12 cells\) nothing is promised: 8 more cells are needed to tell a change from noise\.\n/
      )
      expect(few.json).toMatchObject({ detectable_change: null, missing_cells: 8, panel: { cells: 12 } })
      expect(few.json).not.toHaveProperty("simulated")
      for (const { keywords } of few.json.target.options) expect(keywords * platforms.length).toBeGreaterThanOrEqual(20)

      yield* (yield* KeywordStore).add(id, yield* keywords(Array.from({ length: 4 }, (_, n) => `which anvil ${n}?`)))
      yield* scanWith(id, 200, () => "Acme Forge.", { simulated: true })
      const enough = yield* planned(id)
      expect(enough.text).toMatch(
        /^SIMULATED: With 10 keywords × 2 platforms × 1 sample \(20 cells\) you see a change of [\d.]+ points with 80 % power, once there are four scans before it\./
      )
      expect(enough.text).toContain("\nPanels that show a change of 10 points · SIMULATED:\n")
      expect(enough.json).toMatchObject({ simulated: true, missing_cells: 0, detectable_change: expect.any(Number) })
    })))

  it("the plan uses the newest scan that asked everything, or says which part was asked", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const two = ["assistant_a", "assistant_b"] as const
      const askable = { keywords: 6, platforms: 2 }
      yield* part(id, 100, 3, { platforms: two, askable })
      const alone = yield* planned(id)
      expect(alone.text).toContain(
        "\nIt rests on a part of the questions: no scan asked all, and the newest asked only 3 of 6 keywords.\n"
      )
      expect(alone.json.asked).toMatchObject({ keywords: 3, tracked_keywords: 6 })

      yield* part(id, 200, 6, { platforms: two, askable })
      const whole = yield* planned(id)
      expect(whole.text).not.toContain("rests on")
      yield* part(id, 300, 2, { platforms: two, askable })
      const after = yield* planned(id)
      expect(after.text).toContain(
        `\nThe newest scan asked only 2 of 6 keywords, so this rests on the scan of ${
          at(200).toISOString().slice(0, 10)
        }.\n`
      )
      expect(after.json).toEqual(whole.json)
      expect(after.json).not.toHaveProperty("asked")
      expect(after.plan.newer?.startedAt).toEqual(at(300))
    })))
})

describe("sov score", () => {
  it("scans without a score are reported differently from an organization without scans", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const failure = Effect.map(Effect.flip(readScoreReport(id, wholeHistory, 12, null)), describeError)
      expect(yield* failure).toMatchObject({ code: "no-completed-scan", exitCode: 3, hint: "sov scan runs one" })
      yield* addScan(id, [], { status: "completed", completedAt: at(9), cellCount: 1 })
      const found = { code: "no-score", exitCode: 3, hint: expect.stringContaining("sov rescore") }
      expect(yield* failure).toMatchObject(found)
    })))

  it("no line crosses a platform's break, and the trend of the other platforms names the break", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      for (const [i, market] of [null, null, { country: "DE", language: null }].entries()) {
        const answer = (_: number, platform: string) => i > 1 && platform === "assistant_a" ? "Globex." : "Acme Forge."
        yield* scanWith(id, 100 * (i + 1), answer, { market })
      }
      const { json, text } = yield* shown(id, config.slice(0, 2))
      expect(text).toMatch(/ all platforms .* {3}▅\n/)
      expect(text).toMatch(/ assistant_a .* {3}▁\n/)
      expect(text).toMatch(/ assistant_b .* ███\n/)
      expect(text).not.toContain("trend over")
      expect(json).toMatchObject({
        next_scan: null,
        trend: { breaks: [{ platform: "assistant_a", reason: "market", before: "none", after: "DE" }] }
      })
    })))

  it("the report says how much a scan asked, and draws a line only through comparable scans", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const two: ReadonlyArray<PlatformId> = ["assistant_a", "assistant_b"]
      yield* scanWith(id, 100, () => "Acme Forge and Globex.")
      yield* scanWith(id, 200, () => "Acme Forge.")
      const full = yield* shown(id, config.slice(0, 2))
      expect(full.text).toMatch(
        /^Acme Forge: share of voice 100 %.*\nAPI answers, web search on, market not recorded\.\n {2}all platforms/
      )
      expect(full.text).toContain("trend over 2 scans")
      expect(full.json.asked).toEqual({ platforms: 2, configured_platforms: 2, keywords: 6, tracked_keywords: 6 })

      const third = yield* shown(id)
      expect(third.text).toMatch(
        /^Acme.*\nAPI answers, .*\nIts scan asked only 2 of 3 configured platforms\.\n {2}2 of 3 configured platforms /
      )
      yield* part(id, 300, 2, { platforms: ["assistant_c"] })
      const few = yield* shown(id)
      expect(few.text).toContain("\nIts scan asked only 1 of 3 configured platforms and 2 of 6 keywords.\n  1 of 3")
      expect(few.text).toContain(
        "0 of 12 cells (keyword × platform) were answered in both scans; 6 are needed to compare them."
      )
      expect(few.text).not.toMatch(/trend over|▇|all platforms/)
      expect(few.json).toMatchObject({
        trend: null,
        asked: { platforms: 1, configured_platforms: 3, keywords: 2, tracked_keywords: 6 }
      })
      // Where no configuration is at hand
      const alone = yield* shown(id, null)
      expect(alone.text).toContain("\nIts scan asked only 2 of 6 keywords.\n  1 platform ")
      expect(alone.json.asked.configured_platforms).toBe(null)

      const madeUp = yield* shown(id, [{ id: "assistant_a", simulated: true }])
      expect(madeUp.json.asked).toEqual({ platforms: 1, configured_platforms: null, keywords: 2, tracked_keywords: 6 })

      yield* part(id, 400, 6, { platforms: two })
      expect((yield* shown(id)).text).toContain("trend over 3 scans")
      yield* part(id, 500, 6, { platforms: two, simulated: true })
      expect((yield* shown(id)).text).toContain("SIMULATED: Its scan asked only 0 of 1 configured platform.")
    })))

  it("the report counts the answers behind the mention rate", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      yield* scanWith(id, 100, (keyword) => keyword < 2 ? "Acme Forge." : "Globex.")
      expect((yield* shown(id)).text).toContain(
        "12 answers, 4 name Acme Forge, 0 failed · named in 4 of 12 (33 %; 95 % 14–61, these questions again) · scan of"
      )
      yield* (yield* KeywordStore).add(id, yield* keywords(["is Acme Forge good?"]))
      yield* scanWith(id, 200, (keyword) => keyword < 2 ? "Acme Forge." : "Globex.")
      const { json, text } = yield* shown(id)
      expect(text).toContain(
        "14 answers, 6 name Acme Forge, 0 failed · named in 4 of the 12 answers to questions that do not name " +
          "Acme Forge (33 %; 95 % 14–61, these questions again) · scan of"
      )
      expect(json).toMatchObject({
        results_count: 14,
        mentioned_count: 6,
        mention_rate: { rate: 33.3, mentioned_count: 4, results_count: 12 }
      })
    })))

  it.each([
    [1, 6, 0, "The 1 platform and 6 keywords are within noise."],
    [2, 6, 0, "All 2 platforms and 6 keywords are within noise."],
    [2, 6, 1, "The other 2 platforms and 5 keywords are within noise."],
    [1, 1, 1, "The other 1 platform is within noise."],
    [0, 1, 1, undefined]
  ])(
    "the noise of %d platforms and %d keywords, of which %d moved, is described in words as: %s",
    (platforms, keywords, moved, text) => {
      const change = { before: 0, after: 0, delta: 0, nCells: 6 }
      const scan = { startedAt: at(1), simulated: false } as Scan
      const lines = movedText(
        {
          before: scan,
          after: scan,
          nCells: 6,
          ofCells: 6,
          breaks: [],
          trend: { ...change, z: 0, direction: "flat" },
          platforms: Array.from(
            { length: platforms },
            () => ({ ...change, id: "assistant_a" as const, beyondNoise: false })
          ),
          keywords: Array.from({ length: keywords }, (_, n) => ({
            ...change,
            id: `${n}` as KeywordId,
            beyondNoise: n < moved
          })),
          competitors: [],
          nobody: null,
          measureVersion: 1,
          trackedSetVersion: 1
        },
        new Map(),
        canvas
      )
      expect(lines.find((line) => line.includes("platform"))).toBe(text)
    }
  )

  it("competitors are marked only beyond the noise of all competitors, and the brand by its own direction", () => {
    const scan = { startedAt: at(1), simulated: false } as Scan
    const up = { before: 10, after: 20, delta: 10, nCells: 6, z: 1.7, direction: "up" } as const
    const text = comparisonText(
      {
        before: scan,
        after: scan,
        nCells: 6,
        ofCells: 6,
        breaks: [],
        trend: up,
        platforms: [],
        keywords: [],
        competitors: [true, false].map((beyondNoise, n) => ({ id: `c${n}` as never, trend: { ...up, beyondNoise } })),
        nobody: { ...up, beyondNoise: false },
        measureVersion: 1,
        trackedSetVersion: 1,
        trackedSet: { brand: { name: "Acme" }, competitors: [{ id: "c0", name: "Globex" }] } as never,
        keywordTexts: new Map(),
        measuredAgain: []
      },
      canvas
    )
    expect(
      text.match(/(?:Acme|Globex|c1|\(no tracked brand\)) .*(?:MOVED|noise)/g)?.map((line) =>
        line.split(/ {2,}/).toSpliced(1, 3)
      )
    )
      .toEqual([["Acme", "MOVED"], ["Globex", "MOVED"], ["c1", "noise"], ["(no tracked brand)", "noise"]])
  })

  it("the advice also covers platforms of recorded answers", () => {
    const failed = {
      platform: "assistant_a",
      reason: "rejected",
      message: "assistant_a: a.jsonl has no answer to this prompt"
    }
    expect(failureLines([failed as FailedCell])).toEqual([
      "assistant_a: 1 failed, rejected: a.jsonl has no answer to this prompt",
      "  check its entry in sov.config.json: model and baseUrl, or the file of recorded answers"
    ])
  })

  it("an account without credit is reported as such, without its key", () => {
    const failed = { platform: "assistant_a", reason: "no_credit", message: "assistant_a: insufficient_quota" }
    expect(failureLines([failed as FailedCell])[1]).toContain("add credit")
    expect(failureLines([{ ...failed, reason: "auth" } as FailedCell])[1]).toContain("check the API key")
  })

  it.each([
    [{ platforms: 2, configuredPlatforms: 2, keywords: 6, trackedKeywords: 6 }, null],
    [{ platforms: 0, configuredPlatforms: 1, keywords: 6, trackedKeywords: 6 }, "0 of 1 configured platform"],
    [{ platforms: 5, configuredPlatforms: null, keywords: 0, trackedKeywords: 1 }, "0 of 1 keyword"]
  ])("the asked part %j is described as: %s", (asked, text) => expect(formatAsked(asked)).toBe(text))
})
