/** Lists of sources fit a screen, unless all of them are asked for. */
import type { Scan, SourceChange } from "@sov/core"
import { expect, it } from "vitest"
import { changeLines, takeShown } from "../../../packages/cli/src/commands/sources/sourceLines.ts"

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

it("the first 30 rows are shown, and the other rows are counted", () => {
  expect(takeShown(numbers(30), false)).toEqual({ rows: numbers(30), more: [] })
  expect(takeShown(numbers(42), false)).toEqual({ rows: numbers(30), more: ["and 12 more: --all"] })
  expect(takeShown(numbers(42), true)).toEqual({ rows: numbers(42), more: [] })
})

it("the first 30 changes are shown, and the other changes are counted", () => {
  const changes = numbers(33).map((n): SourceChange => ({
    domain: `d${n}.example`,
    up: n,
    down: 1,
    probability: 0.001,
    beyondNoise: true
  }))
  const since = { startedAt: new Date("2026-11-01T00:00:00Z"), completedAt: null } as Scan
  const lines = changeLines({ since, changes }, false)
  expect(lines).toHaveLength(32)
  expect(lines.slice(-2)).toEqual(["  d29.example is cited more often (29 up, 1 down)", "  and 3 more: --all"])
  expect(changeLines({ since, changes }, true)).toHaveLength(34)
  expect(changeLines({ since, changes: [] }, false)).toHaveLength(1)
})
