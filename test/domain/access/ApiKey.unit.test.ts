import { formatApiKey, isWellFormedApiKey } from "@sov/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

describe("API key", () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
  it("an API key has the documented form and a valid checksum", () => {
    fc.assert(fc.property(bytes, (random) => {
      const key = formatApiKey(random)
      expect(key).toMatch(/^sov_live_[0-9A-Za-z]{49}$/)
      expect(isWellFormedApiKey(key)).toBe(true)
    }))
  })
  it("a key with a changed character is not well formed", () => {
    fc.assert(fc.property(bytes, fc.nat(57), fc.constantFrom("0", "a", "Z", "_", "9"), (random, at, other) => {
      const key = formatApiKey(random)
      fc.pre(key[at] !== other)
      expect(isWellFormedApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
    }))
  })
  it("an API key contains all random bits", () => {
    expect(formatApiKey(new Uint8Array(32)).slice(9, 52)).toBe("0".repeat(43))
    expect(formatApiKey(new Uint8Array(32).fill(255))).not.toBe(formatApiKey(new Uint8Array(32).fill(255).with(0, 254)))
  })
})
