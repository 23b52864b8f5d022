import { CellId } from "@sov/core"
import { Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { assert, it } from "vitest"
import { newIds } from "../../packages/core/src/usecases/newId.ts"

it("many ids at once are as many UUIDv7, ascending, each with randomness of its own", async () => {
  const ids = await Effect.runPromise(Effect.provide(newIds(CellId, 5_000), SecureRandom.layerWebCrypto))
  assert.equal(ids.length, 5_000)
  assert.deepEqual(ids.filter((id) => !Schema.is(CellId)(id) || id[14] !== "7"), [])
  assert.deepEqual(ids, [...new Set(ids)].toSorted())
  // Their end is random; the rest counts up within a millisecond
  const ends = new Set(ids.map((id) => id.slice(-8)))
  assert.isAbove(ends.size, 4_900)
  assert.deepEqual(await Effect.runPromise(Effect.provide(newIds(CellId, 0), SecureRandom.layerWebCrypto)), [])
})
