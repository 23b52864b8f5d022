import {
  AnswerId,
  type ArchivedAnswer,
  type ArchiveRow,
  ArchiveStore,
  CellStore,
  hashLeaf,
  MeasurementStore,
  OrganizationId,
  provenanceFromAnswer,
  type RowProvenance,
  SourceStore,
  StoreError,
  TrackedSetStore
} from "@sov/core"
import {
  addScan,
  answerTo,
  at,
  captureOf,
  hostileTexts,
  measurementOf,
  newId,
  seedAnswers,
  seedOrganization,
  seedScan,
  trackedSet
} from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { failureOf, sameBytes, storeContract } from "./storeContract.ts"

/** Where an answer came from, as readers get it. */
const provenance = ({ capture, model }: ArchivedAnswer): RowProvenance => {
  const common = { model: model.replaceAll("\u0000", "\uFFFD") }
  if (capture === undefined) {
    const unknown = { search: null, payloadSha256: null, sourceVersion: null, status: null, cut: 0 }
    return { ...common, ...unknown, leafVersion: 1, sources: [], queries: [] }
  }
  const { found, payloadSha256, search, sourceVersion } = capture
  const sources = found.sources.map(({ end, kind, start, title, url }) => ({ kind, url, title, start, end }))
  const leafVersion = capture.asked === undefined ? 2 : 3
  return { ...common, ...found, leafVersion, search, payloadSha256, sourceVersion, sources }
}

/** The row that readers get of an answer that has no measurement. */
export const unmeasured = (answer: ArchivedAnswer): ArchiveRow => ({
  asked: answer.capture?.asked ?? null,
  provenance: provenance(answer),
  id: answer.id,
  scanId: answer.scanId,
  platform: answer.platform,
  keywordId: answer.keywordId,
  promptUsed: answer.promptUsed,
  rawResponse: answer.rawResponse,
  brandMentioned: null,
  mentionCount: null,
  mentionPosition: null,
  sentiment: null,
  sentimentBy: null,
  sovScore: null,
  createdAt: answer.createdAt,
  simulated: answer.simulated
})

const ids = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id)

