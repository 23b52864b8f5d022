/** What the tool server reads of the core: visibility with its trend, keywords and results page by page. */
import {
  ArchiveStore,
  listKeywords,
  readAnswer,
  readScanResults,
  readVisibility,
  type Scan,
  ScanStore,
  type Score,
  ScoreStore
} from "@sov/core"
import {
  addScan,
  answerTo,
  at,
  measurementOf,
  scoreOf,
  seedAnswers,
  seedOrganization,
  seedScan
} from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { openStorage } from "../support/storage.ts"

const storage = openStorage("embedded")
afterAll(storage.close)

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

describe("readVisibility", () => {
  const completed = Effect.fnUntraced(function*(
    { keywords, organizationId }: Effect.Success<ReturnType<typeof seedScan>>,
    seconds: number,
    fields: Partial<Scan>,
    score: Partial<Score>
  ) {
    const { scan } = yield* addScan(organizationId, keywords, { startedAt: at(seconds), ...fields })
    yield* (yield* ScoreStore).insert(organizationId, scoreOf(scan.id, score), at(seconds + 1))
    yield* (yield* ScanStore).end(organizationId, scan.id, "completed", at(seconds + 2))
    return scan.id
  })

  it("compares scans of one kind that were measured alike", () =>
    storage.run(Effect.gen(function*() {
      const seeded = yield* seedScan()
      const { organizationId } = seeded
      const ids = Effect.map(readVisibility(organizationId), ({ latest, previous }) => [
        latest.scan.id,
        previous && [previous.scan.id, previous.score.avgSov]
      ])
      expect(yield* Effect.flip(readVisibility(organizationId))).toMatchObject({ _tag: "NoCompletedScan" })
      const first = yield* completed(seeded, 100, {}, { avgSov: 10 })
      expect(yield* ids).toEqual([first, null])
      const second = yield* completed(seeded, 200, {}, { avgSov: 20 })
      expect(yield* ids).toEqual([second, [first, 10]])
      // Made-up answers in between are not compared with, nor compared
      const simulated = yield* completed(seeded, 300, { simulated: true }, { avgSov: 90 })
      expect(yield* ids).toEqual([simulated, null])
      const fourth = yield* completed(seeded, 400, {}, { avgSov: 30 })
      expect(yield* ids).toEqual([fourth, [second, 20]])
      // Other rules since: the one before counts only as far as it was measured again
      const fifth = yield* completed(seeded, 500, {}, { avgSov: 40, measureVersion: 2 })
      expect(yield* ids).toEqual([fifth, null])
      yield* (yield* ScoreStore).insert(organizationId, scoreOf(fourth, { avgSov: 35, measureVersion: 2 }), at(600))
      expect(yield* ids).toEqual([fifth, [fourth, 35]])
    })))
})

describe("pages", () => {
  it("lists keywords and results with cursors of this query only", () =>
    storage.run(Effect.gen(function*() {
      const { cells, keywords: [one, two], organizationId, scan } = yield* seedScan()
      const other = yield* seedScan()
      const keywordPage = yield* listKeywords(organizationId, {}, { limit: 1 })
      expect([keywordPage.rows.map(({ keyword }) => keyword.id), keywordPage.more]).toEqual([[one!.id], true])
      const cursor = keywordPage.cursorAfter(one!)
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

  it("reads one answer of the organization", () =>
    storage.run(Effect.gen(function*() {
      const { cells: [cell], organizationId } = yield* seedScan()
      const answer = yield* answerTo(cell!)
      yield* (yield* ArchiveStore).archive(organizationId, answer, measurementOf(answer))
      expect((yield* readAnswer(organizationId, answer.id)).rawResponse).toBe(answer.rawResponse)
      const { id } = yield* seedOrganization()
      expect(yield* tagOf(readAnswer(id, answer.id))).toBe("NotFound")
    })))
})
