import {
  findNarrowing,
  KeywordStore,
  MeasurementStore,
  type OrganizationId,
  type Scan,
  ScanId,
  ScanStore,
  ScoreStore,
  SourceStore,
  TrackedSetStore,
  Transaction
} from "@sov/core"
import { addScan, at, newId, scoreOf, seedAnswers, seedScan, trackedSet } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { keptDetailOf } from "../support/keptDetails.ts"
import { storeContract } from "./storeContract.ts"

/** What every ScoreStore must keep. */
export const scoreStoreContract = storeContract("ScoreStore", {
  "gives back every number unrounded": Effect.fnUntraced(function*() {
    const store = yield* ScoreStore
    const { keywords, organizationId, scan, set } = yield* seedScan()
    const competitors = set.competitors.map(({ id }, n) => ({ id, sov: (n + 1) * 100 / 7 }))
    const score = scoreOf(scan.id, { competitors, avgSov: 0.1 + 0.2 })
    yield* store.insert(organizationId, score, at(30))
    assert.deepEqual(yield* store.ofScan(organizationId, scan.id), score)
    const empty = scoreOf((yield* addScan(organizationId, keywords)).scan.id, {
      avgSov: null,
      nobody: null,
      platformBreakdown: {},
      lowCoverage: [],
      brandedOnly: true,
      icuVersion: null,
      uncertainty: null
    })
    yield* store.insert(organizationId, empty, at(30))
    assert.deepEqual(yield* store.ofScan(organizationId, empty.scanId), empty)
    assert.equal(yield* store.ofScan(organizationId, yield* newId(ScanId)), null)
  }),

  "leaves a score that exists as it is, and shows the newest": Effect.fnUntraced(function*() {
    const store = yield* ScoreStore
    const { organizationId, scan } = yield* seedScan()
    yield* (yield* TrackedSetStore).append(organizationId, yield* trackedSet(2))
    const add = (fields: Parameters<typeof scoreOf>[1]) =>
      store.insert(organizationId, scoreOf(scan.id, fields), at(30))
    yield* add({ measureVersion: 9, avgSov: 19 })
    yield* add({ measureVersion: 9, avgSov: 99 })
    assert.equal((yield* store.ofScan(organizationId, scan.id))?.avgSov, 19)
    yield* add({ trackedSetVersion: 2, measureVersion: 1, avgSov: 21 })
    assert.equal((yield* store.ofScan(organizationId, scan.id))?.avgSov, 21)
    const under = (trackedSetVersion: number, version: number) =>
      store.ofScan(organizationId, scan.id, { trackedSetVersion, measureVersion: version })
    assert.equal((yield* under(1, 9))?.avgSov, 19)
    assert.equal(yield* under(2, 9), null)
    // Of answers that were measured later, too: the more were, the newer
    yield* add({ trackedSetVersion: 2, resultsCount: 5, unmeasuredCount: 1, avgSov: 22 })
    yield* add({ trackedSetVersion: 2, resultsCount: 5, unmeasuredCount: 3, avgSov: 20 })
    assert.equal((yield* store.ofScan(organizationId, scan.id))?.avgSov, 22)
    assert.equal((yield* store.ofScans(organizationId, [scan.id]))[0]?.avgSov, 22)
    const old = yield* store.ofScans(organizationId, [scan.id], { trackedSetVersion: 1, measureVersion: 9 })
    assert.deepEqual(old.map(({ avgSov }) => avgSov), [19])
  }),

  "gives the history of completed scans, newest first, each with its newest score": Effect.fnUntraced(function*() {
    const store = yield* ScoreStore
    const scans = yield* ScanStore
    const { keywords, organizationId, scan: old } = yield* seedScan()
    yield* (yield* TrackedSetStore).append(organizationId, yield* trackedSet(2))
    const { scan: young } = yield* addScan(organizationId, keywords, { startedAt: at(12) })
    const { scan: cancelled } = yield* addScan(organizationId, keywords, { startedAt: at(13) })
    yield* addScan(organizationId, keywords, { startedAt: at(14) })
    for (const { id } of [old, young, cancelled]) {
      yield* store.insert(organizationId, scoreOf(id), at(30))
      yield* scans.end(organizationId, id, id === cancelled.id ? "cancelled" : "completed", at(31))
    }
    const newest = scoreOf(old.id, { trackedSetVersion: 2, avgSov: 1 / 7 })
    yield* store.insert(organizationId, newest, at(32))
    const ended = { status: "completed" as const, completedAt: at(31) }
    const expected = [
      { scan: { ...young, ...ended }, score: scoreOf(young.id) },
      { scan: { ...old, ...ended }, score: newest }
    ]
    assert.deepEqual(yield* store.history(organizationId, 9), expected)
    assert.deepEqual(yield* store.history(organizationId, 1), expected.slice(0, 1))
    const scores = yield* store.ofScans(organizationId, [old.id, young.id, yield* newId(ScanId)])
    assert.deepEqual(
      new Map(scores.map((one) => [one.scanId, one])),
      new Map([[old.id, newest], [young.id, scoreOf(young.id)]])
    )
    const { organizationId: none } = yield* seedScan()
    assert.deepEqual(
      yield* store.newestOf([organizationId, none], 9),
      new Map([[organizationId, {
        latest: expected[0],
        before: yield* store.listBefore(organizationId, expected[0]!.scan, expected[0]!.score, 9)
      }]])
    )
    assert.deepEqual(yield* store.history(organizationId, 9, young.startedAt), expected.slice(0, 1))
    assert.deepEqual(yield* store.history(organizationId, 1, null, old.startedAt), expected.slice(1))
    assert.deepEqual(yield* store.history(organizationId, 9, young.startedAt, old.startedAt), [])
  }),

  "gives each of several organizations its newest, with its own scans before it": Effect.fnUntraced(function*() {
    const store = yield* ScoreStore
    const seeds = [yield* seedScan({ startedAt: at(10) }), yield* seedScan({ startedAt: at(11) })]
    for (const [n, { keywords, organizationId, scan }] of seeds.entries()) {
      const { scan: later } = yield* addScan(organizationId, keywords, { startedAt: at(12 + n) })
      for (const { id } of [scan, later]) {
        yield* store.insert(organizationId, scoreOf(id), at(30))
        yield* (yield* ScanStore).end(organizationId, id, "completed", at(31))
      }
    }
    const found = yield* store.newestOf(seeds.map(({ organizationId }) => organizationId), 9)
    for (const { organizationId, scan } of seeds) {
      assert.deepEqual(found.get(organizationId)?.latest, yield* store.headline(organizationId))
      assert.deepEqual(found.get(organizationId)?.before.map((one) => one.scan.id), [scan.id])
    }
  }),

  "counts measurements by a score of the same versions that counts all answers, and by no other": Effect.fnUntraced(
    function*() {
      const seed = yield* seedScan()
      const { organizationId, scan } = seed
      yield* seedAnswers(seed)
      yield* (yield* TrackedSetStore).append(organizationId, yield* trackedSet(2))
      const store = yield* MeasurementStore
      // The answers have no measurement of these versions, so only a score can say that they have
      const asked = { measureVersion: 2, trackedSetVersion: 1 }
      for (
        const [fields, measured] of [
          [{ measureVersion: 1 }, 0],
          [{ trackedSetVersion: 2 }, 0],
          [{ unmeasuredCount: 3 }, 0],
          [{ unmeasuredCount: 0 }, 4]
        ] as const
      ) {
        const score = scoreOf(scan.id, { ...asked, resultsCount: 4, ...fields })
        yield* (yield* ScoreStore).insert(organizationId, score, at(60))
        const counted = yield* store.countsOfScans(organizationId, [scan.id], asked)
        assert.deepEqual(counted, new Map([[scan.id, { answers: 4, measured }]]))
      }
    }
  ),

  "gives the two newest, and how many active keywords the newest asked": Effect.fnUntraced(function*() {
    const store = yield* ScoreStore
    const keywordStore = yield* KeywordStore
    const { keywords: [first, ...others], organizationId, scan: old } = yield* seedScan()
    assert.equal(yield* store.newest(organizationId), null)
    const complete = Effect.fnUntraced(function*(scan: Scan) {
      yield* store.insert(organizationId, scoreOf(scan.id), at(30))
      yield* (yield* ScanStore).end(organizationId, scan.id, "completed", at(31))
      return { scan: { ...scan, status: "completed", completedAt: at(31) }, score: scoreOf(scan.id) }
    })
    const second = yield* complete(old)
    const all = { active: 1 + others.length, asked: 1 + others.length }
    assert.deepEqual(yield* store.newest(organizationId), { latest: second, second: null, keywords: all })
    const part = yield* addScan(organizationId, [first!], { startedAt: at(12) })
    const latest = yield* complete(part.scan)
    assert.deepEqual(yield* store.newest(organizationId), { latest, second, keywords: { ...all, asked: 1 } })
    yield* keywordStore.setStatus(organizationId, first!.id, "paused")
    const keywords = { active: others.length, asked: 0 }
    assert.deepEqual(yield* store.newest(organizationId), { latest, second, keywords })
    const askable = { keywords: 1, platforms: 2 }
    const told = yield* complete((yield* addScan(organizationId, [first!], { startedAt: at(13), askable })).scan)
    assert.deepEqual(yield* store.newest(organizationId), { latest: told, second: latest, keywords: null })
  }),

  "gives each of several that ask at the same time its own newest, and a transaction what it has written": Effect
    .fnUntraced(
      function*() {
        const store = yield* ScoreStore
        const seeds = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => seedScan())
        const scored = seeds.slice(1)
        yield* Effect.forEach(scored, ({ organizationId, scan }, n) =>
          Effect.andThen(
            store.insert(organizationId, scoreOf(scan.id, { avgSov: n }), at(30)),
            Effect.flatMap(ScanStore, (scans) => scans.end(organizationId, scan.id, "completed", at(31)))
          ))
        const ids = [...seeds, ...seeds].map(({ organizationId }) => organizationId)
        const alone = yield* Effect.forEach(ids, store.newest)
        assert.deepEqual(alone.slice(0, 6).map((found) => found?.latest.score.avgSov), [undefined, 0, 1, 2, 3, 4])
        assert.deepEqual(yield* Effect.forEach(ids, store.newest, { concurrency: "unbounded" }), alone)

        // Beside the state of the sources of none, one or two scans of its own
        const { stateOf } = yield* SourceStore
        const scanIds = [...seeds, ...seeds].map(({ scan }, n) => [scan.id, scan.id].slice(n % 3))
        const states = yield* Effect.forEach(ids, (id, n) => stateOf(id, scanIds[n]!))
        const stated = states.map((state, n) => ({ newest: alone[n], state }))
        const small = { scores: 0, trackedSetVersion: 0, resolvedUrls: 0, derived: 0 }
        for (const before of [small, { ...small, derived: 1_000_000 }]) {
          const read = (id: OrganizationId, n: number) => store.newestWithSources(id, scanIds[n]!, before)
          assert.deepEqual(yield* Effect.forEach(ids, read), stated)
          assert.deepEqual(yield* Effect.forEach(ids, read, { concurrency: "unbounded" }), stated)
        }

        const [{ organizationId, scan }] = seeds as [typeof seeds[number]]
        const { run } = yield* Transaction
        const within = yield* run(Effect.gen(function*() {
          yield* store.insert(organizationId, scoreOf(scan.id, { avgSov: 77 }), at(30))
          yield* (yield* ScanStore).end(organizationId, scan.id, "completed", at(31))
          const { newest, state } = yield* store.newestWithSources(organizationId, [scan.id], small)
          assert.equal(state.scores, 1)
          assert.deepEqual(newest, yield* store.newest(organizationId))
          return newest
        }))
        assert.equal(within?.latest.score.avgSov, 77)
      }
    ),

  "lists the completed scans before one, of its kind, and which have a score of the versions": Effect.fnUntraced(
    function*() {
      const store = yield* ScoreStore
      const { keywords, organizationId, scan: oldest } = yield* seedScan()
      const add = Effect.fnUntraced(function*(seconds: number, fields: Partial<Scan> = {}) {
        const { scan } = yield* addScan(organizationId, keywords, { startedAt: at(seconds), ...fields })
        return scan
      })
      const unscored = yield* add(12)
      const simulated = yield* add(13, { simulated: true })
      const cancelled = yield* add(14)
      const otherwise = yield* add(15)
      const last = yield* add(16)
      yield* add(17)
      for (const { id } of [oldest, unscored, simulated, cancelled, otherwise, last]) {
        yield* (yield* ScanStore).end(organizationId, id, id === cancelled.id ? "cancelled" : "completed", at(31))
      }
      const versions = { measureVersion: 7, trackedSetVersion: 1 }
      for (const { id } of [oldest, simulated, cancelled]) {
        yield* store.insert(organizationId, scoreOf(id, versions), at(30))
      }
      yield* store.insert(organizationId, scoreOf(otherwise.id, { measureVersion: 6 }), at(30))
      const ended = { status: "completed", completedAt: at(31) }
      const expected = [
        { scan: { ...otherwise, ...ended }, measuredCount: null },
        { scan: { ...unscored, ...ended }, measuredCount: null },
        { scan: { ...oldest, ...ended }, measuredCount: 3 }
      ]
      assert.deepEqual(yield* store.listBefore(organizationId, last, versions, 4), expected)
      assert.deepEqual(yield* store.listBefore(organizationId, last, versions, 1), expected.slice(0, 1))
      assert.deepEqual(yield* store.listBefore(organizationId, oldest, versions, 4), [])
    }
  ),

  "gives the newest scan that asked everything, and a narrowed one only where none of its kind did": Effect.fnUntraced(
    function*() {
      const store = yield* ScoreStore
      const { keywords: asked, organizationId, scan: whole } = yield* seedScan()
      const versions = { measureVersion: 1, trackedSetVersion: 1 }
      const complete = Effect.fnUntraced(function*(scan: Scan) {
        yield* store.insert(organizationId, scoreOf(scan.id), at(30))
        yield* (yield* ScanStore).end(organizationId, scan.id, "completed", at(31))
        return scan
      })
      const part = Effect.fnUntraced(function*(seconds: number, fields: Partial<Scan> = {}) {
        const askable = { keywords: asked.length, platforms: 2 }
        const { scan } = yield* addScan(organizationId, asked, { startedAt: at(seconds), askable, ...fields })
        return yield* complete(scan)
      })
      const shown = Effect.fnUntraced(function*() {
        const headline = yield* store.headline(organizationId)
        const newest = yield* store.newest(organizationId)
        assert.deepEqual(newest?.latest ?? null, headline)
        const found = (yield* store.newestOf([organizationId], 9)).get(organizationId)
        assert.deepEqual(found?.latest ?? null, headline)
        const { scan, score } = headline!
        assert.deepEqual(
          found?.before,
          yield* store.listBefore(organizationId, scan, score, 9, findNarrowing(scan) === null)
        )
        return [headline?.scan.id, newest?.second?.scan.id]
      })
      const onePlatform = yield* part(12, { platforms: ["assistant_a"] })
      assert.deepEqual(yield* shown(), [onePlatform.id, undefined])
      yield* complete(whole)
      assert.deepEqual(yield* shown(), [whole.id, undefined])
      const second = yield* part(13)
      const fewer = yield* part(14, { platforms: ["assistant_b"] })
      const simulated = yield* part(15, { simulated: true, platforms: ["assistant_b"] })
      // No simulated scan asked everything
      assert.deepEqual(yield* shown(), [simulated.id, second.id])
      const last = yield* part(16, { simulated: true })
      assert.deepEqual(yield* shown(), [last.id, second.id])
      yield* part(17, { platforms: ["assistant_a"] })
      assert.deepEqual(yield* shown(), [last.id, second.id])
      const within = (since: number, until: number) =>
        Effect.map(store.headline(organizationId, at(since), at(until)), (found) => found?.scan.id)
      assert.equal(yield* within(0, 14), second.id)
      assert.equal(yield* within(14, 14), fewer.id)
      assert.equal(yield* within(18, 99), undefined)
      const before = (wholeOnly: boolean) =>
        Effect.map(
          store.listBefore(organizationId, { ...second, startedAt: at(99) }, versions, 9, wholeOnly),
          (found) => found.map(({ scan }) => scan.startedAt.getTime())
        )
      assert.deepEqual(
        yield* before(false),
        [17, 14, 13, 12].map((s) => at(s).getTime()).concat(whole.startedAt.getTime()).toSorted((a, b) => b - a)
      )
      assert.deepEqual(yield* before(true), [second, whole].map(({ startedAt }) => startedAt.getTime()))
      const listed = yield* (yield* ScanStore).list(organizationId, { limit: 9, wholeOnly: true, simulated: false })
      assert.deepEqual(listed.map(({ id }) => id), [second.id, whole.id])
    }
  ),

  "keeps the detail of one score of an organization, every number as it is": Effect.fnUntraced(function*() {
    const store = yield* ScoreStore
    const { keywords, organizationId, scan: before, set } = yield* seedScan()
    const { scan } = yield* addScan(organizationId, keywords, { startedAt: at(12) })
    const [score, other] = [scoreOf(scan.id), scoreOf(before.id, { measureVersion: 9 })]
    yield* store.insert(organizationId, score, at(30))
    yield* store.insert(organizationId, other, at(30))
    assert.equal(yield* store.findDetail(organizationId, score), null)
    const kept = keptDetailOf(scan.id, set, [before.id])
    yield* store.keepDetail(organizationId, score, kept)
    assert.deepEqual(yield* store.findDetail(organizationId, score), kept)
    assert.notEqual(kept.detail.change?.trend, null)
    assert.equal(yield* store.findDetail(organizationId, { ...score, measureVersion: 2 }), null)
    assert.equal(yield* store.findDetail(organizationId, { ...score, trackedSetVersion: 2 }), null)
    yield* store.keepDetail(organizationId, other, keptDetailOf(before.id, set))
    assert.deepEqual(yield* store.findDetail(organizationId, other), keptDetailOf(before.id, set))
    assert.equal(yield* store.findDetail(organizationId, score), null)
    // A score that exists changes nothing; another one does
    yield* store.insert(organizationId, other, at(30))
    assert.notEqual(yield* store.findDetail(organizationId, other), null)
    yield* store.insert(organizationId, { ...score, unmeasuredCount: 1 }, at(30))
    assert.equal(yield* store.findDetail(organizationId, other), null)
  })
})
