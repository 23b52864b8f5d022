import { estimateSeconds } from "@sov/core"
import { expect, it } from "vitest"

const platform = { cells: 10, concurrency: 2, latencyMs: 1_000 }

it("an estimate is the time of the slowest platform, and at least a second", () => {
  expect(estimateSeconds([platform, { ...platform, latencyMs: 3_000 }])).toBe(15)
  expect(estimateSeconds([{ ...platform, cells: 1, latencyMs: 1 }])).toBe(1)
  expect(estimateSeconds([{ ...platform, latencyMs: null }])).toBe(50)
})

it("running scans take turns with a new scan, and delay it by at most as many questions as it has itself", () => {
  expect(estimateSeconds([{ ...platform, ahead: [4] }])).toBe(7)
  expect(estimateSeconds([{ ...platform, ahead: [4, 1_000, 0] }])).toBe(12)
})
