import {
  AnswerId,
  hashSeal,
  makeSeal,
  makeSealFacts,
  ScanId,
  type Seal,
  SealStore,
  StoreError,
  Transaction
} from "@sov/core"
import { addScan, at, newId, seedAnswers, seedOrganization, seedScan, trackedSet } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { failureOf, sameBytes, storeContract } from "./storeContract.ts"

const leaf = (n: number) =>
  Effect.map(newId(AnswerId), (id) => ({ id, hash: Uint8Array.from({ length: 32 }, (_, i) => (n * 7 + i) % 256) }))

const same = (actual: Seal | null | undefined, expected: Seal): void => {
  assert.ok(actual)
  const { hash, leaves, previous, root, ...rest } = actual
  assert.deepEqual(rest, {
    sequence: expected.sequence,
    scanId: expected.scanId,
    sealedAt: expected.sealedAt,
    ...expected.facts === undefined ? {} : { facts: expected.facts }
  })
  sameBytes(hash, expected.hash)
  sameBytes(root, expected.root)
  if (expected.previous === null) assert.equal(previous, null)
  else sameBytes(previous, expected.previous)
  assert.deepEqual(leaves.map(({ id }) => id), expected.leaves.map(({ id }) => id))
  for (const [n, { hash }] of leaves.entries()) sameBytes(hash, expected.leaves[n]!.hash)
}

/** What every SealStore must keep. */
export const sealStoreContract = storeContract("SealStore", {
  "returns seals with their leaves, also without any": Effect.fnUntraced(function*() {
    const store = yield* SealStore
    const { organizationId, scan } = yield* seedScan()
    assert.equal(yield* store.lockHead(organizationId), null)
    const leaves = yield* Effect.forEach([0, 1, 2], leaf)
    const first = makeSeal({ scanId: scan.id, leaves, head: null, sealedAt: at(30) })
    const facts = makeSealFacts(scan, "failed", yield* trackedSet())
    const second = makeSeal({ scanId: scan.id, leaves: [], head: first, sealedAt: at(31), facts })
    for (const seal of [first, second]) yield* store.insert(organizationId, seal)
    same(yield* store.lockHead(organizationId), second)
    const stored = yield* store.ofScan(organizationId, scan.id)
    assert.equal(stored.length, 2)
    same(stored[0], first)
    same(stored[1], second)
    const covering = yield* store.ofAnswer(organizationId, scan.id, leaves[1]!.id)
    assert.deepEqual([covering?.sequence, covering?.leafCount], [first.sequence, 3])
    assert.equal(yield* store.ofAnswer(organizationId, scan.id, yield* newId(AnswerId)), null)
    assert.equal(yield* store.ofAnswer(organizationId, yield* newId(ScanId), leaves[1]!.id), null)
    assert.deepEqual(yield* store.ofScan(organizationId, yield* newId(ScanId)), [])
    assert.equal(yield* store.lockHead((yield* seedOrganization()).id), null)
  }),

  "pages through the chain, with leaves and without": Effect.fnUntraced(function*() {
    const store = yield* SealStore
    const { organizationId, scan } = yield* seedScan()
    assert.equal(yield* store.head(organizationId), null)
    const made: Array<Seal> = []
    for (const n of [0, 1, 2]) {
      const leaves = yield* Effect.forEach(Array.from({ length: n }, (_, i) => i), leaf)
      made.push(makeSeal({ scanId: scan.id, leaves, head: made.at(-1) ?? null, sealedAt: at(30 + n) }))
      yield* store.insert(organizationId, made[n]!)
    }
    const page = yield* store.page(organizationId, { after: 1, limit: 1 })
    assert.equal(page.length, 1)
    same(page[0], made[1]!)
    same((yield* store.page(organizationId, { after: 1, limit: 9 }))[1], made[2]!)
    assert.deepEqual(yield* store.page(organizationId, { after: 3, limit: 9 }), [])
    const headers = yield* store.headers(organizationId, { after: 0, limit: 9 })
    assert.deepEqual(headers.map(({ leafCount, sequence }) => [sequence, leafCount]), [[1, 0], [2, 1], [3, 2]])
    sameBytes(hashSeal(headers[2]!), made[2]!.hash)
    assert.deepEqual(yield* store.headers(organizationId, { after: 1, limit: 1 }), [headers[1]])
    assert.deepEqual(yield* store.head(organizationId), headers[2])
  }),

  "returns the unsealed and the late answers of each scan": Effect.fnUntraced(function*() {
    const store = yield* SealStore
    const seed = yield* seedScan()
    const { organizationId, scan } = seed
    const answers = yield* seedAnswers(seed)
    const other = yield* addScan(organizationId, seed.keywords)
    const [first, second, third, fourth] = answers.map(({ id, leafHash }) => ({ id, hash: leafHash }))
    const one = makeSeal({ scanId: scan.id, leaves: [first!, second!], head: null, sealedAt: at(30) })
    yield* store.insert(organizationId, one)
    yield* store.insert(organizationId, makeSeal({ scanId: scan.id, leaves: [third!], head: one, sealedAt: at(31) }))
    const expected = [
      { scanId: scan.id, status: "running", seals: 2, lateLeaves: 1, unsealed: [fourth!.id] },
      { scanId: other.scan.id, status: "running", seals: 0, lateLeaves: 0, unsealed: [] }
    ].sort((a, b) => a.scanId < b.scanId ? -1 : 1)
    assert.deepEqual(yield* store.coverage(organizationId, { after: null, limit: 9 }), expected)
    assert.deepEqual(yield* store.coverage(organizationId, { after: null, limit: 1 }), [expected[0]])
    assert.deepEqual(yield* store.coverage(organizationId, { after: expected[0]!.scanId, limit: 9 }), [expected[1]])
    assert.deepEqual(yield* store.coverage(organizationId, { after: expected[1]!.scanId, limit: 9 }), [])
  }),

  "refuses a second seal with the same number": Effect.fnUntraced(function*() {
    const store = yield* SealStore
    const { organizationId, scan } = yield* seedScan()
    const seal = (sealedAt: Date) => makeSeal({ scanId: scan.id, leaves: [], head: null, sealedAt })
    yield* store.insert(organizationId, seal(at(30)))
    const error = yield* failureOf(store.insert(organizationId, seal(at(31))))
    assert.ok(error instanceof StoreError)
    assert.equal(error.reason, "constraint")
  }),

  "keeps one chain under concurrent inserts, from the first seal on": Effect.fnUntraced(function*() {
    const store = yield* SealStore
    const { run } = yield* Transaction
    const { organizationId, scan } = yield* seedScan()
    yield* Effect.replicateEffect(
      run(Effect.gen(function*() {
        const head = yield* store.lockHead(organizationId)
        yield* store.insert(organizationId, makeSeal({ scanId: scan.id, leaves: [], head, sealedAt: at(30) }))
      })),
      8,
      { concurrency: "unbounded" }
    )
    const chain = yield* store.ofScan(organizationId, scan.id)
    assert.deepEqual(chain.map(({ sequence }) => sequence), [1, 2, 3, 4, 5, 6, 7, 8])
    for (const [n, seal] of chain.entries()) if (n > 0) sameBytes(seal.previous, chain[n - 1]!.hash)
  })
})
