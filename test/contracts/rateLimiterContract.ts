import { ApiKeyId, ApiKeyStore, RateLimiter, type RateRequest } from "@sov/core"
import { at, newId, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

/** A stored key, and how its requests are counted. */
const seedKey = Effect.gen(function*() {
  const { id: organizationId } = yield* seedOrganization()
  const id = yield* newId(ApiKeyId)
  const hash = new Uint8Array(32).fill(8)
  hash.set(Buffer.from(id.replaceAll("-", ""), "hex"))
  yield* (yield* ApiKeyStore).insert(organizationId, {
    id,
    name: "limited",
    prefix: "sov_live_0Ab3",
    lastFour: "9Zz0",
    createdAt: at(0),
    scopes: ["read"],
    expiresAt: null,
    rolled: false,
    revokedAt: null,
    lastUsedAt: null
  }, hash)
  const limiter = yield* RateLimiter
  return (request: RateRequest) => limiter.take(organizationId, id, request)
})

const minute = (count: number, limit: number): RateRequest => ({ count, limit, windowMs: 60_000 })

/** What every RateLimiter must keep. */
export const rateLimiterContract = storeContract("RateLimiter", {
  "counts the requests of all keys of an organization together, beside those of each key": Effect.fnUntraced(
    function*() {
      const limiter = yield* RateLimiter
      const [one, other] = [yield* seedOrganization(), yield* seedOrganization()]
      assert.deepEqual(yield* limiter.takeOfAll(one.id, minute(2, 3)), { taken: true, remaining: 1 })
      assert.equal((yield* limiter.takeOfAll(one.id, minute(2, 3))).taken, false)
      assert.deepEqual(yield* limiter.takeOfAll(one.id, minute(1, 3)), { taken: true, remaining: 0 })
      const refused = yield* limiter.takeOfAll(one.id, minute(1, 3))
      assert.ok(!refused.taken && refused.waitMs > 50_000 && refused.waitMs <= 60_000, JSON.stringify(refused))
      assert.deepEqual(yield* limiter.takeOfAll(other.id, minute(3, 3)), { taken: true, remaining: 0 })
    }
  ),

  "counts up to the limit, and then returns how long to wait": Effect.fnUntraced(function*() {
    const take = yield* seedKey
    assert.deepEqual(yield* take(minute(1, 3)), { taken: true, remaining: 2 })
    assert.deepEqual(yield* take(minute(2, 3)), { taken: true, remaining: 0 })
    const refused = yield* take(minute(1, 3))
    assert.ok(!refused.taken && refused.waitMs > 50_000 && refused.waitMs <= 60_000, JSON.stringify(refused))
    // Another key of another organization has a minute of its own
    assert.deepEqual(yield* (yield* seedKey)(minute(3, 3)), { taken: true, remaining: 0 })
  }),

  "counts all of a batch or none": Effect.fnUntraced(function*() {
    const take = yield* seedKey
    assert.deepEqual(yield* take(minute(4, 3)), { taken: false, waitMs: 60_000 })
    assert.deepEqual(yield* take(minute(2, 3)), { taken: true, remaining: 1 })
    assert.equal((yield* take(minute(2, 3))).taken, false)
    assert.deepEqual(yield* take(minute(1, 3)), { taken: true, remaining: 0 })
  }),

  "stops counting what is older than the window, exactly after the wait that it returned": Effect.fnUntraced(
    function*() {
      const take = yield* seedKey
      const window = (count: number): RateRequest => ({ count, limit: 2, windowMs: 2_000 })
      yield* take(window(1))
      yield* Effect.sleep("200 millis")
      yield* take(window(1))
      const refused = yield* take(window(1))
      assert.ok(!refused.taken && refused.waitMs > 0 && refused.waitMs <= 1_800, JSON.stringify(refused))
      const both = yield* take(window(2))
      assert.ok(!both.taken && both.waitMs > refused.waitMs && both.waitMs <= 2_000, JSON.stringify(both))
      yield* Effect.sleep(both.waitMs)
      assert.deepEqual(yield* take(window(2)), { taken: true, remaining: 0 })
    }
  ),

  "is exact under concurrency": Effect.fnUntraced(function*() {
    const take = yield* seedKey
    const all = yield* Effect.forEach(Array.from({ length: 40 }), () => take(minute(1, 15)), {
      concurrency: "unbounded"
    })
    assert.equal(all.filter(({ taken }) => taken).length, 15)
    const left = all.flatMap((one) => one.taken ? [one.remaining] : []).sort((a, b) => a - b)
    assert.deepEqual(left, Array.from({ length: 15 }, (_, n) => n))
  })
})
