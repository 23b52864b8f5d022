import { TrackedSetChanged, TrackedSetStore } from "@sov/core"
import { at, keywords, seedOrganization, trackedSet } from "@sov/core/testing"
import { Effect, Result } from "effect"
import assert from "node:assert/strict"
import { failureOf, storeContract } from "./storeContract.ts"

/** What every TrackedSetStore must keep. */
export const trackedSetStoreContract = storeContract("TrackedSetStore", {
  "has no version before the first": Effect.fnUntraced(function*() {
    const store = yield* TrackedSetStore
    const { id } = yield* seedOrganization()
    assert.equal(yield* store.current(id), null)
    assert.equal(yield* store.find(id, 1), null)
  }),

  "keeps every version as it was": Effect.fnUntraced(function*() {
    const store = yield* TrackedSetStore
    const { id } = yield* seedOrganization()
    const topics = yield* Effect.map(keywords(["which anvil?", "which forge?"]), (all) => all.map(({ id }) => [id]))
    const [first, second] = [yield* trackedSet(1), { ...yield* trackedSet(2), competitors: [], topics }]
    yield* store.append(id, first)
    yield* store.append(id, second)
    assert.deepEqual(yield* store.find(id, 1), first)
    assert.deepEqual(yield* store.find(id, 2), second)
    assert.deepEqual(yield* store.current(id), second)
  }),

  "keeps names as they were written": Effect.fnUntraced(function*() {
    const store = yield* TrackedSetStore
    const { id } = yield* seedOrganization()
    const set = yield* trackedSet()
    const names = [`"'\\{}[]`, "e\u0301 é", "日本 \u{1F6E0}\uFE0F", "null", "\\u0041"]
    const hostile = {
      ...set,
      brand: { ...set.brand, name: names[0]!, aliases: names, excludes: names, context: names }
    }
    yield* store.append(id, hostile)
    assert.deepEqual(yield* store.current(id), hostile)
  }),

  "keeps names that are ignored, each once": Effect.fnUntraced(function*() {
    const store = yield* TrackedSetStore
    const { id } = yield* seedOrganization()
    const [first, second] = [
      { name: "Hooli XYZ", form: "hooli xyz", ignoredAt: at(1) },
      { name: `"'\\{}日本`, form: `"'\\{}日本`, ignoredAt: at(2) }
    ]
    assert.deepEqual(yield* store.listIgnored(id), [])
    assert.equal(yield* store.ignore(id, first), true)
    assert.equal(yield* store.ignore(id, second), true)
    assert.equal(yield* store.ignore(id, { ...first, name: "HOOLI xyz", ignoredAt: at(3) }), false)
    assert.deepEqual(yield* store.listIgnored(id), [first, second])
    assert.equal(yield* store.stopIgnoring(id, first.form), true)
    assert.equal(yield* store.stopIgnoring(id, first.form), false)
    assert.deepEqual(yield* store.listIgnored(id), [second])
  }),

  "adds a version once under concurrency": Effect.fnUntraced(function*() {
    const store = yield* TrackedSetStore
    const { id } = yield* seedOrganization()
    const sets = [yield* trackedSet(1), yield* trackedSet(1), yield* trackedSet(1)]
    const results = yield* Effect.forEach(sets, (set) => Effect.result(store.append(id, set)), {
      concurrency: "unbounded"
    })
    const winner = results.findIndex(Result.isSuccess)
    assert.equal(results.filter(Result.isSuccess).length, 1)
    assert.deepEqual(yield* store.current(id), sets[winner])
    const error = yield* failureOf(store.append(id, sets[0]!))
    assert.ok(error instanceof TrackedSetChanged)
    assert.equal(error.version, 1)
  })
})
