import { InstanceStore } from "@sov/core"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { sameBytes, storeContract } from "./storeContract.ts"

/** What every InstanceStore must keep. */
export const instanceStoreContract = storeContract("InstanceStore", {
  "has a cursor key of 32 random bytes that stays": Effect.fnUntraced(function*() {
    const { cursorKey } = yield* InstanceStore
    const key = yield* cursorKey
    assert.equal(key.length, 32)
    assert.ok(new Set(key).size > 8, "32 random bytes have more than 8 different values")
    sameBytes(yield* cursorKey, key)
  })
})
