/** What `sov platform list` says below the table of what keeps a platform from being asked. */
import { expect, it } from "vitest"
import { describeTrouble } from "../../packages/cli/src/commands/platform/platform.ts"

it("a failure counts as trouble only until the platform answers again", () => {
  const row = {
    id: "assistant_a",
    api_key_env: null,
    api_key_present: null,
    breaker: "closed",
    last_failure: { at: "2026-01-31T12:00:00.000Z", reason: "ended", message: "assistant_a: 404" },
    retry_at: null
  } as const
  expect(describeTrouble({ ...row, last_answer_at: "2026-01-31T12:00:01.000Z" })).toBeNull()
  expect(describeTrouble({ ...row, last_answer_at: "2026-01-31T11:59:59.000Z" })).toBe(
    "since 2026-01-31T12:00:00.000Z: 404"
  )
  expect(describeTrouble({ ...row, last_answer_at: null })).toContain("404")
})
