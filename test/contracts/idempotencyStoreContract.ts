import {
  IdempotencyStore,
  type OrganizationId,
  type ScanId,
  type StartRecord,
  StoreError,
  Transaction
} from "@sov/core"
import { addScan, at, seedScan } from "@sov/core/testing"
import { Deferred, Effect, Fiber } from "effect"
import assert from "node:assert/strict"
import { failureOf, sameBytes, storeContract } from "./storeContract.ts"

const record = (scanId: ScanId, fields: Partial<StartRecord> = {}): StartRecord => ({
  key: "retry-1",
  fingerprint: new Uint8Array(32).fill(3),
  scanId,
  estimatedSeconds: 12,
  createdAt: at(10),
  ...fields
})

const found = Effect.fnUntraced(function*(organizationId: OrganizationId, key: string, expected: StartRecord | null) {
  const record = yield* (yield* IdempotencyStore).find(organizationId, key, at(0))
  if (expected === null || record === null) return assert.equal(record, expected)
  const { fingerprint, ...rest } = expected
  assert.deepEqual({ ...record, fingerprint: undefined }, { ...rest, fingerprint: undefined })
  sameBytes(record.fingerprint, fingerprint)
})

/** What every IdempotencyStore must keep. */
export const idempotencyStoreContract = storeContract("IdempotencyStore", {
  "keeps the first record of a key, for each organization": Effect.fnUntraced(function*() {
    const store = yield* IdempotencyStore
    const [one, two] = [yield* seedScan(), yield* seedScan()]
    const other = yield* addScan(one.organizationId, one.keywords)
    assert.equal(yield* store.add(one.organizationId, record(one.scan.id), at(0)), true)
    const later = record(other.scan.id, { createdAt: at(11), estimatedSeconds: 99 })
    assert.equal(yield* store.add(one.organizationId, later, at(0)), false)
    yield* found(one.organizationId, "retry-1", record(one.scan.id))
    yield* found(two.organizationId, "retry-1", null)
    assert.equal(yield* store.add(two.organizationId, record(two.scan.id), at(0)), true)
    const quoted = "it's \" \\ {} $1 ~"
    assert.equal(yield* store.add(one.organizationId, record(other.scan.id, { key: quoted }), at(0)), true)
    yield* found(one.organizationId, quoted, record(other.scan.id, { key: quoted }))
  }),

  "takes a key again whose record is older": Effect.fnUntraced(function*() {
    const store = yield* IdempotencyStore
    const { keywords, organizationId, scan } = yield* seedScan()
    const other = yield* addScan(organizationId, keywords)
    yield* store.add(organizationId, record(scan.id), at(0))
    assert.equal(yield* store.find(organizationId, "retry-1", at(11)), null)
    const again = record(other.scan.id, { createdAt: at(20) })
    assert.equal(yield* store.add(organizationId, again, at(11)), true)
    yield* found(organizationId, "retry-1", again)
  }),

  "keeps nothing of a transaction that rolls back, and refuses a scan that is not there": Effect.fnUntraced(
    function*() {
      const store = yield* IdempotencyStore
      const { run } = yield* Transaction
      const [one, two] = [yield* seedScan(), yield* seedScan()]
      yield* Effect.exit(
        run(Effect.andThen(store.add(one.organizationId, record(one.scan.id), at(0)), Effect.fail("no scan")))
      )
      yield* found(one.organizationId, "retry-1", null)
      const error = yield* failureOf(store.add(one.organizationId, record(two.scan.id), at(0)))
      assert.ok(error instanceof StoreError)
      assert.equal(error.reason, "constraint")
    }
  ),

  "lets one of two transactions win": Effect.fnUntraced(function*() {
    const store = yield* IdempotencyStore
    const { run } = yield* Transaction
    const { organizationId, scan } = yield* seedScan()
    const added = yield* Deferred.make<void>()
    const add = store.add(organizationId, record(scan.id), at(0))
    const first = yield* Effect.forkChild(
      run(Effect.tap(add, () => Effect.andThen(Deferred.succeed(added, undefined), Effect.sleep("100 millis"))))
    )
    yield* Deferred.await(added)
    assert.equal(yield* run(add), false)
    assert.equal(yield* Fiber.join(first), true)
  })
})
