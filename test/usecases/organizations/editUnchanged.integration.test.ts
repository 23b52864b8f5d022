/** Of editors who have seen the same, one edits: the others learn that it has changed, and overwrite nothing. */
import { ChangedMeanwhile, editUnchanged, readQuota, setScanQuota, StoreError } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect, Exit } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

describe.each(homes)("on the %s home", (home) => {
  const { close, run } = openStorage(home)
  afterAll(close)

  it("one of ten simultaneous edits succeeds, and the other nine report that the value has changed", () =>
    run(Effect.gen(function*() {
      const organization = yield* seedOrganization({ scanQuota: 7 })
      const limit = Effect.map(readQuota(organization.id), (quota) => quota.limit)
      const edit = (to: number) =>
        editUnchanged(organization.id, Effect.map(limit, (now) => now === 7), setScanQuota(organization.id, to))
      const exits = yield* Effect.all(Array.from({ length: 10 }, (_, n) => Effect.exit(edit(100 + n))), {
        concurrency: 10
      })
      const winner = exits.findIndex(Exit.isSuccess)
      expect(exits.filter(Exit.isSuccess)).toHaveLength(1)
      expect(yield* limit).toBe(100 + winner)
      expect(yield* Effect.flip(edit(9))).toEqual(new ChangedMeanwhile())
    })))

  it("a failing edit changes nothing", () =>
    run(Effect.gen(function*() {
      const organization = yield* seedOrganization({ scanQuota: 7 })
      const broken = Effect.andThen(
        setScanQuota(organization.id, 8),
        Effect.fail(new StoreError({ reason: "full", message: "x" }))
      )
      yield* Effect.flip(editUnchanged(organization.id, Effect.succeed(true), broken))
      expect((yield* readQuota(organization.id)).limit).toBe(7)
    })))
})
