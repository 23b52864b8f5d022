import { Effect } from "effect"
import assert from "node:assert/strict"
import type { Cell } from "../domain/Cell.ts"
import { CellId, type KeywordId } from "../domain/ids.ts"
import { ArchiveStore } from "../ports/ArchiveStore.ts"
import { type CellFailure, CellStore } from "../ports/CellStore.ts"
import { KeywordStore } from "../ports/KeywordStore.ts"
import { MeasurementStore } from "../ports/MeasurementStore.ts"
import { newId } from "../usecases/newId.ts"
import { addScan, answerTo, at, keywords, measurementOf, seedScan } from "./seeds.ts"
import { storeContract } from "./storeContract.ts"

const failure: CellFailure = { reason: "throttled", message: "429 slow down", excerpt: "{\"error\"", status: 429 }
const none = { open: 0, answered: 0, failed: 0, cancelled: 0, archived: 0, calls: 0, mentioned: 0 }
const byId = (a: { readonly id: string }, b: { readonly id: string }) => a.id < b.id ? -1 : 1

/** What every CellStore must keep. */
export const cellStoreContract = storeContract("CellStore", {
  "gives the due cells of one platform, the longest waiting first": Effect.fnUntraced(function*() {
    const store = yield* CellStore
    const { cells, organizationId, scan } = yield* seedScan()
    const mine = cells.filter(({ platform }) => platform === "assistant_a").sort(byId)
    const due = (now: Date, limit = 9) => store.due(organizationId, scan.id, "assistant_a", now, limit)
    assert.deepEqual(yield* due(at(9)), [])
    assert.deepEqual(yield* due(at(10)), mine)
    assert.deepEqual(yield* due(at(10), 1), mine.slice(0, 1))
    yield* store.postpone(organizationId, mine[0]!.id, at(12), null)
    assert.deepEqual(yield* due(at(11)), mine.slice(1))
    assert.deepEqual(yield* due(at(12)), mine.toReversed())
  }),

  "counts each call and remembers the first": Effect.fnUntraced(function*() {
    const store = yield* CellStore
    const { cells: [cell], organizationId } = yield* seedScan()
    const expected: Cell = { ...cell!, attempts: 1, firstAttemptAt: at(11) }
    assert.deepEqual(yield* store.beginAttempt(organizationId, cell!, at(11)), expected)
    assert.deepEqual(yield* store.beginAttempt(organizationId, expected, at(12)), { ...expected, attempts: 2 })
    assert.equal(yield* store.beginAttempt(organizationId, { id: yield* newId(CellId), attempts: 0 }, at(12)), null)
  }),

  "lets one of two who read a cell ask it": Effect.fnUntraced(function*() {
    const store = yield* CellStore
    const { cells: [cell], organizationId } = yield* seedScan()
    const begun = yield* Effect.all(
      Array.from({ length: 5 }, () => store.beginAttempt(organizationId, cell!, at(11))),
      { concurrency: "unbounded" }
    )
    assert.equal(begun.filter((one) => one !== null).length, 1)
  }),

  "lets nobody ask a cell that has ended, and ends it once": Effect.fnUntraced(function*() {
    const store = yield* CellStore
    const { cells, organizationId, scan } = yield* seedScan()
    const [answered, failed] = cells
    assert.equal(yield* store.answered(organizationId, answered!.id), true)
    assert.equal(yield* store.answered(organizationId, answered!.id), false)
    yield* store.failed(organizationId, answered!.id, failure)
    yield* store.failed(organizationId, failed!.id, failure)
    assert.equal(yield* store.answered(organizationId, failed!.id), false)
    yield* store.cancelOpen(organizationId, scan.id)
    yield* store.postpone(organizationId, answered!.id, at(10), failure)
    for (const cell of cells) assert.equal(yield* store.beginAttempt(organizationId, cell, at(11)), null)
    assert.deepEqual(yield* store.counts(organizationId, scan.id), [
      { ...none, platform: "assistant_a", answered: 1, failed: 1 },
      { ...none, platform: "assistant_b", cancelled: 2 }
    ])
  }),

  "counts per platform: states, calls, and answers that name the brand by their newest measurement": Effect.fnUntraced(
    function*() {
      const store = yield* CellStore
      const { cells, organizationId, scan } = yield* seedScan()
      const [one, two] = cells
      for (const cell of [one!, two!]) {
        yield* store.beginAttempt(organizationId, cell, at(11))
        const answer = yield* answerTo(cell)
        yield* (yield* ArchiveStore).append(organizationId, answer)
        yield* (yield* MeasurementStore).insert(organizationId, [
          measurementOf(answer, { brandMentioned: cell === two }),
          measurementOf(answer, { brandMentioned: cell === one, measureVersion: 2 })
        ])
        yield* store.answered(organizationId, cell.id)
      }
      assert.deepEqual(yield* store.counts(organizationId, scan.id), [
        { ...none, platform: "assistant_a", answered: 2, archived: 2, calls: 2, mentioned: 1 },
        { ...none, platform: "assistant_b", open: 2 }
      ])
    }
  ),

  "reports failed cells with what came last, whatever bytes it was": Effect.fnUntraced(function*() {
    const store = yield* CellStore
    const { cells: [cell], organizationId, scan } = yield* seedScan()
    yield* store.beginAttempt(organizationId, cell!, at(11))
    yield* store.postpone(organizationId, cell!.id, at(12), failure)
    const last: CellFailure = { reason: "malformed", message: "nul \u0000", excerpt: "\uD800 \u0000", status: null }
    yield* store.failed(organizationId, cell!.id, last)
    assert.deepEqual(yield* store.listFailed(organizationId, scan.id), [{
      ...last,
      message: "nul \uFFFD",
      excerpt: "\uFFFD \uFFFD",
      cellId: cell!.id,
      keywordId: cell!.keywordId,
      platform: cell!.platform,
      attempts: 1
    }])
  }),

  "knows the keywords of a scan": Effect.fnUntraced(function*() {
    const store = yield* CellStore
    const { keywords, organizationId, scan } = yield* seedScan()
    assert.deepEqual(yield* store.keywordIds(organizationId, scan.id), new Set(keywords.map(({ id }) => id)))
    const other = yield* addScan(organizationId, keywords.slice(0, 1))
    assert.deepEqual(yield* store.keywordIds(organizationId, other.scan.id), new Set<KeywordId>([keywords[0]!.id]))
  }),

  "inserts many cells, and none": Effect.fnUntraced(function*() {
    const store = yield* CellStore
    const { organizationId, scan } = yield* seedScan()
    yield* store.insert(organizationId, [], at(10))
    const asked = yield* (yield* KeywordStore).add(
      organizationId,
      yield* keywords(Array.from({ length: 1100 }, (_, n) => `many ${n}`))
    )
    const cells = yield* Effect.forEach(asked, (keyword) =>
      Effect.map(newId(CellId), (id) => ({
        id,
        scanId: scan.id,
        keywordId: keyword.id,
        platform: "assistant_e" as const,
        sample: 1
      })))
    yield* store.insert(organizationId, cells, at(10))
    const counts = yield* store.counts(organizationId, scan.id)
    assert.deepEqual(counts.find(({ platform }) => platform === "assistant_e"), {
      ...none,
      platform: "assistant_e",
      open: 1100
    })
  })
})
