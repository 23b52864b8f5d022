/** Small values of the domain: keys, quota months, slugs, cursors, states, retries. */
import {
  type AnswerId,
  archivableText,
  canBecome,
  decodeArchiveCursor,
  encodeArchiveCursor,
  formatApiKey,
  isWellFormedApiKey,
  makeQuota,
  type OrganizationId,
  quotaPeriod,
  retryDelayMs,
  ScanStatus,
  slugify
} from "@sov/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

describe("API key", () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
  it("has its form and its checksum", () => {
    fc.assert(fc.property(bytes, (random) => {
      const key = formatApiKey(random)
      expect(key).toMatch(/^sov_live_[0-9A-Za-z]{49}$/)
      expect(isWellFormedApiKey(key)).toBe(true)
    }))
  })
  it("with one character changed is refused", () => {
    fc.assert(fc.property(bytes, fc.nat(57), fc.constantFrom("0", "a", "Z", "_", "9"), (random, at, other) => {
      const key = formatApiKey(random)
      fc.pre(key[at] !== other)
      expect(isWellFormedApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
    }))
  })
  it("carries all its random bits", () => {
    expect(formatApiKey(new Uint8Array(32)).slice(9, 52)).toBe("0".repeat(43))
    expect(formatApiKey(new Uint8Array(32).fill(255))).not.toBe(formatApiKey(new Uint8Array(32).fill(255).with(0, 254)))
  })
})

describe("quota month", () => {
  it.each([
    ["2026-11-30T23:59:59.999Z", "2026-11", "2026-12-01T00:00:00.000Z"],
    ["2026-12-01T00:00:00.000Z", "2026-12", "2027-01-01T00:00:00.000Z"],
    ["2028-02-29T12:00:00.000Z", "2028-02", "2028-03-01T00:00:00.000Z"]
  ])("%s belongs to %s, which ends %s", (at, period, end) => {
    expect(quotaPeriod(new Date(at))).toBe(period)
    expect(makeQuota(period, 4, 1).resetsAt.toISOString()).toBe(end)
  })
  it("never reports a negative remainder", () => {
    expect(makeQuota("2026-11", 4, 9)).toMatchObject({ used: 9, remaining: 0 })
  })
})

it.each([["Café Müller & Co", "cafe-muller-co"], ["  --  ", "org"], ["大众", "org"], [
  "A".repeat(200),
  "a".repeat(60)
]])(
  "%s has the slug %s",
  (name, slug) => expect(slugify(name)).toBe(slug)
)

describe("cursor", () => {
  const key = Buffer.alloc(32, 7)
  const organization = "01a1fc84-0000-7000-8000-000000000001" as OrganizationId
  const position = {
    createdAt: new Date("2026-11-21T05:11:54.161Z"),
    id: "01a1fc84-a631-75b7-ac09-0a8cc70a5f84" as AnswerId
  }
  const cursor = encodeArchiveCursor(key, organization, { platform: "assistant_a" }, position)

  it("leads back to its position", () => {
    expect(decodeArchiveCursor(key, organization, { platform: "assistant_a" }, cursor)).toEqual(position)
  })
  it("is refused for other filters, another organization, another installation", () => {
    expect(decodeArchiveCursor(key, organization, {}, cursor)).toBeNull()
    expect(
      decodeArchiveCursor(key, organization.replace(/1$/, "2") as OrganizationId, { platform: "assistant_a" }, cursor)
    )
      .toBeNull()
    expect(decodeArchiveCursor(Buffer.alloc(32), organization, { platform: "assistant_a" }, cursor)).toBeNull()
  })
  it("is refused when any character is changed", () => {
    for (let at = 0; at < cursor.length; at++) {
      const changed = cursor.slice(0, at) + (cursor[at] === "A" ? "B" : "A") + cursor.slice(at + 1)
      expect(decodeArchiveCursor(key, organization, { platform: "assistant_a" }, changed)).toBeNull()
    }
    expect(decodeArchiveCursor(key, organization, { platform: "assistant_a" }, `${cursor}A`)).toBeNull()
  })
})

describe("scan states", () => {
  const allowed = new Set(["running>completed", "running>failed", "running>cancelled"])
  const pairs = ScanStatus.literals.flatMap((from) => ScanStatus.literals.map((to) => [from, to] as const))
  it.each(pairs)("%s → %s", (from, to) => expect(canBecome(from, to)).toBe(allowed.has(`${from}>${to}`)))
})

describe("retries of a cell", () => {
  const ask = (attempts: number, more: Partial<Parameters<typeof retryDelayMs>[0]> = {}) =>
    retryDelayMs({ attempts, sinceFirstMs: 0, retryAfterMs: null, jitter: 0, ...more })
  it("wait 1, 2, 4, 8 s and end after five calls", () => {
    expect([1, 2, 3, 4, 5].map((attempts) => ask(attempts))).toEqual([1000, 2000, 4000, 8000, null])
  })
  it("add up to half as jitter and never come before Retry-After", () => {
    expect(ask(1, { jitter: 1 })).toBe(1500)
    expect(ask(1, { retryAfterMs: 30_000 })).toBe(30_000)
    expect(ask(3, { retryAfterMs: 10 })).toBe(4000)
  })
  it("end ten minutes after the first call", () => {
    expect(ask(2, { sinceFirstMs: 599_000 })).toBeNull()
    expect(ask(1, { retryAfterMs: 601_000 })).toBeNull()
  })
})

it("archivable text keeps everything but what Postgres and UTF-8 cannot hold", () => {
  expect(archivableText("a\u0000b\ud800c \r\n\t🛠\u200b ")).toBe("a\ufffdb\ufffdc \r\n\t🛠\u200b ")
})