/** What every ArchiveStore must keep. */
export const archiveStoreContract = storeContract("ArchiveStore", {
  "keeps text and payload exactly, however long": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const { cells, keywords, organizationId } = yield* seedScan()
    const more = [yield* addScan(organizationId, keywords), yield* addScan(organizationId, keywords)]
    const open = [...cells, ...more.flatMap((scan) => scan.cells)]
    const texts = [...hostileTexts, "long \u{1F6E0} ".repeat(100_000)]
    for (const [n, rawResponse] of texts.entries()) {
      const payload = Uint8Array.from({ length: 256 + n }, (_, i) => i % 256)
      const answer = yield* answerTo(open[n]!, { rawResponse, payload })
      assert.equal(yield* store.append(organizationId, answer), true)
      assert.deepEqual(yield* store.find(organizationId, answer.id), unmeasured(answer))
      sameBytes(yield* store.payload(organizationId, answer.id), payload)
    }
  }),

  "stores what a provider may send beside the text": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const { cells, organizationId } = yield* seedScan()
    const answer = yield* answerTo(cells[0]!, {
      model: "nul \u0000",
      citations: [{ url: "https://x.example/\u0000", title: "lone \uD800", position: 1 }],
      usage: { inputTokens: 9_000_000_000, outputTokens: null, costUsd: null },
      latencyMs: 3_000_000_000,
      simulated: true
    })
    assert.equal(yield* store.append(organizationId, answer), true)
    assert.deepEqual(yield* store.find(organizationId, answer.id), unmeasured(answer))
    assert.deepEqual(yield* store.origin(organizationId, answer.id), { adapter: answer.adapter, model: "nul \uFFFD" })
  }),

  "keeps one answer a cell: the first": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const { cells: [cell], organizationId } = yield* seedScan()
    const [first, second] = [yield* answerTo(cell!), yield* answerTo(cell!, { rawResponse: "later" })]
    assert.equal(yield* store.append(organizationId, first), true)
    assert.equal(yield* store.append(organizationId, second), false)
    assert.equal(yield* store.append(organizationId, first), false)
    assert.deepEqual(yield* store.find(organizationId, first.id), unmeasured(first))
    assert.equal(yield* store.find(organizationId, second.id), null)
    assert.equal(yield* store.payload(organizationId, second.id), null)
  }),

  "shows the newest measurement: the tracked set counts before the measure": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const { cells: [cell], organizationId } = yield* seedScan()
    yield* (yield* TrackedSetStore).append(organizationId, yield* trackedSet(2))
    const answer = yield* answerTo(cell!)
    yield* store.append(organizationId, answer)
    yield* (yield* MeasurementStore).insert(organizationId, [
      measurementOf(answer, { measureVersion: 9, mentionCount: 19 }),
      measurementOf(answer, {
        trackedSetVersion: 2,
        measureVersion: 2,
        brandMentioned: true,
        mentionCount: 22,
        mentionPosition: 3,
        sentiment: "negative",
        sentimentBy: "assistant_b m",
        sovScore: 100 / 3
      }),
      measurementOf(answer, { trackedSetVersion: 2, mentionCount: 21 })
    ])
    const expected = {
      ...unmeasured(answer),
      brandMentioned: true,
      mentionCount: 22,
      mentionPosition: 3,
      sentiment: "negative",
      sentimentBy: "assistant_b m",
      sovScore: 100 / 3
    }
    assert.deepEqual(yield* store.find(organizationId, answer.id), expected)
    assert.deepEqual(yield* store.page(organizationId, {}, { limit: 9, provenance: true }), [expected])
  }),

  "archives an answer with its measurement and ends its cell, once": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const { cells: [cell, other], organizationId, scan } = yield* seedScan()
    const answer = yield* answerTo(cell!)
    assert.equal(yield* store.archive(organizationId, answer, measurementOf(answer)), true)
    const row = yield* store.find(organizationId, answer.id)
    assert.deepEqual([row?.rawResponse, row?.brandMentioned], [answer.rawResponse, true])
    sameBytes((yield* store.payload(organizationId, answer.id))!, answer.payload)
    const again = yield* answerTo(cell!)
    assert.equal(yield* store.archive(organizationId, again, measurementOf(again)), false)
    assert.equal(yield* store.find(organizationId, again.id), null)
    const bare = yield* answerTo(other!)
    assert.equal(yield* store.archive(organizationId, bare, null), true)
    assert.equal((yield* store.find(organizationId, bare.id))?.brandMentioned, null)
    const counts = yield* (yield* CellStore).counts(organizationId, scan.id)
    assert.deepEqual(counts.map(({ answered, open }) => [answered, open]), [[2, 0], [0, 2]])
  }),

  "archives an answer with its measurement atomically": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const { cells: [cell], organizationId, scan } = yield* seedScan()
    const answer = yield* answerTo(cell!)
    const broken = { ...measurementOf(answer), trackedSetVersion: 99 }
    assert.equal((yield* Effect.flip(store.archive(organizationId, answer, broken))).reason, "constraint")
    assert.equal(yield* store.find(organizationId, answer.id), null)
    assert.equal((yield* (yield* CellStore).counts(organizationId, scan.id))[0]?.open, 2)
    assert.equal(yield* store.archive(organizationId, answer, null), true)
  }),

  "adds nothing for a cell that has ended": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const { cells: [cell], organizationId, scan } = yield* seedScan()
    yield* (yield* CellStore).cancelOpen(organizationId, scan.id)
    const answer = yield* answerTo(cell!)
    assert.equal(yield* store.archive(organizationId, answer, measurementOf(answer)), false)
    assert.deepEqual(yield* store.leaves(organizationId, scan.id), [])
  }),

  "counts the answers of a scan, and those that name the brand by their newest measurement": Effect.fnUntraced(
    function*() {
      const store = yield* ArchiveStore
      const { cells, organizationId, scan } = yield* seedScan()
      for (const [n, cell] of cells.slice(0, 2).entries()) {
        const answer = yield* answerTo(cell)
        yield* store.append(organizationId, answer)
        yield* (yield* MeasurementStore).insert(organizationId, [
          measurementOf(answer, { brandMentioned: n === 1 }),
          measurementOf(answer, { brandMentioned: n === 0, measureVersion: 2 })
        ])
      }
      yield* store.append(organizationId, yield* answerTo(cells[2]!))
      assert.deepEqual(yield* store.counts(organizationId, scan.id), { answers: 3, mentioned: 1 })
      assert.deepEqual(yield* store.counts((yield* seedOrganization()).id, scan.id), { answers: 0, mentioned: 0 })
    }
  ),

  "pages through everything once, newest first, also where times are equal": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const seed = yield* seedScan()
    const { organizationId } = seed
    yield* seedAnswers(seed)
    for (const cell of (yield* addScan(organizationId, seed.keywords)).cells) {
      yield* store.append(organizationId, yield* answerTo(cell, { createdAt: at(21) }))
    }
    const all = yield* store.page(organizationId, {}, { limit: 99 })
    const order = all.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
    assert.equal(all.length, 8)
    assert.deepEqual(all, order)
    for (const limit of [1, 3]) {
      const seen: Array<ArchiveRow> = []
      while (true) {
        const last = seen.at(-1)
        const page = yield* store.page(organizationId, {}, { limit, ...last === undefined ? {} : { after: last } })
        if (page.length === 0) break
        seen.push(...page)
      }
      assert.deepEqual(ids(seen), ids(all))
    }
  }),

  "filters by keyword, platform, scan and inclusive times": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const seed = yield* seedScan()
    const { cells, keywords, organizationId, scan } = seed
    const answers = yield* seedAnswers(seed)
    const other = yield* addScan(organizationId, keywords)
    const late = yield* answerTo(other.cells[0]!, { createdAt: at(40) })
    yield* store.append(organizationId, late)
    const page = (filters: Parameters<typeof store.page>[1]) =>
      Effect.map(store.page(organizationId, filters, { limit: 9 }), (rows) => ids(rows).toReversed())
    const of = (keep: (n: number) => boolean) => ids(answers.filter((_, n) => keep(n)))
    assert.deepEqual(yield* page({ scanId: scan.id }), ids(answers))
    assert.deepEqual(yield* page({ scanId: scan.id, platform: "assistant_b" }), of((n) => n >= 2))
    assert.deepEqual(
      yield* page({ keywordId: keywords[0]!.id, scanId: scan.id }),
      of((n) => cells[n]!.keywordId === keywords[0]!.id)
    )
    assert.deepEqual(yield* page({ from: at(21), to: at(22) }), of((n) => n === 1 || n === 2))
    assert.deepEqual(yield* page({ from: at(40) }), [late.id])
    assert.deepEqual(yield* page({ from: new Date(at(40).getTime() + 1) }), [])
    assert.deepEqual(yield* page({ platform: "assistant_c" }), [])
  }),

  "gives a page, as long as its texts allow, with the beginning of history, and null for no organization": Effect
    .fnUntraced(function*() {
      const store = yield* ArchiveStore
      const seed = yield* seedScan()
      const { organizationId } = seed
      const answers = yield* seedAnswers(seed)
      const textBytes = 1_000_000
      const history = (filters: Parameters<typeof store.page>[1], limit = 9) =>
        store.history(organizationId, filters, { limit, textBytes, after: { createdAt: at(22), id: answers[2]!.id } })
      assert.deepEqual(yield* history({}), {
        rows: (yield* store.page(organizationId, {}, { limit: 9 })).slice(2),
        more: false,
        reached: null,
        begin: at(0)
      })
      const one = yield* history({}, 1)
      assert.deepEqual([one?.rows.length, one?.more], [1, true])
      assert.deepEqual(yield* history({ platform: "assistant_e" }), {
        rows: [],
        more: false,
        reached: null,
        begin: at(0)
      })
      const late = yield* seedOrganization({ createdAt: at(99) })
      assert.deepEqual(yield* store.history(late.id, {}, { limit: 1, textBytes }), {
        rows: [],
        more: false,
        reached: null,
        begin: at(99)
      })
      assert.equal(yield* store.history(yield* newId(OrganizationId), {}, { limit: 1, textBytes }), null)
      const again = yield* addScan(organizationId, seed.keywords)
      yield* store.append(organizationId, yield* answerTo(again.cells[0]!, { createdAt: at(-5) }))
      assert.deepEqual((yield* history({ from: at(99) }))?.begin, at(-5))
      // Bytes, not characters: one that compresses well counts whole, and the page ends behind the row that fills it
      const long = [again.cells[1]!, again.cells[2]!, again.cells[3]!]
      for (const [n, cell] of long.entries()) {
        yield* store.append(
          organizationId,
          yield* answerTo(cell, { createdAt: at(50 + n), rawResponse: "é".repeat(50_000) })
        )
      }
      const within = (bytes: number) =>
        Effect.map(
          store.history(organizationId, { from: at(50) }, { limit: 9, textBytes: bytes }),
          (found) => [found?.rows.length, found?.more]
        )
      assert.deepEqual(
        [yield* within(1), yield* within(100_000), yield* within(100_001), yield* within(200_001)],
        [[1, true], [1, true], [2, true], [3, false]]
      )
    }),

  "gives the same page with answers as bytes of UTF-8": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const seed = yield* seedScan()
    const { organizationId } = seed
    yield* seedAnswers(seed)
    const again = yield* addScan(organizationId, seed.keywords)
    for (const [n, rawResponse] of ["", "plain", "– é \u{1F600} \u0080\"\\\n\uFFFD"].entries()) {
      yield* store.append(organizationId, yield* answerTo(again.cells[n]!, { createdAt: at(60 + n), rawResponse }))
    }
    for (const provenance of [false, true]) {
      const options = { limit: 5, textBytes: 1_000_000, provenance }
      const [texts, bytes] = [
        yield* store.history(organizationId, {}, options),
        yield* store.historyInUtf8(organizationId, {}, options)
      ]
      assert.deepEqual({
        ...bytes,
        rows: bytes?.rows.map((row) => ({ ...row, rawResponse: Buffer.from(row.rawResponse).toString() }))
      }, texts)
    }
    const options = { limit: 5, textBytes: 1_000_000 }
    assert.equal(yield* store.historyInUtf8(yield* newId(OrganizationId), {}, options), null)
    assert.deepEqual((yield* store.historyInUtf8(organizationId, { from: at(999) }, options))?.rows, [])
  }),

  "gives the leaves of one scan in id order": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const seed = yield* seedScan()
    const answers = yield* seedAnswers(seed)
    const leaves = yield* store.leaves(seed.organizationId, seed.scan.id)
    const sorted = answers.toSorted((a, b) => a.id < b.id ? -1 : 1)
    assert.deepEqual(ids(leaves), ids(sorted))
    for (const [n, leaf] of leaves.entries()) sameBytes(leaf.hash, sorted[n]!.leafHash)
  }),

  "returns the sealed fields of given answers, and those that match filters": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const seed = yield* seedScan()
    const { organizationId } = seed
    const answers = yield* seedAnswers(seed)
    const [first, second] = answers
    const wanted = [second!.id, first!.id, yield* newId(AnswerId)]
    const found = (yield* store.listSealed(organizationId, wanted)).toSorted((a, b) => a.id < b.id ? -1 : 1)
    assert.deepEqual(ids(found), [first!.id, second!.id].sort())
    for (const row of found) sameBytes(row.leafHash, hashLeaf(row))
    assert.deepEqual(yield* store.listSealed(organizationId, []), [])
    const hashed = yield* store.listSealed(organizationId, wanted, { payloads: true })
    const payload = createHash("sha256").update(first!.payload).digest("hex")
    assert.deepEqual(hashed.map(({ payloadFound }) => payloadFound), [payload, payload])
    assert.deepEqual(yield* store.filterIds(organizationId, {}, wanted), new Set([first!.id, second!.id]))
    assert.deepEqual(yield* store.filterIds(organizationId, { from: at(21) }, wanted), new Set([second!.id]))
    assert.equal(yield* store.count(organizationId, {}), 4)
    assert.equal(yield* store.count(organizationId, { platform: "assistant_b", to: at(22) }), 1)
  }),

  "restores the answers of an export, also several samples of a cell": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const { keywords: [keyword], organizationId, scan } = yield* seedScan()
    const exported = Effect.fnUntraced(function*(n: number) {
      return {
        id: yield* newId(AnswerId),
        scanId: scan.id,
        platform: "assistant_c" as const,
        keywordId: keyword!.id,
        promptUsed: keyword!.text,
        rawResponse: hostileTexts[n]!,
        createdAt: at(20 + n),
        simulated: n === 0,
        ...n % 2 === 0 ? {} : {
          provenance: provenanceFromAnswer({ model: hostileTexts[n]!, simulated: false, capture: captureOf() }),
          reported: { status: n === 1 ? "complete" as const : "unreadable" as const, cut: n }
        }
      }
    })
    const made = yield* Effect.forEach(hostileTexts, (_, n) => exported(n))
    yield* store.restore(organizationId, made.slice(0, 2))
    yield* store.restore(organizationId, made.slice(2))
    for (const answer of made) {
      const row = yield* store.find(organizationId, answer.id)
      const { provenance: sealed, reported, ...shown } = answer
      assert.deepEqual(row && { ...shown, ...row }, row)
      const found = row?.provenance
      assert.equal(found?.leafVersion, sealed == null ? 1 : 2)
      assert.equal(found?.model, sealed == null ? "unknown" : sealed.model)
      assert.deepEqual([found?.cut, found?.status], sealed == null ? [0, null] : [reported?.cut, reported?.status])
      if (sealed == null) continue
      const derived = yield* (yield* SourceStore).find(organizationId, answer.id)
      assert.deepEqual(derived?.sources, captureOf().found.sources)
    }
    const sealed = yield* store.listSealed(organizationId, made.map(({ id }) => id))
    for (const row of sealed) {
      sameBytes(row.leafHash, hashLeaf(made.find(({ id }) => id === row.id)!))
      sameBytes(row.leafHash, hashLeaf(row))
    }
    const unkept = yield* store.listSealed(organizationId, [made[1]!.id], { payloads: true })
    assert.deepEqual(unkept.map(({ payloadFound }) => payloadFound), [null])
    const counts = yield* (yield* CellStore).counts(organizationId, scan.id)
    assert.equal(counts.find(({ platform }) => platform === "assistant_c")?.answered, made.length)
    const error = yield* failureOf(store.restore(organizationId, [made[0]!]))
    assert.ok(error instanceof StoreError)
    assert.equal(error.reason, "constraint")
  }),

  "returns its size per platform and its oldest answer": Effect.fnUntraced(function*() {
    const store = yield* ArchiveStore
    const { id } = yield* seedOrganization()
    assert.deepEqual(yield* store.stats(id), [])
    assert.equal(yield* store.oldest(id), null)
    const { cells: [one, two, three], organizationId } = yield* seedScan()
    const text = { rawResponse: "ä\u{1F6E0}" }
    yield* store.append(organizationId, yield* answerTo(one!, { ...text, createdAt: at(23), simulated: true }))
    yield* store.append(organizationId, yield* answerTo(two!, { ...text, createdAt: at(22) }))
    yield* store.append(organizationId, yield* answerTo(three!, { rawResponse: "", createdAt: at(24) }))
    assert.deepEqual(yield* store.stats(organizationId), [
      { platform: "assistant_a", answers: 2, simulated: 1, textBytes: 12, first: at(22), last: at(23) },
      { platform: "assistant_b", answers: 1, simulated: 0, textBytes: 0, first: at(24), last: at(24) }
    ])
    assert.deepEqual(yield* store.oldest(organizationId), at(22))
    assert.equal(yield* store.find(organizationId, yield* newId(AnswerId)), null)
  })
})
