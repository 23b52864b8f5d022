/** An announced end of a model: from when it is a fault. */
import type { AnswerPlatform } from "@sov/core"
import { expect, it } from "vitest"
import { findProbeFault } from "../../packages/cli/src/commands/platform/testPlatform.ts"

const platform = { id: "assistant_a" } as AnswerPlatform
const now = new Date("2026-11-24T12:00:00Z")

it.each([
  [null, null, null],
  [null, "2027-03-31", null],
  [null, "2026-12-25", null],
  [null, "2026-12-24", "2026-12-24"],
  [null, "2026-09-27", "2026-09-27"],
  ["Deprecation: true", null, "Deprecation: true"],
  ["Sunset: Wed, 31 Mar 2027 00:00:00 GMT", "2027-03-31", "Sunset: Wed, 31 Mar 2027 00:00:00 GMT"]
])("a model's announced end %j and last day %j are reported as %j", (announced_end, ends_on, words) => {
  const fault = findProbeFault(platform, { announced_end, ends_on, missing: [] }, now)
  expect(fault?.message ?? null).toBe(
    words === null ? null : `assistant_a: the provider announces that this API or model ends: ${words}`
  )
})
