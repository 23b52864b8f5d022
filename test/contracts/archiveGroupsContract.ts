import { type ArchivedAnswer, ArchiveStore, CellStore, KeywordStore } from "@sov/core"
import { addScan, answerTo, keywords as makeKeywords, measurementOf, seedScan } from "@sov/core/testing"
import { Effect, Result } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

const ids = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id)

/** What every ArchiveStore must keep of answers that come at the same time. */
export const archiveGroupsContract = storeContract("ArchiveStore: at the same time", {
  "archives answers that come at the same time as it archives each alone": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const { keywords, organizationId } = yield* seedScan()
    const other = yield* seedScan()
    const texts = Array.from({ length: 10 }, (_, n) => `best anvil, number ${n}?`)
    const { cells, scan } = yield* addScan(organizationId, [
      ...keywords,
      ...yield* (yield* KeywordStore).add(organizationId, yield* makeKeywords(texts))
    ])
    const answers = yield* Effect.forEach(cells, (cell) => answerTo(cell))
    // One cell has ended before, one answer's measurement is refused, one answer belongs to another organization's cell
    const ended = yield* answerTo(cells[3]!)
    assert.equal(yield* store.archive(organizationId, ended, null), true)
    const foreign = yield* answerTo(other.cells[0]!)
    const isUnmeasured = (n: number) => n % 5 === 0
    const archive = (answer: ArchivedAnswer, n: number) =>
      Effect.result(store.archive(
        organizationId,
        answer,
        isUnmeasured(n) ? null : measurementOf(answer, n === 7 ? { trackedSetVersion: 99 } : {})
      ))
    const results = yield* Effect.all([...answers, foreign].map(archive), { concurrency: "unbounded" })
    for (const [n, result] of results.entries()) {
      const refused = Result.isFailure(result)
      assert.equal(
        refused ? result.failure.reason : result.success,
        n === 7 ? "constraint" : n !== 3 && n < cells.length
      )
    }
    const whole = answers.filter((_, n) => n !== 3 && n !== 7)
    const rows = yield* store.page(organizationId, { scanId: scan.id }, { limit: 99 })
    assert.deepEqual(ids(rows).toSorted(), [ended, ...whole].map(({ id }) => id).toSorted())
    for (const row of rows) {
      const n = answers.findIndex(({ id }) => id === row.id)
      assert.equal(row.brandMentioned, n === -1 || isUnmeasured(n) ? null : true)
    }
    const counts = yield* (yield* CellStore).totals(organizationId, [scan.id])
    assert.deepEqual(counts.get(scan.id), {
      open: 1,
      answered: cells.length - 1,
      failed: 0,
      noOverview: 0,
      cancelled: 0
    })
    assert.deepEqual(yield* store.page(other.organizationId, {}, { limit: 9 }), [])
    // Its cell is open: without its measurement it is archived
    assert.equal(yield* store.archive(organizationId, answers[7]!, null), true)
  })
})
