/**
 * A form acts once: sent again, at the same time or after an answer that was lost, it finds its entry in the audit log.
 */
import {
  ApiKeyStore,
  AuditLog,
  createApiKey,
  DoneBefore,
  makeFormId,
  runOnce,
  StoreError,
  Transaction
} from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect, Exit } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../../support/homes.ts"
import { accessRole, openStorage } from "../../support/storage.ts"

describe.each(homes)("on the %s home", (home) => {
  const { close, run } = openStorage(home, accessRole)
  afterAll(close)

  const made = Effect.gen(function*() {
    const { id } = yield* seedOrganization()
    return { id, formId: yield* makeFormId }
  })
  const countKeys = (id: Parameters<typeof createApiKey>[0]) =>
    Effect.flatMap(ApiKeyStore, (store) => Effect.map(store.list(id), (keys) => keys.length))

  it("ten simultaneous submissions of one form create one key and one audit entry, which has the form's id", () =>
    run(Effect.gen(function*() {
      const { formId, id } = yield* made
      const act = Effect.exit(runOnce(id, formId, createApiKey(id, "ci")))
      const exits = yield* Effect.all(Array.from({ length: 10 }, () => act), { concurrency: 10 })
      const done = exits.filter(Exit.isSuccess)
      expect(done).toHaveLength(1)
      expect(yield* countKeys(id)).toBe(1)
      const [entry, ...others] = yield* (yield* AuditLog).page(id, {}, { limit: 9 })
      expect([entry!.id, entry!.subject.id, others]).toEqual([formId, done[0]!.value.key.id, []])
      const again = yield* Effect.flip(runOnce(id, formId, createApiKey(id, "another name")))
      expect(again).toEqual(new DoneBefore({ entry: entry! }))
    })))

  it("a refused form can be sent again, and another organization's form counts as a different form", () =>
    run(Effect.gen(function*() {
      const { formId, id } = yield* made
      const refused = yield* Effect.flip(runOnce(id, formId, createApiKey(id, "ci", { scopes: [] })))
      expect(refused._tag).toBe("Rejected")
      yield* runOnce(id, formId, createApiKey(id, "ci"))
      const other = (yield* seedOrganization()).id
      yield* runOnce(other, formId, createApiKey(other, "ci"))
      expect([yield* countKeys(id), yield* countKeys(other)]).toEqual([1, 1])
    })))

  it("an act that fails after writing leaves no trace, and works when its form is sent again", () =>
    run(Effect.gen(function*() {
      const { formId, id } = yield* made
      const { run: transact } = yield* Transaction
      const broken = Effect.andThen(
        createApiKey(id, "ci"),
        Effect.fail(new StoreError({ reason: "full", message: "x" }))
      )
      expect(yield* Effect.flip(runOnce(id, formId, transact(broken)))).toMatchObject({ reason: "full" })
      expect(yield* countKeys(id)).toBe(0)
      yield* runOnce(id, formId, createApiKey(id, "ci"))
      expect(yield* countKeys(id)).toBe(1)
    })))
})
