import { formatAuditDetail } from "@sov/core/audit"
import { describe, expect, it } from "vitest"

describe("the detail of an audit entry", () => {
  it.each([
    [{ name: "ci", scopes: ["read", "scan"], expires_at: null }, "Name: ci. Scopes: read, scan."],
    [{ scan_type: "manual", samples: 1, simulated: false }, "Scan type: manual. Samples: 1. Simulated: no."],
    [{ text: "Which one is best?", tags: [] }, "Text: Which one is best? Tags: none."],
    [
      { before: { enabled: false, threshold: null, sensitivity: "any" }, enabled: true },
      "Enabled: yes. Before: enabled no; sensitivity any."
    ],
    [{}, ""]
  ])(
    "the detail of an audit entry is formatted as sentences: %j",
    (detail, sentences) => expect(formatAuditDetail(detail)).toBe(sentences)
  )
})
