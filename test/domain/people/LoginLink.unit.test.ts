import { isLinkUsable, type LoginLink, type PersonId } from "@sov/core"
import { describe, expect, it } from "vitest"

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 12, minutes))
const link: LoginLink = {
  personId: "00000000-0000-7000-8000-000000000002" as PersonId,
  purpose: "console",
  madeBy: null,
  knownTo: [],
  createdAt: at(0),
  expiresAt: at(10),
  usedAt: null
}

describe("a link", () => {
  it("a link works until it expires", () => {
    expect([9, 10, 11].map((minute) => isLinkUsable(link, at(minute)))).toEqual([true, false, false])
  })

  it("a link works once", () => {
    expect(isLinkUsable({ ...link, usedAt: at(1) }, at(2))).toBe(false)
  })
})
