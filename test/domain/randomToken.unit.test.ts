import { formatRandomToken, hashRandomToken, isWellFormedRandomToken, randomTokenBytes } from "@sov/core"
import { describe, expect, it } from "vitest"

const token = formatRandomToken(Uint8Array.from({ length: randomTokenBytes }, (_, n) => 255 - n))

describe("a token", () => {
  it("a token is its 32 bytes in base64url", () => {
    expect(token).toBe("__79_Pv6-fj39vX08_Lx8O_u7ezr6uno5-bl5OPi4eA")
    expect(isWellFormedRandomToken(token)).toBe(true)
  })

  it.each(["", token.slice(1), `${token}A`, `${token.slice(1)}=`, `${token.slice(1)}\n`, `${token.slice(1)}/`])(
    "the text %j does not have the form of a token",
    (text) => {
      expect(isWellFormedRandomToken(text)).toBe(false)
    }
  )

  it("a token is stored as its SHA-256", () => {
    // printf %s abc | sha256sum
    expect(Buffer.from(hashRandomToken("abc")).toString("hex"))
      .toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  })
})
