import {
  type ArchivedAnswer,
  ArchiveStore,
  type KeywordId,
  MeasurementStore,
  type Scan,
  type ScanId,
  type SentMarket,
  TrackedSetStore
} from "@sov/core"
import {
  addScan,
  answerTo,
  at,
  captureOf,
  failureOf,
  measurementOf,
  type SeededScan,
  seedScan,
  trackedSet
} from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
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

/** What `rowsOfScans` says of an answer's origin. */
const originOf = ({ capture, model }: ArchivedAnswer) => ({ model, search: capture?.search ?? null, sent: null })

/** Another scan of the seed's cells; `named` says by cell whether its answer names the brand. */
export const addMeasured = Effect.fnUntraced(function*(
  { keywords, organizationId }: SeededScan,
  seconds: number,
  named: ReadonlyArray<boolean>,
  fields: Partial<Scan> = {},
  model = "test-model",
  market?: SentMarket | null
) {
  const { cells, scan } = yield* addScan(organizationId, keywords, { startedAt: at(seconds), ...fields })
  const answers = yield* Effect.forEach(cells, (cell, i) =>
    Effect.gen(function*() {
      const answer = yield* answerTo(cell, {
        createdAt: at(seconds + i),
        simulated: scan.simulated,
        model,
        ...market === undefined ? {} : { capture: captureOf({ asked: { surface: "api", view: null, market } }) }
      })
      const silent = { brandMentioned: false, mentionCount: 0, mentionPosition: null, sentiment: null }
      const measured = measurementOf(answer, named[i] === true ? {} : silent)
      yield* (yield* ArchiveStore).archive(organizationId, answer, measured)
      return answer
    }))
  return { scan, answers }
})

