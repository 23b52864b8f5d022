import { canBecome, ScanStatus } from "@sov/core"
import { describe, expect, it } from "vitest"

describe("scan states", () => {
  const allowed = new Set(["running>completed", "running>failed", "running>cancelled"])
  const pairs = ScanStatus.literals.flatMap((from) => ScanStatus.literals.map((to) => [from, to] as const))
  it.each(pairs)("%s → %s", (from, to) => expect(canBecome(from, to)).toBe(allowed.has(`${from}>${to}`)))
})
