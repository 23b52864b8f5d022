/** Where a platform's series breaks, and what is left to compare. */
import { findBreaks, findCommonCells, groupIntoCells, listOrigins, type Origin, type PlatformId } from "@sov/core"
import { describe, expect, it } from "vitest"
import { row } from "./support.ts"

const origin = (model: string | null, answers = 10, search: Origin["search"] = "offered"): Origin => ({
  platform: "assistant_a",
  model,
  search,
  answers
})

/** With what was sent of the reader; undefined is unknown. */
const sent = (market: object | null | undefined): Origin => ({
  ...origin("a"),
  sent: market === undefined ? null : JSON.stringify(market)
})

describe("a platform's series", () => {
  it.each<readonly [string, ReadonlyArray<Origin>, ReadonlyArray<Origin>, object | null]>([
    ["the same model", [origin("a-1")], [origin("a-1", 3)], null],
    ["another model", [origin("a-1")], [origin("a-2")], { reason: "model", before: "a-1", after: "a-2" }],
    ["another snapshot", [origin("a-2026-01-01")], [origin("a-2026-06-01")], { reason: "model" }],
    ["a change within a scan", [origin("a")], [origin("a", 5), origin("b", 5)], { before: "a", after: "a and b" }],
    ["the rest of it", [origin("a", 5), origin("b", 5)], [origin("b")], { before: "a and b", after: "b" }],
    ["other parts of the same models", [origin("a", 48), origin("b", 12)], [origin("a", 12), origin("b", 48)], {
      before: "a (80 %) and b (20 %)",
      after: "a (20 %) and b (80 %)"
    }],
    ["a part that varies by chance", [origin("a")], [origin("a", 7), origin("b", 3)], null],
    ["a stray answer of another model", [origin("a", 19)], [origin("a", 19), origin("b", 1)], null],
    ["search was switched off", [origin("a")], [origin("a", 10, "off")], {
      reason: "search",
      before: "offered",
      after: "off"
    }],
    ["model and search", [origin("a")], [origin("b", 10, "off")], { reason: "model" }],
    ["an unknown model", [origin(null)], [origin("b")], null],
    ["an unknown search mode", [origin("a", 10, null)], [origin("a")], null],
    ["another engine", [sent(null)], [sent({ search_engine: "exa" })], {
      reason: "engine",
      before: "the provider's own",
      after: "exa"
    }],
    ["another market", [sent({ country: "DE" })], [sent({ country: "AT", language: "de" })], {
      reason: "market",
      before: "DE",
      after: "AT, de"
    }],
    ["another persona", [sent({ persona: "1" })], [sent({ persona: "2" })], { reason: "persona" }],
    ["an unknown market", [sent(undefined)], [sent({ country: "DE" })], null],
    ["no answer before", [], [origin("a")], null],
    ["a name that turns the reading direction", [origin("a")], [origin("\u202Eb\n")], { before: "a", after: "b" }]
  ])("the breaks of a series are correct for this change: %s", (_, before, after, expected) => {
    expect(findBreaks(before, after)).toMatchObject(expected === null ? [] : [{ platform: "assistant_a", ...expected }])
  })

  it("answers of one origin are counted together, and an unknown part is an origin of its own", () => {
    const answers = [
      origin("a"),
      origin("b"),
      origin("a"),
      origin(null),
      origin("a", 10, null),
      sent(null),
      sent(undefined)
    ]
    const rows = answers.map(({ model, platform, search, sent = null }) => ({
      platform,
      origin: { model, search, sent }
    }))
    expect(listOrigins([...rows, { platform: "assistant_a" as PlatformId }])).toMatchObject([
      { ...origin("a"), answers: 3 },
      { ...origin("b"), answers: 1 },
      { ...origin(null), answers: 1 },
      { ...origin("a", 10, null), answers: 1 },
      { ...sent(null), answers: 1 }
    ])
  })

  it("if requests are split between two models, a series breaks by chance in less than one of a hundred pairs of scans", () => {
    const chances = (n: number, p: number): ReadonlyArray<number> => {
      const all = [(1 - p) ** n]
      for (let k = 1; k <= n; k++) all.push(all[k - 1]! * (n - k + 1) / k * p / (1 - p))
      return all
    }
    const mixed = (n: number, b: number) => [origin("a", n - b), origin("b", b)].filter(({ answers }) => answers > 0)
    for (const n of [10, 20, 60]) {
      for (const part of [0.02, 0.05, 0.1, 0.2, 0.5]) {
        const own = chances(n, part)
        let broken = 0
        for (let b = 0; b <= n; b++) {
          for (let c = 0; c < b; c++) {
            if (findBreaks(mixed(n, b), mixed(n, c)).length > 0) broken += 2 * own[b]! * own[c]!
          }
        }
        expect(broken, `${n} answers, ${part} of them of another model`).toBeLessThan(0.01)
      }
      // What half of the requests come to is seen in most scans, and what all come to in every one
      const half = chances(n, 0.5).reduce((sum, own, b) => sum + (findBreaks(mixed(n, 0), mixed(n, b)).length * own), 0)
      expect(half).toBeGreaterThan(0.6)
      expect(findBreaks(mixed(n, 0), mixed(n, n))).toHaveLength(1)
    }
  })

  it("only the platform with a break is not compared", () => {
    const scan = (model: string) =>
      groupIntoCells(
        (["assistant_a", "assistant_b"] satisfies ReadonlyArray<PlatformId>).flatMap((platform) =>
          [1, 2, 3].map((n) => ({
            ...row(n, "b", platform),
            origin: { model: platform === "assistant_b" ? model : "same", search: null }
          }))
        )
      )
    const { breaks, cells, of } = findCommonCells(scan("old"), scan("new"))
    expect(breaks).toEqual([{ platform: "assistant_b", reason: "model", before: "old", after: "new" }])
    expect(cells.map(({ after }) => after.platform)).toEqual(["assistant_a", "assistant_a", "assistant_a"])
    expect(of).toBe(6)
    expect(cells.map(({ weight }) => weight)).toEqual([1 / 3, 1 / 3, 1 / 3])
  })
})
