import {
  AnswerId,
  ArchiveStore,
  MeasurementStore,
  ResolvedUrlStore,
  ScoreStore,
  SourceStore,
  type StoredSources,
  TrackedSetStore
} from "@sov/core"
import {
  addScan,
  answerTo,
  at,
  captureOf,
  measurementOf,
  newId,
  scoreOf,
  seedAnswers,
  seedScan,
  trackedSet
} from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { resolvedUrlOf } from "./resolvedUrlStoreContract.ts"
import { sameBytes, storeContract } from "./storeContract.ts"

const derived = (answerId: AnswerId, fields: Partial<StoredSources> = {}): StoredSources => ({
  ...captureOf().found,
  answerId,
  sourceVersion: 5,
  derivedAt: at(40),
  ...fields
})

/** What every SourceStore must keep. */
export const sourceStoreContract = storeContract("SourceStore", {
  "gives the newest version, and leaves one that exists as it is": Effect.fnUntraced(function*() {
    const store = yield* SourceStore
    const seed = yield* seedScan()
    const [answer] = yield* seedAnswers(seed)
    const { id } = answer!
    const second = derived(id, { status: "unreadable", sources: [], queries: ["\u001b[31m", "a,b\"c\\{}"], cut: 9 })
    yield* store.insert(seed.organizationId, [second])
    yield* store.insert(seed.organizationId, [derived(id, { cut: 1 })])
    assert.deepEqual(yield* store.find(seed.organizationId, id), second)
    const ninth = derived(id, { sourceVersion: 9 })
    yield* store.insert(seed.organizationId, [ninth, derived(id, { sourceVersion: 8 })])
    assert.deepEqual(yield* store.find(seed.organizationId, id), ninth)
    assert.equal(yield* store.find(seed.organizationId, yield* newId(AnswerId)), null)
  }),

  "gives answers with their newest sources, and what is not known of them": Effect.fnUntraced(function*() {
    const store = yield* SourceStore
    const archive = yield* ArchiveStore
    const { cells: [one, two, three], organizationId, scan } = yield* seedScan()
    const first = yield* answerTo(one!)
    const unread = yield* answerTo(two!, {}, 1)
    const imported = yield* answerTo(three!, { payload: new Uint8Array() }, 1)
    for (const answer of [first, unread, imported]) yield* archive.append(organizationId, answer)
    assert.deepEqual(yield* store.listReportingPlatforms(organizationId, scan.id), new Set([first.platform]))
    const none = { sources: [], queries: [] }
    yield* store.insert(organizationId, [
      derived(first.id, { ...none, status: "unreadable" }),
      derived(imported.id, { ...none, status: "unsupported" })
    ])
    assert.deepEqual(yield* store.listReportingPlatforms(organizationId, scan.id), new Set())
    const row = ({ id, platform, scanId }: typeof first) => ({ answerId: id, scanId, platform })
    const expected = [
      { ...row(first), ...none, search: "offered", payloadKept: true, status: "unreadable" },
      { ...row(unread), ...none, search: null, payloadKept: true, status: null },
      { ...row(imported), ...none, search: null, payloadKept: false, status: "unsupported" }
    ]
    const asked = [yield* newId(AnswerId), first.id, unread.id, imported.id]
    const found = yield* store.ofAnswers(organizationId, asked)
    const sort = (rows: ReadonlyArray<{ readonly answerId: string }>) =>
      rows.toSorted((a, b) => a.answerId < b.answerId ? -1 : 1)
    assert.deepEqual(sort(found), sort(expected))
    assert.deepEqual(yield* store.ofAnswers(organizationId, []), [])
  }),

  "lists and counts answers without sources of a version, up to a number of bytes": Effect.fnUntraced(
    function*() {
      const store = yield* SourceStore
      const archive = yield* ArchiveStore
      const { cells, organizationId, scan } = yield* seedScan()
      const answers = yield* Effect.forEach(
        cells,
        (cell, n) => answerTo(cell, { payload: new Uint8Array(1000).fill(n), rawResponse: "x".repeat(1000) }, 1)
      )
      for (const answer of answers) {
        yield* archive.append(organizationId, answer)
      }
      const sorted = answers.toSorted((a, b) => a.id < b.id ? -1 : 1)
      const list = (bytes: number, after?: AnswerId) =>
        store.underived(organizationId, scan.id, 1, { bytes, ...after === undefined ? {} : { after } })
      assert.deepEqual(yield* store.counts(organizationId, scan.id, 1), { answers: 4, derived: 0 })
      const all = yield* list(1_000_000)
      assert.deepEqual(all.map(({ answerId }) => answerId), sorted.map(({ id }) => id))
      sameBytes(all[0]!.payload, sorted[0]!.payload)
      const { payload: _, ...rest } = all[0]!
      const { adapter, citations, id, rawResponse } = sorted[0]!
      assert.deepEqual(rest, { answerId: id, adapter, text: rawResponse, citations })
      assert.equal((yield* list(1)).length, 1)
      assert.equal((yield* list(2001)).length, 2)
      assert.deepEqual((yield* list(4001, id)).map(({ answerId }) => answerId), sorted.slice(1).map((one) => one.id))
      yield* store.insert(organizationId, [derived(id, { sourceVersion: 1 })])
      assert.deepEqual(yield* store.counts(organizationId, scan.id, 1), { answers: 4, derived: 1 })
      assert.equal((yield* list(1_000_000)).length, 3)
      assert.deepEqual(yield* store.counts(organizationId, scan.id, 2), { answers: 4, derived: 0 })
    }
  ),

  "lists an answer without a payload only where it has no sources of any version": Effect.fnUntraced(function*() {
    const store = yield* SourceStore
    const archive = yield* ArchiveStore
    const { cells: [one, two, three], organizationId, scan } = yield* seedScan()
    const payload = new Uint8Array()
    const restored = yield* answerTo(one!, { payload })
    const unknown = yield* answerTo(two!, { payload }, 1)
    const kept = yield* answerTo(three!)
    for (const answer of [restored, unknown, kept]) yield* archive.append(organizationId, answer)
    const page = yield* store.underived(organizationId, scan.id, 9, { bytes: 1_000_000 })
    assert.deepEqual(page.map(({ answerId }) => answerId), [unknown.id, kept.id].toSorted())
    assert.deepEqual(yield* store.counts(organizationId, scan.id, 9), { answers: 3, derived: 1 })
    const { scan: empty } = yield* addScan(organizationId, [], { cellCount: 1 })
    const counted = yield* store.countsOfScans(organizationId, [scan.id, empty.id], 9)
    assert.deepEqual(counted, new Map([[scan.id, { answers: 3, derived: 1 }]]))
  }),

  "counts what decides what the sources of scans say": Effect.fnUntraced(
    function*() {
      const store = yield* SourceStore
      const { cells, keywords, organizationId, scan } = yield* seedScan()
      const [first] = yield* seedAnswers({ organizationId, cells: cells.slice(0, 1) })
      const other = yield* addScan(organizationId, keywords)
      const scanIds = [scan.id, other.scan.id]
      const { newestWithSources } = yield* ScoreStore
      const state = Effect.gen(function*() {
        const found = yield* store.stateOf(organizationId, scanIds)
        assert.deepEqual((yield* newestWithSources(organizationId, scanIds, found)).state, found)
        return found
      })
      const before = { scores: 0, trackedSetVersion: 1, resolvedUrls: 0, derived: 1 }
      assert.deepEqual(yield* state, before)
      yield* (yield* ArchiveStore).append(organizationId, yield* answerTo(other.cells[1]!, {}, 1))
      assert.deepEqual(yield* state, before)
      yield* store.insert(organizationId, [derived(first!.id, { sourceVersion: 90 })])
      assert.deepEqual(yield* state, { ...before, derived: 2 })
      assert.deepEqual(yield* store.stateOf(organizationId, [other.scan.id]), { ...before, derived: 0 })
      yield* (yield* ResolvedUrlStore).insert(organizationId, resolvedUrlOf())
      assert.deepEqual(yield* state, { ...before, derived: 2, resolvedUrls: 1 })
      yield* (yield* TrackedSetStore).append(organizationId, yield* trackedSet(2))
      const after = { scores: 0, trackedSetVersion: 2, derived: 2, resolvedUrls: 1 }
      assert.deepEqual(yield* state, after)
      yield* (yield* ScoreStore).insert(organizationId, scoreOf(other.scan.id), at(50))
      assert.deepEqual(yield* state, { ...after, scores: 1 })
    }
  ),

  "lists the answers of a scan that have sources": Effect.fnUntraced(function*() {
    const store = yield* SourceStore
    const archive = yield* ArchiveStore
    const { cells: [one, two, three], organizationId, scan } = yield* seedScan()
    const none = captureOf({ found: { ...captureOf().found, sources: [] } })
    const first = yield* answerTo(one!)
    const second = yield* answerTo(two!, {}, 1)
    for (const answer of [first, second, yield* answerTo(three!, { capture: none })]) {
      yield* archive.append(organizationId, answer)
    }
    const { createdAt, id, keywordId, platform, scanId } = first
    assert.deepEqual(yield* store.ofScan(organizationId, scan.id), [
      { answerId: id, scanId, createdAt, platform, keywordId, sources: captureOf().found.sources }
    ])
  }),

  "gives the measured answers of scans with their newest sources": Effect.fnUntraced(function*() {
    const store = yield* SourceStore
    const archive = yield* ArchiveStore
    const { keywords, organizationId, scan, set, ...seed } = yield* seedScan()
    const competitors = set.competitors.map(({ id }) => id)
    const [first] = yield* seedAnswers({ organizationId, cells: seed.cells.slice(0, 1) })
    const other = yield* addScan(organizationId, keywords)
    const second = yield* answerTo(other.cells[0]!, { createdAt: at(50) }, 1)
    const named = measurementOf(second, { brandMentioned: false, competitorsMentioned: competitors })
    yield* archive.archive(organizationId, second, named)
    yield* archive.append(organizationId, yield* answerTo(other.cells[1]!))
    yield* (yield* MeasurementStore).insert(organizationId, [measurementOf(first!, { measureVersion: 2 })])
    const versions = { measureVersion: 1, trackedSetVersion: 1 }
    const rows = yield* store.ofScans(organizationId, [scan.id, other.scan.id], versions)
    const row = ({ createdAt, id, keywordId, platform, scanId }: typeof second) => ({
      answerId: id,
      scanId,
      platform,
      keywordId,
      createdAt
    })
    const { cut: _, ...found } = captureOf().found
    const expected = [
      {
        ...row(first!),
        search: "offered",
        origin: { model: first!.model, search: "offered", sent: null },
        payloadKept: true,
        brandMentioned: true,
        mentionPosition: 1,
        competitorsMentioned: [],
        ...found
      },
      {
        ...row(second),
        search: null,
        origin: { model: second.model, search: null, sent: null },
        brandMentioned: false,
        mentionPosition: 1,
        competitorsMentioned: competitors,
        payloadKept: true,
        status: null,
        sources: [],
        queries: []
      }
    ]
    assert.deepEqual(rows, expected.toSorted((a, b) => a.answerId < b.answerId ? -1 : 1))
    yield* store.insert(organizationId, [derived(second.id)])
    const again = yield* store.ofScans(organizationId, [other.scan.id], versions)
    assert.deepEqual(again, [{ ...expected[1], ...found }])
  })
})
