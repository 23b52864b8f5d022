import { type ApiKey, ApiKeyId, ApiKeyStore, StoreError } from "@sov/core"
import { at, newId, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { failureOf, storeContract } from "./storeContract.ts"

/** A key that is stored, and its hash: 32 bytes that begin with its own id. */
const seedKey = Effect.fnUntraced(function*(
  organizationId: Parameters<ApiKeyStore["Service"]["insert"]>[0],
  n = 0,
  scopes: ApiKey["scopes"] = ["read", "scan"]
) {
  const id = yield* newId(ApiKeyId)
  const key: ApiKey = {
    id,
    name: `key ${n}`,
    prefix: "sov_live_0Ab3",
    lastFour: "9Zz0",
    scopes,
    createdAt: at(n),
    expiresAt: n === 0 ? null : at(1000),
    rolled: false,
    revokedAt: null,
    lastUsedAt: null
  }
  const hash = new Uint8Array(32).fill(7)
  hash.set(Buffer.from(id.replaceAll("-", ""), "hex"))
  yield* (yield* ApiKeyStore).insert(organizationId, key, hash)
  return { key, hash }
})

/** What every ApiKeyStore must keep. */
export const apiKeyStoreContract = storeContract("ApiKeyStore", {
  "finds a key and its organization by hash only": Effect.fnUntraced(function*() {
    const store = yield* ApiKeyStore
    const organization = yield* seedOrganization({ scanQuota: 3, historyDays: 9, plan: "business" })
    const { hash, key } = yield* seedKey(organization.id)
    assert.deepEqual(yield* store.findByHash(hash), { organization, key })
    assert.equal(yield* store.findByHash(hash.map((byte, n) => n === 31 ? byte ^ 1 : byte)), null)
    assert.equal(yield* store.findByHash(new Uint8Array()), null)
  }),

  "lists the newest first, revoked ones too": Effect.fnUntraced(function*() {
    const store = yield* ApiKeyStore
    const { id } = yield* seedOrganization()
    const [old, young] = [yield* seedKey(id, 1), yield* seedKey(id, 2)]
    yield* store.revoke(id, old.key.id, at(5))
    assert.deepEqual(yield* store.list(id), [young.key, { ...old.key, revokedAt: at(5) }])
  }),

  "revokes permanently and keeps the first time": Effect.fnUntraced(function*() {
    const store = yield* ApiKeyStore
    const { id } = yield* seedOrganization()
    const { hash, key } = yield* seedKey(id)
    assert.deepEqual(yield* store.revoke(id, key.id, at(5)), { ...key, revokedAt: at(5) })
    assert.deepEqual(yield* store.revoke(id, key.id, at(6)), { ...key, revokedAt: at(5) })
    assert.deepEqual((yield* store.findByHash(hash))?.key.revokedAt, at(5))
    assert.equal(yield* store.revoke(id, yield* newId(ApiKeyId), at(6)), null)
  }),

  "rolls a key once, and none that is revoked": Effect.fnUntraced(function*() {
    const store = yield* ApiKeyStore
    const { id } = yield* seedOrganization()
    const { hash, key } = yield* seedKey(id)
    const ending = { ...key, expiresAt: at(5), rolled: true }
    assert.deepEqual(yield* store.roll(id, key.id, at(5)), ending)
    assert.equal(yield* store.roll(id, key.id, at(6)), null)
    assert.deepEqual((yield* store.findByHash(hash))?.key, ending)
    const { key: revoked } = yield* seedKey(id)
    yield* store.revoke(id, revoked.id, at(4))
    assert.equal(yield* store.roll(id, revoked.id, at(5)), null)
    assert.equal(yield* store.roll(id, yield* newId(ApiKeyId), at(5)), null)
  }),

  "never moves the expiry of a key to later": Effect.fnUntraced(function*() {
    const store = yield* ApiKeyStore
    const { id } = yield* seedOrganization()
    const [{ key: first }, { key: second }] = [yield* seedKey(id, 1), yield* seedKey(id, 1)]
    assert.deepEqual((yield* store.roll(id, first.id, at(999)))?.expiresAt, at(999))
    assert.deepEqual((yield* store.roll(id, second.id, at(1001)))?.expiresAt, at(1000))
  }),

  "stores each selection of scopes, and refuses none at all": Effect.fnUntraced(function*() {
    const store = yield* ApiKeyStore
    const { id } = yield* seedOrganization()
    for (const scopes of [["read"], ["scan"], ["read", "scan"]] as const) {
      const { hash } = yield* seedKey(id, 0, scopes)
      assert.deepEqual((yield* store.findByHash(hash))?.key.scopes, scopes)
    }
    assert.equal((yield* failureOf(seedKey(id, 0, []))).reason, "constraint")
  }),

  "refuses a hash that exists in any organization, without showing it": Effect.fnUntraced(function*() {
    const store = yield* ApiKeyStore
    const [{ id }, other] = [yield* seedOrganization(), yield* seedOrganization()]
    const { hash, key } = yield* seedKey(id)
    const error = yield* failureOf(store.insert(other.id, { ...key, id: yield* newId(ApiKeyId) }, hash))
    assert.ok(error instanceof StoreError)
    assert.equal(error.reason, "constraint")
    assert.ok(
      !JSON.stringify([error, error.message, error.stack]).includes(Buffer.from(hash).toString("hex").slice(0, 8))
    )
    assert.deepEqual((yield* store.findByHash(hash))?.key, key)
  }),

  "stores the latest use": Effect.fnUntraced(function*() {
    const store = yield* ApiKeyStore
    const { id } = yield* seedOrganization()
    const { hash, key } = yield* seedKey(id)
    yield* store.recordUse(id, key.id, at(7))
    yield* store.recordUse(id, key.id, at(6))
    assert.deepEqual((yield* store.findByHash(hash))?.key, { ...key, lastUsedAt: at(7) })
  })
})
