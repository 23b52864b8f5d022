import {
  ArchiveStore,
  type Cell,
  type CellFailure,
  CellId,
  CellStore,
  type FailedCell,
  type KeywordId,
  KeywordStore,
  maxAttempts,
  type PlatformId,
  type ResultFilters,
  type ScanId,
  type ScanResult,
  ScanStore,
  toArchivableText,
  Transaction
} from "@sov/core"
import {
  addScan,
  answerTo,
  at,
  hostileTexts,
  keywords,
  measurementOf,
  newId,
  type SeededScan,
  seedScan
} from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

const failure: CellFailure = { reason: "throttled", message: "429 slow down", excerpt: "{\"error\"", status: 429 }
const none = { open: 0, answered: 0, failed: 0, noOverview: 0, cancelled: 0, calls: 0 }
const byId = (a: { readonly id: string }, b: { readonly id: string }) => a.id < b.id ? -1 : 1

/** What every CellStore must keep. */
export const cellStoreContract = storeContract("CellStore", {
  "claims the due cells of one platform, the longest waiting first, and counts each call": Effect.fnUntraced(
    function*() {
      const store = yield* CellStore
      const { cells, organizationId, scan } = yield* seedScan()
      const [one, two] = cells.filter(({ platform }) => platform === "assistant_a").sort(byId)
      const queue = { organizationId, scanId: scan.id }
      const claim = (now: Date, limit: number, inFlight: ReadonlyArray<CellId> = []) =>
        store.claim(queue, "assistant_a", { now, limit, inFlight })
      const called = (cell: Cell, attempts: number, first: Date) => ({
        cell: { ...cell, attempts, firstAttemptAt: first },
        exhausted: false
      })
      assert.deepEqual(yield* claim(at(9), 9), [])
      assert.deepEqual(yield* claim(at(10), 1), [called(one!, 1, at(10))])
      assert.deepEqual(yield* claim(at(11), 9, [one!.id]), [called(two!, 1, at(11))])
      assert.deepEqual(yield* claim(at(11), 9, [one!.id, two!.id]), [])
      yield* store.postpone(organizationId, one!.id, at(13), null)
      assert.deepEqual(yield* claim(at(12), 9), [called(two!, 2, at(11))])
      assert.deepEqual(yield* claim(at(13), 1), [called(two!, 3, at(11))])
    }
  ),

  "gives a cell without calls left to be ended, and counts none": Effect.fnUntraced(function*() {
    const store = yield* CellStore
    const { organizationId, scan } = yield* seedScan()
    const claim = store.claim({ organizationId, scanId: scan.id }, "assistant_b", {
      now: at(11),
      limit: 1,
      inFlight: []
    })
    for (let call = 1; call <= maxAttempts; call++) assert.equal((yield* claim)[0]?.exhausted, false)
    for (let again = 0; again < 2; again++) {
      const [claimed] = yield* claim
      assert.deepEqual([claimed?.exhausted, claimed?.cell.attempts], [true, maxAttempts])
    }
  }),

  "gives a cell to one of many who claim at once": Effect.fnUntraced(function*() {
    const store = yield* CellStore
    const { run } = yield* Transaction
    const { organizationId, scan } = yield* seedScan()
    const options = { now: at(11), limit: 1, inFlight: [] }
    const claim = store.claim({ organizationId, scanId: scan.id }, "assistant_a", options)
    // In a transaction that stays open for a while: the others pass by what it holds
    const claimed = yield* Effect.all(
      Array.from({ length: 2 }, () => run(Effect.tap(claim, () => Effect.sleep("100 millis")))),
      { concurrency: "unbounded" }
    )
    const ids = claimed.flat().map(({ cell }) => `${cell.id}/${cell.attempts}`)
    assert.equal(new Set(ids).size, ids.length)
  }),

  "shows the lines of one platform: running scans with work beside what is in flight, the oldest first": Effect
    .fnUntraced(function*() {
      const store = yield* CellStore
      const young = yield* seedScan({ startedAt: at(9) })
      const old = yield* seedScan({ startedAt: at(8) })
      const madeUp = yield* seedScan({ startedAt: at(7), simulated: true })
      const over = yield* seedScan({ startedAt: at(6) })
      yield* (yield* ScanStore).end(over.organizationId, over.scan.id, "failed", at(30))
      const seeds = [young, old, madeUp, over]
      const named = (...some: ReadonlyArray<SeededScan>) =>
        some.map(({ organizationId, scan }) => ({ organizationId, scanId: scan.id }))
      const queues = Effect.fnUntraced(
        function*(platform: PlatformId, simulated: boolean, inFlight: ReadonlyArray<CellId>) {
          const all = yield* store.queues(platform, simulated, inFlight, "all")
          const found = all.filter(({ scanId }) => seeds.some(({ scan }) => scan.id === scanId))
          assert.deepEqual(yield* store.queues(platform, simulated, inFlight, named(...seeds)), found)
          return found
        }
      )
      const queueOf = ({ organizationId, scan }: SeededScan, dueAt = at(10)) => ({
        organizationId,
        scanId: scan.id,
        trackedSetVersion: 1,
        startedAt: scan.startedAt,
        dueAt
      })
      assert.deepEqual(yield* queues("assistant_b", false, []), [queueOf(old), queueOf(young)])
      assert.deepEqual(yield* queues("assistant_b", true, []), [queueOf(madeUp)])
      assert.deepEqual(yield* queues("assistant_c", false, []), [])
      assert.deepEqual(yield* store.queues("assistant_b", false, [], named(young)), [queueOf(young)])
      assert.deepEqual(yield* store.queues("assistant_b", false, [], []), [])
      const strange = { organizationId: young.organizationId, scanId: old.scan.id }
      assert.deepEqual(yield* store.queues("assistant_b", false, [], [strange]), [])
      const [one, two] = young.cells.filter(({ platform }) => platform === "assistant_b")
      yield* store.postpone(young.organizationId, one!.id, at(50), null)
      assert.deepEqual(yield* queues("assistant_b", false, [two!.id]), [queueOf(old), queueOf(young, at(50))])
      yield* store.fail(young.organizationId, one!.id, failure)
      assert.deepEqual(yield* queues("assistant_b", false, [two!.id]), [queueOf(old)])
    }),

  "ends a cell once, and nobody claims it again": Effect.fnUntraced(function*() {
    const store = yield* CellStore
    const { cells, organizationId, scan } = yield* seedScan()
    const [answered, failed] = cells
    yield* (yield* ArchiveStore).archive(organizationId, yield* answerTo(answered!), null)
    yield* store.fail(organizationId, answered!.id, failure)
    assert.equal(yield* store.hasOpen(organizationId, scan.id), true)
    yield* store.fail(organizationId, failed!.id, failure)
    yield* store.cancelOpen(organizationId, scan.id)
    assert.equal(yield* store.hasOpen(organizationId, scan.id), false)
    yield* store.postpone(organizationId, answered!.id, at(10), failure)
    for (const platform of ["assistant_a", "assistant_b"] as const) {
      const options = { now: at(99), limit: 9, inFlight: [] }
      assert.deepEqual(yield* store.claim({ organizationId, scanId: scan.id }, platform, options), [])
    }
    assert.deepEqual(yield* store.counts(organizationId, scan.id), [
      { ...none, platform: "assistant_a", answered: 1, failed: 1 },
      { ...none, platform: "assistant_b", cancelled: 2 }
    ])
  }),

  "begins the time for retries again with a cell that was left alone for longer": Effect.fnUntraced(function*() {
    const store = yield* CellStore
    const { organizationId, scan } = yield* seedScan()
    const claimAt = (now: Date) =>
      Effect.map(
        store.claim({ organizationId, scanId: scan.id }, "assistant_a", { now, limit: 1, inFlight: [] }),
        ([claimed]) => claimed?.cell.firstAttemptAt
      )
    const dueMs = at(10).getTime()
    const first = new Date(dueMs + 60_000)
    assert.deepEqual(yield* claimAt(first), first)
    assert.deepEqual(yield* claimAt(new Date(dueMs + 9 * 60_000)), first)
    const later = new Date(dueMs + 11 * 60_000)
    assert.deepEqual(yield* claimAt(later), later)
  }),

  "fails what is open of one scan on one platform, whenever it is due, beside what is in flight": Effect.fnUntraced(
    function*() {
      const store = yield* CellStore
      const { cells, keywords, organizationId, scan } = yield* seedScan()
      const other = yield* addScan(organizationId, keywords)
      const [one, two] = cells.filter(({ platform }) => platform === "assistant_a").sort(byId)
      yield* store.postpone(organizationId, one!.id, at(500), null)
      const queue = { organizationId, scanId: scan.id }
      yield* store.failOpen(queue, "assistant_a", [two!.id], { ...failure, reason: "budget", message: "spent \u0000" })
      assert.deepEqual(yield* store.counts(organizationId, scan.id), [
        { ...none, platform: "assistant_a", open: 1, failed: 1 },
        { ...none, platform: "assistant_b", open: 2 }
      ])
      const [failed] = yield* store.listFailed(organizationId, scan.id)
      assert.deepEqual([failed?.cellId, failed?.reason, failed?.message], [one!.id, "budget", "spent \uFFFD"])
      assert.equal((yield* store.counts(organizationId, other.scan.id))[0]?.open, 2)
    }
  ),

  "gives the questions of one keyword in some scans, with what their answers say": Effect.fnUntraced(function*() {
    const store = yield* CellStore
    const archive = yield* ArchiveStore
    const { cells, keywords: [asked], organizationId, scan } = yield* seedScan()
    const own = cells.filter(({ keywordId }) => keywordId === asked!.id)
    const answer = yield* answerTo(own[0]!)
    yield* archive.archive(organizationId, answer, measurementOf(answer))
    yield* store.fail(organizationId, own[1]!.id, { reason: "timeout", message: "", excerpt: null, status: null })
    const { cells: [later], scan: other } = yield* addScan(organizationId, [asked!], { platforms: ["assistant_a"] })
    const unmeasured = yield* answerTo(later!)
    yield* archive.archive(organizationId, unmeasured, null)
    const of = (ids: ReadonlyArray<ScanId>) => store.ofKeyword(organizationId, asked!.id, ids)
    const first = [
      { state: "answered", platform: "assistant_a", answerId: answer.id, brandMentioned: true },
      { state: "failed", platform: "assistant_b", answerId: null, brandMentioned: null }
    ].map((fields) => ({ scanId: scan.id, sample: 1, ...fields }))
    assert.deepEqual(yield* of([scan.id]), first)
    const second = {
      scanId: other.id,
      sample: 1,
      state: "answered",
      platform: "assistant_a",
      answerId: unmeasured.id,
      brandMentioned: null
    }
    assert.deepEqual(
      (yield* of([other.id, scan.id])).toSorted((a, b) => a.scanId === b.scanId ? 0 : a.scanId === scan.id ? -1 : 1),
      [...first, second]
    )
    assert.deepEqual(yield* of([]), [])
  }),

  "counts per platform: states and calls": Effect.fnUntraced(function*() {
    const store = yield* CellStore
    const { organizationId, scan } = yield* seedScan()
    const options = { now: at(11), limit: 9, inFlight: [] }
    for (const { cell } of yield* store.claim({ organizationId, scanId: scan.id }, "assistant_a", options)) {
      yield* (yield* ArchiveStore).archive(organizationId, yield* answerTo(cell), null)
    }
    assert.deepEqual(yield* store.counts(organizationId, scan.id), [
      { ...none, platform: "assistant_a", answered: 2, calls: 2 },
      { ...none, platform: "assistant_b", open: 2 }
    ])
    const { keywords: [asked], scan: other } = yield* seedScan()
    assert.deepEqual(yield* store.ofKeyword(organizationId, asked!.id, [scan.id]), [])
    assert.deepEqual(
      yield* store.totals(organizationId, [scan.id, other.id]),
      new Map([[scan.id, { open: 2, answered: 2, failed: 0, noOverview: 0, cancelled: 0 }]])
    )
  }),

  "reports failed cells with what came last, whatever bytes it was": Effect.fnUntraced(function*() {
    const store = yield* CellStore
    const { cells: [cell], organizationId, scan } = yield* seedScan()
    yield* store.postpone(organizationId, cell!.id, at(12), failure)
    const last: CellFailure = { reason: "malformed", message: "nul \u0000", excerpt: "\uD800 \u0000", status: null }
    yield* store.fail(organizationId, cell!.id, last)
    assert.deepEqual(yield* store.listFailed(organizationId, scan.id), [{
      ...last,
      message: "nul \uFFFD",
      excerpt: "\uFFFD \uFFFD",
      cellId: cell!.id,
      keywordId: cell!.keywordId,
      platform: cell!.platform,
      sample: 1,
      attempts: 0
    }])
  }),

  "takes failed cells back, whose samples the answers that come back leave free": Effect.fnUntraced(function*() {
    const store = yield* CellStore
    const { keywords: [keyword], organizationId, scan } = yield* seedScan()
    const failed = Effect.fnUntraced(function*(sample: number) {
      const cell: FailedCell = {
        cellId: yield* newId(CellId),
        keywordId: keyword!.id,
        platform: "assistant_c",
        sample,
        attempts: 4,
        reason: sample === 2 ? "throttled" : "budget",
        message: hostileTexts[sample]!,
        status: sample === 2 ? 429 : null
      }
      return cell
    })
    const lost = [yield* failed(2), yield* failed(4)]
    yield* store.restoreFailed(organizationId, scan.id, lost)
    assert.deepEqual(
      yield* store.listFailed(organizationId, scan.id),
      lost.map((cell) => ({ ...cell, message: toArchivableText(cell.message), excerpt: null }))
    )
    const answers = yield* Effect.forEach(
      [1, 2, 3],
      (n) =>
        answerTo({ ...lost[0]!, id: lost[0]!.cellId, scanId: scan.id, prompt: keyword!.text, firstAttemptAt: null }, {
          createdAt: at(20 + n)
        })
    )
    const archive = yield* ArchiveStore
    yield* archive.restore(organizationId, answers.slice(0, 1))
    yield* archive.restore(organizationId, answers.slice(1))
    const results = yield* store.results(organizationId, scan.id, {}, { limit: 9 })
    const [one, two, three] = answers.map(({ id }) => id)
    assert.deepEqual(results.map(({ answer, failure, sample }) => [sample, failure ?? answer?.id]), [
      [1, one],
      [2, "throttled"],
      [3, two],
      [4, "budget"],
      [5, three]
    ])
  }),

  "lists what came of the ended cells, by keyword, platform and sample": Effect.fnUntraced(function*() {
    const store = yield* CellStore
    const { cells, organizationId, scan } = yield* seedScan()
    const [one, two, three] = cells.toSorted((a, b) =>
      a.keywordId === b.keywordId ? a.platform < b.platform ? -1 : 1 : a.keywordId < b.keywordId ? -1 : 1
    )
    const results = (filters: ResultFilters = {}, options: { limit: number; after?: CellId } = { limit: 9 }) =>
      store.results(organizationId, scan.id, filters, options)
    assert.deepEqual(yield* results(), [])

    const archive = yield* ArchiveStore
    const [named, unnamed] = [yield* answerTo(one!), yield* answerTo(three!)]
    yield* archive.archive(
      organizationId,
      named,
      measurementOf(named, { mentionCount: 3, sovScore: 100 / 3, sentimentBy: "assistant_b m" })
    )
    yield* archive.archive(organizationId, unnamed, null)
    yield* store.fail(organizationId, two!.id, failure)
    const of = (cell: Cell | undefined) => ({
      cellId: cell!.id,
      keywordId: cell!.keywordId,
      platform: cell!.platform,
      sample: 1
    })
    const all: ReadonlyArray<ScanResult> = [
      {
        ...of(one),
        failure: null,
        answer: {
          id: named.id,
          brandMentioned: true,
          mentionCount: 3,
          mentionPosition: 1,
          sentiment: "positive",
          sentimentBy: "assistant_b m",
          sovScore: 100 / 3,
          trackedSetVersion: 1,
          competitorsMentioned: []
        }
      },
      { ...of(two), failure: "throttled", answer: null },
      {
        ...of(three),
        failure: null,
        answer: {
          id: unnamed.id,
          brandMentioned: null,
          mentionCount: null,
          mentionPosition: null,
          sentiment: null,
          sentimentBy: null,
          sovScore: null,
          trackedSetVersion: null,
          competitorsMentioned: null
        }
      }
    ]
    assert.deepEqual(yield* results(), all)
    assert.deepEqual(yield* results({}, { limit: 1 }), all.slice(0, 1))
    assert.deepEqual(yield* results({}, { limit: 1, after: one!.id }), all.slice(1, 2))
    assert.deepEqual(yield* results({ mentionedOnly: true }), all.slice(0, 1))
    assert.deepEqual(yield* results({ keywordId: two!.keywordId }), all.slice(0, 2))
    assert.deepEqual(yield* results({ keywordIds: [two!.keywordId] }), all.slice(0, 2))
    assert.deepEqual(yield* results({ keywordIds: [two!.keywordId], mentionedOnly: true }), all.slice(0, 1))
    assert.deepEqual(yield* results({ keywordIds: [] }), [])
    assert.deepEqual(
      yield* results({ platform: three!.platform }),
      all.filter(({ platform }) => platform === three!.platform)
    )
  }),

  "knows the keywords of a scan": Effect.fnUntraced(function*() {
    const store = yield* CellStore
    const { keywords, organizationId, scan } = yield* seedScan()
    assert.deepEqual(yield* store.keywordIds(organizationId, scan.id), new Set(keywords.map(({ id }) => id)))
    const other = yield* addScan(organizationId, keywords.slice(0, 1))
    assert.deepEqual(yield* store.keywordIds(organizationId, other.scan.id), new Set<KeywordId>([keywords[0]!.id]))
    const active = keywords.length
    assert.deepEqual(yield* store.countAsked(organizationId, scan.id), { active, asked: active })
    assert.deepEqual(yield* store.countAsked(organizationId, other.scan.id), { active, asked: 1 })
    yield* (yield* KeywordStore).setStatus(organizationId, keywords[0]!.id, "paused")
    assert.deepEqual(yield* store.countAsked(organizationId, other.scan.id), { active: active - 1, asked: 0 })
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
