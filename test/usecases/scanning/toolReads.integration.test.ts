/** What the tool server reads of the core: visibility with its trend, keywords and results page by page. */
import {
  ArchiveStore,
  KeywordStore,
  listKeywords,
  MeasurementStore,
  type OrganizationId,
  readAnswer,
  readArchive,
  readMovements,
  readScanResults,
  readVisibility,
  readVisibilityWithSources,
  type Scan,
  scansInTrend,
  ScanStore,
  ScoreStore,
  setBrand,
  wholeHistory
} from "@sov/core"
import {
  addScan,
  answerTo,
  at,
  keywords,
  measurementOf,
  seedAnswers,
  seedOrganization,
  seedScan,
  type Stores
} from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { scanWith, seed } from "../../support/completedScans.ts"
import { oneHome } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const storage = openStorage(oneHome[0]!)
afterAll(storage.close)

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

describe("readVisibilityWithSources", () => {
  it("score and sources belong to the same scan, even if one completes between the two reads", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const first = yield* scanWith(id, 100, () => "Acme Forge.")
      const store = yield* ScoreStore
      const context = yield* Effect.context<Stores>()
      let second: Scan | undefined
      const complete = Effect.suspend(() =>
        second === undefined
          ? Effect.orDie(Effect.map(scanWith(id, 200, () => "Globex."), (scan) => void (second = scan)))
          : Effect.void
      ).pipe(Effect.provideContext(context))
      const racing = { ...store, newest: (of: OrganizationId) => Effect.andThen(complete, store.newest(of)) }
      const { sources, visibility } = yield* Effect.provideService(readVisibilityWithSources(id), ScoreStore, racing)
      expect(second?.id).not.toBe(first.id)
      expect([sources.scan.id, visibility.latest.scan.id]).toEqual([second?.id, second?.id])
    })))
})

describe("readVisibility", () => {
  /** Names the brand beside Globex: half of the answer is its. */
  const half = () => "Acme Forge and Globex."
  const all = () => "Acme Forge."
  const read = Effect.fnUntraced(function*(id: OrganizationId) {
    const { latest, previous, since } = yield* readVisibility(id)
    const movements = yield* readMovements(id, wholeHistory, latest.scan, latest.score)
    // One way to form a trend: `sov score` says the same of every state
    expect(movements.comparison?.trend ?? null).toEqual(since?.trend ?? null)
    expect(movements.previous?.id).toBe(previous?.id)
    return { ids: [latest.scan.id, previous?.id ?? null], since }
  })

  it("scans of one kind, measured alike, are compared over the cells that both answered", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      expect(yield* Effect.flip(readVisibility(id))).toMatchObject({ _tag: "NoCompletedScan" })
      const first = yield* scanWith(id, 100, half)
      expect(yield* read(id)).toEqual({ ids: [first.id, null], since: null })
      const second = yield* scanWith(
        id,
        200,
        (keyword) => keyword === 5 ? null : keyword === 0 ? "Acme Forge." : half()
      )
      expect(yield* read(id)).toMatchObject({
        ids: [second.id, first.id],
        since: {
          nCells: 10,
          ofCells: 12,
          trend: { before: 50, after: 60, direction: "flat" },
          platforms: [{ id: "assistant_a", delta: 10 }, { id: "assistant_b", delta: 10 }]
        }
      })
      // Read once
      const store = yield* MeasurementStore
      const silent = { ...store, rowsOfScans: () => Effect.die("read again") }
      const readSilent = Effect.provideService(readVisibility(id), MeasurementStore, silent)
      expect((yield* readSilent).since?.nCells).toBe(10)
      // But again where more of the answers are measured since, by the same rules
      const scores = yield* ScoreStore
      const one = { ...(yield* scores.newest(id))! }
      const { scan, score } = one.latest
      const newest = () => Effect.succeed({ ...one, latest: { scan, score: { ...score, unmeasuredCount: 1 } } })
      const findDetail = () => Effect.succeed(null)
      const again = yield* Effect.exit(Effect.provideService(readSilent, ScoreStore, { ...scores, newest, findDetail }))
      expect(String(again)).toContain("read again")
      // Made-up answers in between are not compared with, nor compared
      const simulated = yield* scanWith(id, 300, () => "Globex.", { simulated: true })
      expect(yield* read(id)).toEqual({ ids: [simulated.id, null], since: null })
      const fourth = yield* scanWith(id, 400, all)
      expect(yield* read(id)).toMatchObject({
        ids: [fourth.id, second.id],
        since: { nCells: 10, trend: { before: 60, after: 100 } }
      })
      // Questions that name the brand stand beside the headline
      yield* (yield* KeywordStore).add(id, yield* keywords(["is Acme Forge good?"]))
      const branded = yield* scanWith(id, 500, half)
      expect(yield* read(id)).toMatchObject({
        ids: [branded.id, fourth.id],
        since: { nCells: 12, ofCells: 12, trend: { delta: -50 } }
      })
      // Another brand since: the one before was measured with it, too
      yield* setBrand(id, { name: "Hooli", aliases: [], domains: [], excludes: [] })
      const renamed = yield* scanWith(id, 600, () => "Hooli and Globex.")
      expect(yield* read(id)).toMatchObject({
        ids: [renamed.id, branded.id],
        since: { trend: { before: 0, after: 50 } }
      })
    })))

  it("there is no trend over too few common cells, or across different names or rules", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const full = yield* scanWith(id, 100, half)
      const [one, other] = [
        yield* scanWith(id, 200, (_, platform) => platform === "assistant_a" ? "Globex." : null),
        yield* scanWith(id, 300, (_, platform) => platform === "assistant_b" ? "Acme Forge." : null)
      ]
      expect(yield* read(id)).toEqual({
        ids: [other.id, one.id],
        since: { breaks: [], nCells: 0, ofCells: 6, trend: null, platforms: [] }
      })
      const scored = (scan: Scan) =>
        Effect.map(
          Effect.flatMap(ScoreStore, (store) => store.ofScan(id, scan.id)),
          (score) => ({ scan, score: score! })
        )
      const [a, b, c] = yield* Effect.forEach([full, one, other], scored)
      expect(yield* scansInTrend(id, c!, [b!, a!])).toEqual([a])
      expect(yield* scansInTrend(id, a!, [c!, b!])).toEqual([c, b])
      const simulated = { ...a!, scan: { ...full, simulated: true } }
      const otherwise = { ...a!, score: { ...a!.score, measureVersion: 1 } }
      expect(yield* scansInTrend(id, a!, [simulated, otherwise])).toEqual([])

      const { scan } = yield* addScan(id, yield* (yield* KeywordStore).list(id, ["active"]), { startedAt: at(400) })
      yield* (yield* ScoreStore).insert(id, { ...c!.score, scanId: scan.id, measureVersion: 99 }, at(401))
      yield* (yield* ScanStore).end(id, scan.id, "completed", at(402))
      expect(yield* read(id)).toEqual({ ids: [scan.id, other.id], since: null })
    })))
})

