/** Where a platform's series breaks, and what is left to compare. */
import { findBreaks, findCommonCells, groupIntoCells, type Origin, type PlatformId } from "@sov/core"
import { describe, expect, it } from "vitest"
import { row } from "./support.ts"

const origin = (model: string | null, answers = 10, search: Origin["search"] = "offered"): Origin => ({
  platform: "assistant_a",
  model,
  search,
  answers
})

describe("a platform's series", () => {
  it.each<readonly [string, ReadonlyArray<Origin>, ReadonlyArray<Origin>, object | null]>([
    ["the same model", [origin("a-1")], [origin("a-1", 3)], null],
    ["another model", [origin("a-1")], [origin("a-2")], { reason: "model", before: "a-1", after: "a-2" }],
    ["another snapshot", [origin("a-2026-01-01")], [origin("a-2026-06-01")], { reason: "model" }],
    ["a change within a scan", [origin("a")], [origin("a", 6), origin("b", 4)], { before: "a", after: "a and b" }],
    ["a stray answer of another model", [origin("a", 19)], [origin("a", 19), origin("b", 1)], null],
    ["search was switched off", [origin("a")], [origin("a", 10, "off")], {
      reason: "search",
      before: "offered",
      after: "off"
    }],
    ["model and search", [origin("a")], [origin("b", 10, "off")], { reason: "model" }],
    ["an unknown model", [origin(null)], [origin("b")], null],
    ["an unknown search mode", [origin("a", 10, null)], [origin("a")], null],
    ["no answer before", [], [origin("a")], null],
    ["a name that turns the reading direction", [origin("a")], [origin("\u202Eb\n")], { before: "a", after: "b" }]
  ])("%s", (_, before, after, expected) => {
    expect(findBreaks(before, after)).toMatchObject(expected === null ? [] : [{ platform: "assistant_a", ...expected }])
  })

  it("the platform with a break is not compared, and the others are", () => {
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
