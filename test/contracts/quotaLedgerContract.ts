import { QuotaLedger, Transaction } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

/** What every QuotaLedger must keep. */
export const quotaLedgerContract = storeContract("QuotaLedger", {
  "takes up to the limit and then refuses": Effect.fnUntraced(function*() {
    const ledger = yield* QuotaLedger
    const { id } = yield* seedOrganization()
    const taken = yield* Effect.replicateEffect(ledger.take(id, "2026-01", 2), 4)
    assert.deepEqual(taken, [1, 2, null, null])
    assert.equal(yield* ledger.used(id, "2026-01"), 2)
    assert.equal(yield* ledger.take(id, "2026-01", 3), 3)
    assert.equal(yield* ledger.take(id, "2026-01", 1), null)
  }),

  "takes nothing when the limit is 0": Effect.fnUntraced(function*() {
    const ledger = yield* QuotaLedger
    const { id } = yield* seedOrganization()
    assert.equal(yield* ledger.take(id, "2026-01", 0), null)
    assert.equal(yield* ledger.used(id, "2026-01"), 0)
  }),

  "is exact under concurrency": Effect.fnUntraced(function*() {
    const ledger = yield* QuotaLedger
    const { id } = yield* seedOrganization()
    const taken = yield* Effect.replicateEffect(ledger.take(id, "2026-01", 7), 30, { concurrency: "unbounded" })
    assert.equal(taken.filter((used) => used !== null).length, 7)
    assert.equal(yield* ledger.used(id, "2026-01"), 7)
  }),

  "counts months and organizations apart": Effect.fnUntraced(function*() {
    const ledger = yield* QuotaLedger
    const [one, two] = [yield* seedOrganization(), yield* seedOrganization()]
    yield* ledger.take(one.id, "2026-01", 1)
    assert.equal(yield* ledger.take(one.id, "2026-02", 1), 1)
    assert.equal(yield* ledger.take(two.id, "2026-01", 1), 1)
    assert.equal(yield* ledger.take(one.id, "2026-01", 1), null)
  }),

  "gives back one unit, never below 0": Effect.fnUntraced(function*() {
    const ledger = yield* QuotaLedger
    const { id } = yield* seedOrganization()
    yield* ledger.release(id, "2026-01")
    assert.equal(yield* ledger.used(id, "2026-01"), 0)
    yield* ledger.take(id, "2026-01", 5)
    yield* ledger.take(id, "2026-01", 5)
    yield* ledger.release(id, "2026-01")
    assert.equal(yield* ledger.used(id, "2026-01"), 1)
    yield* Effect.replicateEffect(ledger.release(id, "2026-01"), 3)
    assert.equal(yield* ledger.used(id, "2026-01"), 0)
  }),

  "takes nothing in a transaction that rolls back": Effect.fnUntraced(function*() {
    const ledger = yield* QuotaLedger
    const { run } = yield* Transaction
    const { id } = yield* seedOrganization()
    yield* Effect.exit(run(Effect.andThen(ledger.take(id, "2026-01", 5), Effect.fail("no scan"))))
    assert.equal(yield* ledger.used(id, "2026-01"), 0)
  })
})
