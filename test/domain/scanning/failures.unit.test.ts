import { type ExplainedFailure, groupFailures, type KeywordId } from "@sov/core"
import { expect, it } from "vitest"

const failure = (fields: Partial<ExplainedFailure>): ExplainedFailure => ({
  cellId: "c" as ExplainedFailure["cellId"],
  keywordId: "k" as KeywordId,
  platform: "assistant_a",
  sample: 1,
  attempts: 3,
  reason: "timeout",
  message: "late",
  status: null,
  excerpt: null,
  ...fields
})

it("failures are grouped by reason, most frequent first, and the example is the first one with a response", () => {
  const shown = failure({ platform: "assistant_b", excerpt: "<html>" })
  const other = failure({ reason: "throttled", status: 429 })
  expect(groupFailures([failure({ platform: "assistant_c" }), other, failure({}), shown])).toEqual([
    {
      reason: "timeout",
      count: 3,
      platforms: [
        { platform: "assistant_a", count: 1 },
        { platform: "assistant_b", count: 1 },
        { platform: "assistant_c", count: 1 }
      ],
      example: shown
    },
    { reason: "throttled", count: 1, platforms: [{ platform: "assistant_a", count: 1 }], example: other }
  ])
  expect(groupFailures([])).toEqual([])
})
