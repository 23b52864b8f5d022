import { Effect } from "effect"
import assert from "node:assert/strict"
import { ArchiveStore } from "../ports/ArchiveStore.ts"
import { MeasurementStore } from "../ports/MeasurementStore.ts"
import { answerTo, measurementOf, seedScan } from "./seeds.ts"
import { storeContract } from "./storeContract.ts"

const versions = { measureVersion: 1, trackedSetVersion: 1 }

/** A scan whose cells are answered but not measured. */
const seedUnmeasured = Effect.fnUntraced(function*() {
  const seed = yield* seedScan()
  const answers = yield* Effect.forEach(
    seed.cells,
    Effect.fnUntraced(function*(cell) {
      const answer = yield* answerTo(cell)
      yield* (yield* ArchiveStore).append(seed.organizationId, answer)
      return answer
    })
  )
  return { ...seed, answers: answers.toSorted((a, b) => a.id < b.id ? -1 : 1) }
})

/** What every MeasurementStore must keep. */
export const measurementStoreContract = storeContract("MeasurementStore", {
  "names what has no measurement of these versions, in id order": Effect.fnUntraced(function*() {
    const store = yield* MeasurementStore
    const { answers, organizationId, scan } = yield* seedUnmeasured()
    const open = (limit: number, of = versions) => store.unmeasured(organizationId, scan.id, of, limit)
    const expected = answers.map((answer) => ({
      answerId: answer.id,
      keywordId: answer.keywordId,
      platform: answer.platform,
      promptUsed: answer.promptUsed,
      rawResponse: answer.rawResponse
    }))
    assert.deepEqual(yield* open(9), expected)
    assert.deepEqual(yield* open(1), expected.slice(0, 1))
    yield* store.insert(organizationId, answers.slice(0, 3).map((answer) => measurementOf(answer)))
    assert.deepEqual(yield* open(9), expected.slice(3))
    assert.deepEqual(yield* open(9, { ...versions, measureVersion: 2 }), expected)
    assert.deepEqual(yield* open(9, { ...versions, trackedSetVersion: 2 }), expected)
  }),

  "gives what scoring needs, of one version each": Effect.fnUntraced(function*() {
    const store = yield* MeasurementStore
    const { answers, organizationId, scan, set } = yield* seedUnmeasured()
    const competitors = set.competitors.map(({ id }) => id)
    yield* store.insert(organizationId, [
      measurementOf(answers[0]!, { competitorsMentioned: competitors }),
      measurementOf(answers[1]!, {
        brandMentioned: false,
        mentionCount: 0,
        mentionPosition: null,
        sentiment: null,
        sovScore: 0,
        mentions: []
      }),
      measurementOf(answers[1]!, { measureVersion: 2 })
    ])
    const row = (n: number, brandMentioned: boolean, competitorsMentioned: typeof competitors) => ({
      platform: answers[n]!.platform,
      keywordId: answers[n]!.keywordId,
      brandMentioned,
      competitorsMentioned
    })
    assert.deepEqual(yield* store.rows(organizationId, scan.id, versions), [
      row(0, true, competitors),
      row(1, false, [])
    ])
    assert.deepEqual(yield* store.rows(organizationId, scan.id, { ...versions, measureVersion: 2 }), [row(1, true, [])])
  }),

  "leaves a measurement that exists as it is": Effect.fnUntraced(function*() {
    const store = yield* MeasurementStore
    const { answers, organizationId, scan } = yield* seedUnmeasured()
    yield* store.insert(organizationId, [])
    yield* store.insert(organizationId, [measurementOf(answers[0]!)])
    yield* store.insert(organizationId, answers.map((answer) => measurementOf(answer, { brandMentioned: false })))
    const rows = yield* store.rows(organizationId, scan.id, versions)
    assert.deepEqual(rows.map((row) => row.brandMentioned), [true, false, false, false])
  }),

  "takes many at once": Effect.fnUntraced(function*() {
    const store = yield* MeasurementStore
    const { answers, organizationId, scan } = yield* seedUnmeasured()
    const many = Array.from({ length: 1100 }, (_, n) => measurementOf(answers[n % 4]!, { measureVersion: n + 1 }))
    yield* store.insert(organizationId, many)
    for (const measureVersion of [1, 500, 501, 1100]) {
      const rows = yield* store.rows(organizationId, scan.id, { ...versions, measureVersion })
      assert.equal(rows.length, 1)
    }
  })
})
