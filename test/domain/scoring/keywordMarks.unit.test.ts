import { type AnswerId, markScans, type ScanId } from "@sov/core"
import { expect, it } from "vitest"

const [first, second, third, fourth] = ["s1", "s2", "s3", "s4"] as ReadonlyArray<string> as ReadonlyArray<ScanId>
const cell = (scanId: ScanId | undefined, said: boolean | null | "failed" | "cancelled", answer = "a") => ({
  scanId: scanId!,
  state: said === "failed" || said === "cancelled" ? said : "answered" as const,
  answerId: typeof said === "string" ? null : answer as AnswerId,
  brandMentioned: typeof said === "string" ? null : said
})

it("the marks show the result of each scan, and null if the platform was not asked", () => {
  const found = markScans([first!, second!, third!, fourth!], [
    cell(third, "failed"),
    cell(first, false),
    cell(fourth, true)
  ])
  expect(found).toEqual({
    marks: [
      { state: "not-named", answerId: "a" },
      null,
      { state: "failed", answerId: null },
      { state: "named", answerId: "a" }
    ],
    named: 1,
    answered: 2
  })
})

it("an answer that is not measured counts neither as named nor as not named", () => {
  expect(markScans([first!, second!], [cell(first, null), cell(second, "cancelled")])).toMatchObject({
    marks: [{ state: "unmeasured" }, { state: "cancelled" }],
    named: 0,
    answered: 0
  })
})

it("with several samples, the best one is shown, with its answer", () => {
  expect(markScans([first!], [cell(first, "failed"), cell(first, false, "b"), cell(first, true, "c")]))
    .toEqual({ marks: [{ state: "named", answerId: "c" }], named: 1, answered: 1 })
})
