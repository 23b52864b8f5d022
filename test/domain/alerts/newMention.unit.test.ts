/** Whether a mention is new to its cell. */
import { classifyNovelty } from "@sov/core"
import { describe, expect, it } from "vitest"

/** Earlier answers, the newest first: `b` names the brand. */
const earlier = (answers: string) => [...answers].map((answer) => answer === "b")

describe("an answer that names the brand", () => {
  it.each([
    ["", "baseline"],
    [".", "first"],
    ["......", "first"],
    ["b", "known"],
    ["....b", "known"],
    [".....b", "new"],
    [".......b.b", "new"]
  ])("an answer that names the brand after the answers %j is %s", (answers, expected) => {
    expect(classifyNovelty(earlier(answers))).toBe(expected)
  })
})
