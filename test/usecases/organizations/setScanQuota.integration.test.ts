/** The limit of manual scans a month: its own or its plan's, and nothing that is no whole number. */
import { createOrganization, findOrganization, maxScanQuota, plans, setScanQuota } from "@sov/core"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const { close, run } = openStorage(home)
  afterAll(close)

  it("a quota can be set, and reset to the plan's quota", () =>
    run(Effect.gen(function*() {
      const { id, slug } = yield* createOrganization({ name: "Acme", plan: "free" })
      expect((yield* setScanQuota(id, 7)).limit).toBe(7)
      expect((yield* findOrganization(slug)).scanQuota).toBe(7)
      expect((yield* setScanQuota(id, null)).limit).toBe(plans.free.monthlyScans)
      expect((yield* findOrganization(id)).scanQuota).toBe(null)
    })))

  it("a quota that is not a whole number from 0 to the maximum is rejected, and the old one stays", () =>
    run(Effect.gen(function*() {
      const { id } = yield* createOrganization({ name: "Globex", plan: "free" })
      yield* setScanQuota(id, 3)
      for (const limit of [-1, 1.5, Number.NaN, maxScanQuota + 1]) {
        expect(yield* Effect.flip(setScanQuota(id, limit))).toMatchObject({ _tag: "Rejected", field: "limit" })
      }
      expect((yield* findOrganization(id)).scanQuota).toBe(3)
    })))

  it("an unknown organization is not found", () =>
    run(Effect.gen(function*() {
      expect(yield* Effect.flip(findOrganization("nobody"))).toMatchObject({ _tag: "NotFound", what: "organization" })
    })))
})
