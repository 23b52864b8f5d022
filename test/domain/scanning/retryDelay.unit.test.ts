import { retryDelayMs } from "@sov/core"
import { describe, expect, it } from "vitest"

describe("retries of a cell", () => {
  const ask = (attempts: number, more: Partial<Parameters<typeof retryDelayMs>[0]> = {}) =>
    retryDelayMs({ attempts, sinceFirstMs: 0, retryAfterMs: null, jitter: 0, ...more })
  it("retries wait 1, 2, 4 and 8 s and end after five calls", () => {
    expect([1, 2, 3, 4, 5].map((attempts) => ask(attempts))).toEqual([1000, 2000, 4000, 8000, null])
  })
  it("jitter lengthens retries by up to half, and never below Retry-After", () => {
    expect(ask(1, { jitter: 1 })).toBe(1500)
    expect(ask(1, { retryAfterMs: 30_000 })).toBe(30_000)
    expect(ask(3, { retryAfterMs: 10 })).toBe(4000)
  })
  it("retries end ten minutes after the first call", () => {
    expect(ask(2, { sinceFirstMs: 599_000 })).toBeNull()
    expect(ask(1, { retryAfterMs: 601_000 })).toBeNull()
  })
})
