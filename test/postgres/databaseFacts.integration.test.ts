/** What a database says about itself, on both homes. */
import { readDatabaseFacts } from "@sov/core/postgres"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../support/homes.ts"
import { openStorage } from "../support/storage.ts"

describe.each(homes)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  it("the facts are the version, encoding, size and time of the database", () =>
    storage.run(Effect.gen(function*() {
      const before = Date.now()
      const facts = yield* readDatabaseFacts
      expect(facts.version).toMatch(/^\d+(\.\d+)?$/)
      expect(Number.parseInt(facts.version)).toBeGreaterThanOrEqual(15)
      expect(facts.encoding).toBe("UTF8")
      expect(facts.sizeBytes).toBeGreaterThan(1_000_000)
      // Of this machine, and in UTC
      expect(facts.clock.getTime()).toBeGreaterThan(before - 60_000)
      expect(facts.clock.getTime()).toBeLessThan(Date.now() + 60_000)
    })))
})
