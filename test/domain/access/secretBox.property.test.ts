import { decrypt, encrypt, type EncryptionKey, parseEncryptionKeys } from "@sov/core"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const anyText = fc.string({ unit: "binary", maxLength: 200 }).map((s) => s.slice(0, 200))

describe("an encrypted secret", () => {
  const key = (id: string, byte: number): EncryptionKey => ({ id, bytes: new Uint8Array(32).fill(byte) })
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

  it("a secret can be decrypted only with its key and its context", () => {
    fc.assert(fc.property(anyText.map((s) => s.toWellFormed()), bytes(12), anyText, (secret, nonce, context) => {
      const encrypted = encrypt(key("k2", 2), nonce, context, secret)
      expect(encrypted).toMatch(/^v1\.k2\.[\w-]{16}\.[\w-]{22,}$/)
      expect(decrypt([key("k1", 1), key("k2", 2)], context, encrypted)).toEqual(Result.succeed(secret))
      expect(Result.isFailure(decrypt([key("k2", 2)], `${context}x`, encrypted))).toBe(true)
      expect(Result.isFailure(decrypt([key("k2", 3)], context, encrypted))).toBe(true)
      expect(decrypt([key("k1", 1)], context, encrypted)).toEqual(Result.fail("there is no key \"k2\""))
    }))
  })

  it("a secret with a changed character cannot be decrypted, and decrypting it does not throw", () => {
    const encrypted = encrypt(key("k", 1), new Uint8Array(12), "here", "whsec_secret")
    fc.assert(
      fc.property(
        fc.nat(encrypted.length - 1),
        fc.constantFrom("A", "Z", "a", "z", "0", "9", "-", "_", "."),
        (at, by) => {
          const changed = encrypted.slice(0, at) + by + encrypted.slice(at + 1)
          const decrypted = decrypt([key("k", 1)], "here", changed)
          if (changed === encrypted) return
          // The last characters of base64 may have bits that mean nothing
          expect(Result.isFailure(decrypted) || at === encrypted.length - 1 || at === encrypted.lastIndexOf(".") - 1)
            .toBe(true)
        }
      )
    )
    // A tag of 4 bytes could be guessed
    const [version, id, nonce, tag] = encrypt(key("k", 1), new Uint8Array(12), "here", "").split(".")
    const short = Buffer.from(tag!, "base64url").subarray(0, 4).toString("base64url")
    expect(Result.isFailure(decrypt([key("k", 1)], "here", [version, id, nonce, short].join(".")))).toBe(true)
    for (const text of ["", ".", "v1", "v1.k", "v1.k.AAAA.AAAA", "v2.k.AAAAAAAAAAAAAAAA.AAAA"]) {
      expect(Result.isFailure(decrypt([key("k", 1)], "here", text))).toBe(true)
    }
  })

  it("keys are parsed from the form of SOV_ENCRYPTION_KEYS", () => {
    const base64 = Buffer.alloc(32, 255).toString("base64")
    expect(Result.getOrThrow(parseEncryptionKeys(`k2:${base64}, k1:${Buffer.alloc(32, 1).toString("base64url")}`)))
      .toEqual([key("k2", 255), key("k1", 1)].map(({ bytes: raw, id }) => ({ id, bytes: Buffer.from(raw) })))
    for (
      const wrong of [
        "",
        base64,
        `k1:${base64.slice(4)}`,
        `k1:${base64},`,
        `k1:${base64},k1:${base64}`,
        `k:1:${base64}`
      ]
    ) {
      const fault = Result.getFailure(parseEncryptionKeys(wrong))
      expect(fault._tag).toBe("Some")
      expect(JSON.stringify(fault)).not.toContain(base64.slice(4, 20))
    }
  })
})