describe("pages", () => {
  it("keywords and results are paged with cursors that are valid only for their query", () =>
    storage.run(Effect.gen(function*() {
      const { cells, keywords: [one, two], organizationId, scan } = yield* seedScan()
      const other = yield* seedScan()
      const keywordPage = yield* listKeywords(organizationId, {}, { limit: 1 })
      expect([keywordPage.rows.map(({ keyword }) => keyword.id), keywordPage.more]).toEqual([[one!.id], true])
      const cursor = keywordPage.nextCursor!
      const rest = yield* listKeywords(organizationId, {}, { limit: 1, cursor })
      expect([rest.rows.map(({ keyword }) => keyword.id), rest.more]).toEqual([[two!.id], false])
      const options = { limit: 1, cursor }
      expect([
        yield* tagOf(listKeywords(organizationId, { query: "a" }, options)),
        yield* tagOf(listKeywords(organizationId, { status: "active" }, options)),
        yield* tagOf(listKeywords(other.organizationId, {}, options)),
        yield* tagOf(listKeywords(organizationId, {}, { limit: 1, cursor: cursor.slice(0, -4) + "AAAA" })),
        yield* tagOf(readScanResults(organizationId, { scanId: scan.id }, options))
      ]).toEqual(Array.from({ length: 5 }, () => "BadCursor"))

      yield* seedAnswers({ organizationId, cells })
      expect(yield* tagOf(readScanResults(organizationId, {}, { limit: 1 }))).toBe("NoCompletedScan")
      const page = yield* readScanResults(organizationId, { scanId: scan.id }, { limit: 3 })
      expect([page.rows.length, page.more]).toEqual([3, true])
      const next = { limit: 3, cursor: page.cursorAfter(page.rows[2]!) }
      const last = yield* readScanResults(organizationId, { scanId: scan.id }, next)
      expect([last.rows.length, last.more]).toEqual([1, false])
      expect(new Set([...page.rows, ...last.rows].map(({ cellId }) => cellId)).size).toBe(4)
      const narrower = { scanId: scan.id, keywordId: one!.id }
      expect(yield* tagOf(readScanResults(organizationId, narrower, next))).toBe("BadCursor")
      expect(yield* tagOf(readScanResults(other.organizationId, { scanId: scan.id }, { limit: 1 })))
        .toBe("NotFound")
      yield* (yield* ScanStore).end(organizationId, scan.id, "completed", at(60))
      expect((yield* readScanResults(organizationId, {}, { limit: 1 })).scan.id).toBe(scan.id)
    })))

  it("long answers make a page shorter, and every answer appears on exactly one page", () =>
    storage.run(Effect.gen(function*() {
      const { cells, organizationId } = yield* seedScan()
      const archive = yield* ArchiveStore
      for (const [n, cell] of cells.entries()) {
        const rawResponse = n === 1 ? "x".repeat(4_194_304) : "short"
        yield* archive.append(organizationId, yield* answerTo(cell, { createdAt: at(20 + n), rawResponse }))
      }
      const seen: Array<ReadonlyArray<string>> = []
      let cursor: string | null | undefined
      while (cursor !== null) {
        const page = yield* readArchive(organizationId, wholeHistory, {}, { limit: 100, cursor })
        seen.push(page.rows.map(({ rawResponse }) => rawResponse.slice(0, 1)))
        cursor = page.nextCursor
      }
      expect(seen).toEqual([["s", "s", "x"], ["s"]])
    })))

  it("one answer of the organization can be read", () =>
    storage.run(Effect.gen(function*() {
      const { cells: [cell], organizationId } = yield* seedScan()
      const answer = yield* answerTo(cell!)
      yield* (yield* ArchiveStore).archive(organizationId, answer, measurementOf(answer))
      expect((yield* readAnswer(organizationId, wholeHistory, answer.id)).rawResponse).toBe(answer.rawResponse)
      const { id } = yield* seedOrganization()
      expect(yield* tagOf(readAnswer(id, wholeHistory, answer.id))).toBe("NotFound")
    })))
})
