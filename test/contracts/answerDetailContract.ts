import { AnswerId, type ArchivedAnswer, ArchiveStore, MeasurementStore, TrackedSetStore } from "@sov/core"
import { addScan, answerTo, at, measurementOf, newId, seedScan, trackedSet } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

/** What every ArchiveStore must know of one answer beside its row, and by what is measured in it. */
export const answerDetailContract = storeContract("ArchiveStore: detail", {
  "says how an answer was obtained, and what was answered before and after it": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const seed = yield* seedScan()
    const { keywords, organizationId } = seed
    const answerAt = Effect.fnUntraced(function*(seconds: number, simulated = false) {
      const { cells } = yield* addScan(organizationId, keywords, { startedAt: at(seconds), simulated })
      const usage = { inputTokens: 1, outputTokens: 2, costUsd: 0.1 + 0.2, requests: 3, searches: 4 }
      const fields = { createdAt: at(seconds), simulated, usage, latencyMs: 77, finish: "length" as const }
      const [first, second] = yield* Effect.forEach(cells.slice(0, 2), (cell) => answerTo(cell, fields))
      yield* store.archive(organizationId, first!, null)
      // Another question of the same scan is not its neighbour
      yield* store.archive(organizationId, second!, null)
      return first!
    })
    const old = yield* answerAt(100)
    yield* answerAt(110, true)
    const middle = yield* answerAt(120)
    const young = yield* answerAt(130)
    const measurement = measurementOf(old, { mentionPosition: 3, sentiment: "neutral" })
    yield* (yield* MeasurementStore).insert(organizationId, [measurement])
    const { adapter, finish, latencyMs, model, sample, usage } = middle
    assert.deepEqual(yield* store.call(organizationId, middle.id), { adapter, finish, latencyMs, model, sample, usage })
    assert.equal(yield* store.call(organizationId, yield* newId(AnswerId)), null)
    const beside = ({ createdAt, id, scanId }: ArchivedAnswer) => ({
      id,
      scanId,
      createdAt,
      brandMentioned: null,
      mentionPosition: null,
      sentiment: null
    })
    assert.deepEqual(yield* store.neighbours(organizationId, middle.id), {
      before: { ...beside(old), brandMentioned: true, mentionPosition: 3, sentiment: "neutral" },
      after: beside(young)
    })
    assert.equal((yield* store.neighbours(organizationId, old.id)).before, null)
    assert.equal((yield* store.neighbours(organizationId, young.id)).after, null)
  }),

  "filters by what the newest measurement says": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const seed = yield* seedScan()
    const { cells, organizationId } = seed
    yield* (yield* TrackedSetStore).append(organizationId, yield* trackedSet(2))
    const silent = { brandMentioned: false, mentionCount: 0, mentionPosition: null, sentiment: null }
    const answers = yield* Effect.forEach(cells, (cell, n) => answerTo(cell, { createdAt: at(20 + n) }))
    const [first, second, third, fourth] = answers as [ArchivedAnswer, ArchivedAnswer, ArchivedAnswer, ArchivedAnswer]
    yield* store.archive(organizationId, first, measurementOf(first))
    yield* store.archive(organizationId, second, measurementOf(second, silent))
    yield* store.archive(organizationId, third, measurementOf(third, silent))
    yield* store.archive(organizationId, fourth, null)
    yield* (yield* MeasurementStore).insert(organizationId, [
      measurementOf(third, { trackedSetVersion: 2, sentiment: "negative" })
    ])
    const check = Effect.fnUntraced(
      function*(filters: Parameters<typeof store.page>[1], expected: ReadonlyArray<ArchivedAnswer>) {
        const ids = expected.map(({ id }) => id)
        const page = yield* store.page(organizationId, filters, { limit: 9 })
        assert.deepEqual(page.map(({ id }) => id), ids)
        assert.equal(yield* store.count(organizationId, filters), ids.length)
        const all = answers.map(({ id }) => id)
        assert.deepEqual(yield* store.filterIds(organizationId, filters, all), new Set(ids))
      }
    )
    yield* check({ named: true }, [third, first])
    yield* check({ named: false }, [second])
    yield* check({ sentiment: "negative" }, [third])
    yield* check({ named: false, sentiment: "negative" }, [])
    yield* check({ named: true, platform: first.platform, sentiment: "positive" }, [first])
  })
})
