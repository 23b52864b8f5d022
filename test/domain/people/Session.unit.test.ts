import { isSessionLive, type PersonId, type Session, type SessionId } from "@sov/core"
import { describe, expect, it } from "vitest"

const day = 86_400_000
const at = (days: number) => new Date(Date.UTC(2026, 0, 1) + days * day)
const session = (seenAfterDays: number): Session => ({
  id: "00000000-0000-7000-8000-000000000001" as SessionId,
  personId: "00000000-0000-7000-8000-000000000002" as PersonId,
  method: "mail",
  madeBy: null,
  knownTo: [],
  agent: "Firefox on Linux",
  createdAt: at(0),
  seenAt: at(seenAfterDays),
  expiresAt: at(30)
})

describe("a session", () => {
  it.each([[0, 13.999, true], [0, 14, false], [10, 23.999, true], [10, 24, false], [29, 29.999, true], [
    29,
    30,
    false
  ]])(
    "a session that was last used on day %d is valid on day %d: %s",
    (seen, asked, live) => {
      expect(isSessionLive(session(seen), at(asked))).toBe(live)
    }
  )
})