/** What every MeasurementStore must keep. */
export const measurementStoreContract = storeContract("MeasurementStore", {
  "returns answers without a measurement of these versions, in id order": Effect.fnUntraced(function*() {
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

  "notes why an answer is not measured, until it is": Effect.fnUntraced(function*() {
    const store = yield* MeasurementStore
    const { answers, organizationId } = yield* seedUnmeasured()
    const [first, second] = answers
    const failure = failureOf(first!)
    const countOwn = (measureVersion: number) =>
      Effect.map(
        store.countFailures(measureVersion),
        (found) => found.find((one) => one.organizationId === organizationId)?.answers ?? 0
      )
    assert.equal(yield* store.findFailure(organizationId, first!.id), null)
    yield* store.noteFailure(organizationId, failure)
    yield* store.noteFailure(organizationId, failureOf(second!))
    assert.deepEqual(yield* store.findFailure(organizationId, first!.id), failure)
    const later = { ...failure, reason: "memory", failedAt: at(61) } as const
    yield* store.noteFailure(organizationId, later)
    assert.deepEqual(yield* store.findFailure(organizationId, first!.id), later)
    assert.deepEqual([yield* countOwn(1), yield* countOwn(2)], [2, 0])
    yield* store.insert(organizationId, [measurementOf(first!)])
    assert.equal(yield* store.findFailure(organizationId, first!.id), null)
    assert.equal(yield* countOwn(1), 1)
    // Of names that hold no more: rescore tries the newest only
    yield* (yield* TrackedSetStore).append(organizationId, yield* trackedSet(2))
    assert.equal(yield* countOwn(1), 0)
    const newer = { ...failure, trackedSetVersion: 2 }
    yield* store.noteFailure(organizationId, newer)
    assert.deepEqual(yield* store.findFailure(organizationId, first!.id), newer)
    assert.equal(yield* countOwn(1), 1)
  }),

  "tells whether an answer was not tried yet": Effect.fnUntraced(function*() {
    const store = yield* MeasurementStore
    const { answers, organizationId, scan } = yield* seedUnmeasured()
    const [first, ...others] = answers
    const isUntried = (of = versions) => store.hasUntried(organizationId, scan.id, of)
    assert.equal(yield* isUntried(), true)
    yield* store.insert(organizationId, others.map((answer) => measurementOf(answer)))
    assert.equal(yield* isUntried(), true)
    yield* store.noteFailure(organizationId, { ...failureOf(first!), trackedSetVersion: 2 })
    assert.equal(yield* isUntried(), true)
    yield* store.noteFailure(organizationId, failureOf(first!))
    assert.equal(yield* isUntried(), false)
    assert.equal(yield* isUntried({ ...versions, measureVersion: 2 }), true)
  }),

  "continues after an answer, and counts": Effect.fnUntraced(function*() {
    const store = yield* MeasurementStore
    const { answers, organizationId, scan } = yield* seedUnmeasured()
    const ids = answers.map(({ id }) => id)
    const behind = (n: number, limit = 9) =>
      Effect.map(
        store.unmeasured(organizationId, scan.id, versions, limit, ids[n]),
        (found) => found.map(({ answerId }) => ids.indexOf(answerId))
      )
    assert.deepEqual(yield* behind(0), [1, 2, 3])
    assert.deepEqual(yield* behind(0, 2), [1, 2])
    assert.deepEqual(yield* behind(3), [])
    yield* store.insert(organizationId, [measurementOf(answers[2]!), measurementOf(answers[3]!, { measureVersion: 2 })])
    assert.deepEqual(yield* behind(1), [3])
    assert.deepEqual(yield* store.counts(organizationId, scan.id, versions), { answers: 4, measured: 1 })
    const other = { ...versions, trackedSetVersion: 2 }
    assert.deepEqual(yield* store.counts(organizationId, scan.id, other), { answers: 4, measured: 0 })
    const { scan: empty } = yield* addScan(organizationId, [], { cellCount: 1 })
    const counted = yield* store.countsOfScans(organizationId, [scan.id, empty.id], versions)
    assert.deepEqual(counted, new Map([[scan.id, { answers: 4, measured: 1 }]]))
  }),

  "gives what the rules have found last, whatever the tracked set": Effect.fnUntraced(function*() {
    const store = yield* MeasurementStore
    const { answers, organizationId } = yield* seedUnmeasured()
    const [first, second, third, fourth] = answers
    yield* (yield* TrackedSetStore).append(organizationId, yield* trackedSet(2))
    const mentions = [{ entity: 0, start: 3, end: 9 }, { entity: "brand", start: 10, end: 20 }] as const
    const newest = { trackedSetVersion: 2, mentionCount: 1, mentionPosition: 2, sentiment: null, mentions } as const
    yield* store.insert(organizationId, [
      measurementOf(first!),
      measurementOf(first!, newest),
      // By other rules, of another runtime, by a judge
      measurementOf(first!, { trackedSetVersion: 2, measureVersion: 2 }),
      measurementOf(second!, { measureVersion: 2 }),
      measurementOf(third!, { icuVersion: "78.1" }),
      measurementOf(fourth!, { mentionCount: 4 }),
      measurementOf(fourth!, { trackedSetVersion: 2, sentimentBy: "judge" })
    ])
    const ids = answers.map(({ id }) => id)
    const found = yield* store.newestByRules(organizationId, ids, { measureVersion: 1, icuVersion: "77.1" })
    assert.deepEqual(found.toSorted((a, b) => ids.indexOf(a.answerId) - ids.indexOf(b.answerId)), [
      { answerId: first!.id, brandMentioned: true, ...newest },
      {
        answerId: fourth!.id,
        trackedSetVersion: 1,
        brandMentioned: true,
        mentionCount: 4,
        mentionPosition: 1,
        sentiment: "positive",
        mentions: [{ entity: "brand", start: 0, end: 10 }]
      }
    ])
  }),

  "gives each answer with its newest measurement": Effect.fnUntraced(function*() {
    const store = yield* MeasurementStore
    const { answers, organizationId, scan } = yield* seedUnmeasured()
    yield* (yield* TrackedSetStore).append(organizationId, yield* trackedSet(2))
    yield* store.insert(organizationId, [
      measurementOf(answers[0]!, { measureVersion: 9 }),
      measurementOf(answers[0]!, { trackedSetVersion: 2, mentionCount: 3, sovScore: 100 / 3 }),
      measurementOf(answers[1]!, { brandMentioned: false, mentionCount: 0, sentiment: null, sovScore: 0 })
    ])
    const found = yield* store.newest(organizationId, scan.id, 3)
    assert.deepEqual(found.map(({ answerId }) => answerId), answers.slice(0, 3).map(({ id }) => id))
    assert.deepEqual(found.map(({ newest }) => newest), [
      {
        measureVersion: 1,
        trackedSetVersion: 2,
        brandMentioned: true,
        mentionCount: 3,
        sentiment: "positive",
        sovScore: 100 / 3
      },
      { ...versions, brandMentioned: false, mentionCount: 0, sentiment: null, sovScore: 0 },
      null
    ])
    assert.equal(found[0]!.rawResponse, answers[0]!.rawResponse)
    const rest = yield* store.newest(organizationId, scan.id, 9, answers[2]!.id)
    assert.deepEqual(rest.map(({ answerId }) => answerId), [answers[3]!.id])
    const among = [answers[3]!.id, answers[1]!.id, answers[0]!.id]
    const chosen = yield* store.newest(organizationId, scan.id, 9, answers[0]!.id, among)
    assert.deepEqual(chosen.map(({ answerId }) => answerId), [answers[1]!.id, answers[3]!.id])
  }),

  "gives what scoring needs, of one version each": Effect.fnUntraced(function*() {
    const store = yield* MeasurementStore
    const seed = yield* seedUnmeasured()
    const { answers, organizationId, scan, set } = seed
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
    const mentions = [{ entity: 0, start: 3, end: 9 }] as const
    yield* store.insert(organizationId, [
      measurementOf(answers[2]!, { measureVersion: 3, competitorsMentioned: competitors, mentions })
    ])
    const newest = yield* store.newestMentions(organizationId, [answers[1]!.id, answers[2]!.id, answers[3]!.id])
    assert.deepEqual(newest.toSorted((a, b) => a.measureVersion - b.measureVersion), [
      {
        answerId: answers[1]!.id,
        measureVersion: 2,
        trackedSetVersion: 1,
        competitorsMentioned: [],
        sentiment: "positive",
        mentions: [{ entity: "brand", start: 0, end: 10 }]
      },
      {
        answerId: answers[2]!.id,
        measureVersion: 3,
        trackedSetVersion: 1,
        competitorsMentioned: competitors,
        sentiment: "positive",
        mentions
      }
    ])
    const second = { ...versions, measureVersion: 2 }
    assert.deepEqual(yield* store.rows(organizationId, scan.id, second), [row(1, true, [])])
    // Of several scans at once, with what it takes to tell branded questions
    const later = yield* addMeasured(seed, 100, [true, false, false, false])
    const named = later.answers.map((answer, i) => ({ answer, brandMentioned: i === 0 }))
      .toSorted((a, b) => a.answer.id < b.answer.id ? -1 : 1)
      .map(({ answer, brandMentioned }) => ({
        scanId: later.scan.id,
        platform: answer.platform,
        keywordId: answer.keywordId,
        brandMentioned,
        competitorsMentioned: [],
        origin: originOf(answer)
      }))
    const of = (ids: ReadonlyArray<ScanId>, wanted = versions) => store.rowsOfScans(organizationId, ids, wanted)
    const both = (yield* of([scan.id, later.scan.id]))!
    const rowsOf = (id: ScanId) => both.rows.filter(({ scanId }) => scanId === id)
    assert.deepEqual(rowsOf(scan.id), [
      { scanId: scan.id, ...row(0, true, competitors), origin: originOf(answers[0]!) },
      { scanId: scan.id, ...row(1, false, []), origin: originOf(answers[1]!) }
    ])
    assert.deepEqual(rowsOf(later.scan.id), named)
    assert.equal(both.rows.length, 6)
    assert.deepEqual(both.trackedSet, { brand: set.brand, competitors: set.competitors })
    assert.deepEqual(
      new Map(both.keywords.map(({ id, text }) => [id, text])),
      new Map(seed.keywords.map(({ id, text }) => [id, text]))
    )
    assert.deepEqual((yield* of([scan.id], second))!.rows, [
      { scanId: scan.id, ...row(1, true, []), origin: originOf(answers[1]!) }
    ])
    const [only] = seed.keywords
    const narrowed = (yield* store.rowsOfScans(organizationId, [later.scan.id], versions, [only!.id]))!
    assert.deepEqual(narrowed.rows, named.filter(({ keywordId }) => keywordId === only!.id))
    assert.deepEqual(narrowed.keywords.map(({ id }) => id), [only!.id])
    assert.deepEqual((yield* of([]))!.rows, [])
    assert.equal(yield* of([scan.id], { ...versions, trackedSetVersion: 9 }), null)
    // A question that is left out does not count
    const [first] = seed.keywords
    const platforms = ["assistant_b", "assistant_c"] as const
    const part = yield* addScan(organizationId, [first!], { platforms, startedAt: at(110) })
    for (const cell of part.cells) yield* (yield* ArchiveStore).append(organizationId, yield* answerTo(cell))
    const countCommon = (leftOut: ReadonlyArray<KeywordId>) =>
      store.countCommonCells(organizationId, later.scan.id, [scan.id, part.scan.id], leftOut)
    const common = (leftOut: ReadonlyArray<KeywordId>) =>
      Effect.map(countCommon(leftOut), (counts) =>
        new Map([...counts].map(([id, its]) =>
          [id, {
            cells: its.reduce((sum, one) => sum + one.cells, 0),
            common: its.reduce((sum, one) => sum + one.common, 0)
          }] as const
        )))
    assert.deepEqual(
      yield* common([]),
      new Map([
        [scan.id, { cells: 4, common: 4 }],
        [later.scan.id, { cells: 4, common: 4 }],
        [part.scan.id, { cells: 2, common: 1 }]
      ])
    )
    const rest = yield* common([first!.id])
    assert.deepEqual([rest.get(scan.id), rest.has(part.scan.id)], [{ cells: 2, common: 2 }, false])
    assert.deepEqual(yield* common(seed.keywords.map(({ id }) => id)), new Map())
    const other = yield* seedScan()
    assert.deepEqual(yield* store.rowsOfScans(other.organizationId, [scan.id], versions), {
      trackedSet: { brand: other.set.brand, competitors: other.set.competitors },
      rows: [],
      keywords: []
    })
  }),

  "finds where the brand is named and the last 5 answers did not, all measured alike": Effect.fnUntraced(function*() {
    const store = yield* MeasurementStore
    const seed = yield* seedScan()
    const { keywords, organizationId } = seed
    // By cell: named long ago, named 5 answers ago, never named, named never and not now either
    const before = [[1, 0, 0, 0], [0, 1, 0, 0], ...Array.from({ length: 4 }, () => [0, 0, 0, 0]), [0, 0, 0, 0]]
    const first = yield* addMeasured(seed, 100, [true, true, true, true])
    assert.deepEqual(yield* store.newMentions(organizationId, first.scan.id, versions), [])
    const fresh = yield* seedScan()
    const earlier: Array<ReadonlyArray<ArchivedAnswer>> = []
    for (const [i, row] of before.slice(0, 6).entries()) {
      earlier.push((yield* addMeasured(fresh, 100 * (i + 1), row.map(Boolean))).answers)
    }
    // A simulated answer and one of a scan that was started later are no earlier answers
    yield* addMeasured(fresh, 810, [true, true, true, true], { simulated: true })
    yield* addMeasured(fresh, 900, [true, true, true, true])
    const { answers, scan } = yield* addMeasured(fresh, 850, [true, true, true, false])
    const found = (n: number, isFirst: boolean) => ({
      answerId: answers[n]!.id,
      platform: answers[n]!.platform,
      keywordId: answers[n]!.keywordId,
      mentionCount: 1,
      mentionPosition: 1,
      sentiment: "positive",
      first: isFirst
    })
    const inOrder = (list: ReadonlyArray<ReturnType<typeof found>>) =>
      list.toSorted((a, b) => `${a.platform} ${a.keywordId}` < `${b.platform} ${b.keywordId}` ? -1 : 1)
    const ask = store.newMentions(fresh.organizationId, scan.id, versions)
    assert.deepEqual(yield* ask, inOrder([found(0, false), found(2, true)]))
    assert.deepEqual(yield* store.newMentions(fresh.organizationId, scan.id, { ...versions, measureVersion: 9 }), [])
    // Measured with other names only, the last 5 answers are not known to name it; nor is any before, but for what is
    // new
    yield* (yield* TrackedSetStore).append(fresh.organizationId, yield* trackedSet(2))
    const today = { ...versions, trackedSetVersion: 2 }
    const remeasure = (list: ReadonlyArray<ArchivedAnswer>, brandMentioned = false) =>
      store.insert(
        fresh.organizationId,
        list.map((answer) => measurementOf(answer, { trackedSetVersion: 2, brandMentioned }))
      )
    const open = (limit: number) =>
      Effect.map(
        store.unmeasuredBefore(fresh.organizationId, scan.id, today, limit),
        (rows) => rows.map(({ answerId }) => answerId)
      )
    const again = store.newMentions(fresh.organizationId, scan.id, today)
    assert.deepEqual(yield* open(99), [])
    yield* remeasure(answers.slice(0, 3), true)
    assert.deepEqual(yield* again, inOrder([found(0, true), found(1, true), found(2, true)]))
    const cell = (n: number) => earlier.map((one) => one[n]!).toReversed()
    assert.deepEqual(new Set(yield* open(3)), new Set([cell(0)[0]!.id, cell(1)[0]!.id, cell(2)[0]!.id]))
    assert.equal((yield* open(99)).length, 18)
    // One of the last 5 names it: the cell is of no interest any more
    yield* remeasure([cell(1)[4]!], true)
    assert.equal((yield* open(99)).length, 12)
    // One before them does: only the last 5 are
    yield* remeasure([cell(0)[5]!], true)
    assert.equal((yield* open(99)).length, 11)
    yield* remeasure([...cell(0), ...cell(2)])
    assert.deepEqual(yield* open(99), [])
    assert.deepEqual(yield* again, inOrder([found(0, false), found(2, true)]))
    assert.equal(keywords.length, 2)
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

  "inserts many in one call": Effect.fnUntraced(function*() {
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
