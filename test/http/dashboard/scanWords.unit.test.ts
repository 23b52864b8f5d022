/** Texts about scans. */
import type { PlatformWork } from "@sov/core"
import { expect, it } from "vitest"
import { describeCost, describeProgress, formatDuration } from "../../../packages/http/src/dashboard/pages/scanWords.ts"

const work: PlatformWork = {
  platform: "assistant_c",
  open: 3,
  answered: 4,
  failed: 1,
  noOverview: 0,
  cancelled: 0,
  calls: 9,
  nextDueAt: new Date("2026-11-22T13:02:41.500Z"),
  failing: "throttled"
}

it("a failing platform is shown with the reason and the time of the next attempt", () => {
  expect(describeProgress(work)).toEqual({
    id: "progress-assistant_c",
    done: 5,
    text: "4 of 8 · 1 failed · too many requests; next attempt at 13:02:41 UTC"
  })
  expect(describeProgress({ ...work, nextDueAt: null }).text).toBe("4 of 8 · 1 failed · too many requests")
  expect(describeProgress({ ...work, failed: 0, failing: null }).text).toBe("4 of 7 · asking")
  expect(describeProgress({ ...work, open: 0, failing: null }).text).toBe("4 of 5 · 1 failed · done")
})

it("a cost says which part of it is unknown", () => {
  expect(describeCost({ costUsd: 0.12, unpriced: 0 })).toBe("$0.12")
  expect(describeCost({ costUsd: 0.12, unpriced: 1200 })).toBe("$0.12 and 1,200 not known")
  expect(describeCost({ costUsd: 0, unpriced: 3 })).toBe("not known")
  expect(describeCost(null)).toBe("–")
})

it("a duration is written in seconds, then minutes, then hours", () => {
  expect([0, 14_400, 119_400, 120_000, 7_140_000, 7_200_000].map(formatDuration))
    .toEqual(["0 s", "14 s", "119 s", "2 min", "119 min", "2 h"])
})
