import { AuditEntryId, type OperatorEntry, type OperatorKey, OperatorKeyId, OperatorStore } from "@sov/core"
import { at, newId } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { failureOf, storeContract } from "./storeContract.ts"

/** A key that is stored, and its hash: 32 bytes that begin with its own id. */
const seedKey = Effect.fnUntraced(function*(n = 0) {
  const id = yield* newId(OperatorKeyId)
  const key: OperatorKey = {
    id,
    name: `key ${n}`,
    prefix: "sov_oper_0Ab3",
    lastFour: "9Zz0",
    createdAt: at(n),
    expiresAt: n === 0 ? null : at(1000),
    revokedAt: null,
    lastUsedAt: null
  }
  const hash = new Uint8Array(32).fill(9)
  hash.set(Buffer.from(id.replaceAll("-", ""), "hex"))
  yield* (yield* OperatorStore).insertKey(key, hash)
  return { key, hash }
})

const entryOf = Effect.fnUntraced(function*(n: number, key: OperatorKey) {
  const entry: OperatorEntry = {
    id: yield* newId(AuditEntryId),
    at: at(90_000_000 + n),
    actor: { kind: "operator", name: key.name, keyId: key.id },
    action: "organization.suspended",
    subjectId: key.id,
    detail: {}
  }
  return entry
})

/** What every OperatorStore must keep. */
export const operatorStoreContract = storeContract("OperatorStore", {
  "finds a key by its hash only, and lists the newest first": Effect.fnUntraced(function*() {
    const store = yield* OperatorStore
    const [old, young] = [yield* seedKey(1), yield* seedKey(2)]
    assert.deepEqual(yield* store.findKeyByHash(old.hash), old.key)
    assert.equal(yield* store.findKeyByHash(old.hash.map((byte, n) => n === 31 ? byte ^ 1 : byte)), null)
    const own = new Set([old.key.id, young.key.id])
    assert.deepEqual((yield* store.listKeys).filter(({ id }) => own.has(id)), [young.key, old.key])
    assert.equal(
      (yield* failureOf(store.insertKey({ ...old.key, id: yield* newId(OperatorKeyId) }, old.hash))).reason,
      "constraint"
    )
  }),

  "revokes a key once, for ever": Effect.fnUntraced(function*() {
    const store = yield* OperatorStore
    const { hash, key } = yield* seedKey()
    assert.deepEqual(yield* store.revokeKey(key.id, at(5)), { ...key, revokedAt: at(5) })
    assert.equal(yield* store.revokeKey(key.id, at(6)), null)
    assert.deepEqual((yield* store.findKeyByHash(hash))?.revokedAt, at(5))
    assert.equal(yield* store.revokeKey(yield* newId(OperatorKeyId), at(6)), null)
  }),

  "stores the latest use to the minute": Effect.fnUntraced(function*() {
    const store = yield* OperatorStore
    const { hash, key } = yield* seedKey()
    for (const seconds of [7, 60, 66]) yield* store.recordUse(key.id, at(seconds))
    assert.deepEqual((yield* store.findKeyByHash(hash))?.lastUsedAt, at(7))
    yield* store.recordUse(key.id, at(68))
    assert.deepEqual((yield* store.findKeyByHash(hash))?.lastUsedAt, at(68))
  }),

  "pages its log, the newest first, and refuses to change or remove an entry": Effect.fnUntraced(function*() {
    const store = yield* OperatorStore
    const { key } = yield* seedKey()
    const entries = yield* Effect.forEach([1, 2, 3], (n) => entryOf(n, key))
    yield* store.record(entries)
    const [third, second, first] = [entries[2]!, entries[1]!, entries[0]!]
    assert.deepEqual(yield* store.entries({ limit: 2 }), [third, second])
    assert.deepEqual(yield* store.entries({ limit: 1, after: { createdAt: second.at, id: second.id } }), [first])
    assert.equal((yield* failureOf(store.record([first]))).reason, "constraint")
  })
})
