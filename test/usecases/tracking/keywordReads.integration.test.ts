/** Keywords and competitors with their shares, as lists and pages show them. */
import {
  addCompetitor,
  addKeywords,
  KeywordId,
  KeywordStore,
  listKeywordStandings,
  readCompetitors,
  readKeywordHistory,
  readScoreReport,
  setKeywordStatus,
  wholeHistory
} from "@sov/core"
import { at, newId, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { scanWith, seed, texts } from "../../support/completedScans.ts"
import { oneHome } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const storage = openStorage(oneHome[0]!)
afterAll(storage.close)

const half = () => "Acme Forge and Globex."
/** The first question names the brand on one platform only, and not at all in the second scan. */
const first = (keyword: number, platform: string) =>
  keyword !== 0 ? half() : platform === "assistant_a" ? "Acme Forge." : "Globex."
const second = (keyword: number, platform: string) =>
  keyword !== 0 ? half() : platform === "assistant_a" ? "Globex." : null

describe("listKeywordStandings", () => {
  it("the list pages through keywords with their shares over the last scans that were measured alike", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const none = yield* listKeywordStandings(id, wholeHistory, {}, { limit: 2 })
      expect(none).toMatchObject({
        rows: [{ sov: null, course: [], recent: null, branded: false }, {}],
        counts: { active: 6, paused: 0, archived: 0 },
        scans: []
      })
      const one = yield* scanWith(id, 10, first)
      yield* scanWith(id, 15, half, { simulated: true })
      const two = yield* scanWith(id, 20, second)
      const page = yield* listKeywordStandings(id, wholeHistory, {}, { limit: 1 })
      expect(page.scans.map((scan) => scan.id)).toEqual([one.id, two.id])
      expect(page.rows).toMatchObject([{
        summary: { keyword: { text: texts[0] } },
        sov: 0,
        course: [50, 0],
        // Platform a: named, then not; platform b: not named
        recent: { sov: 25, scans: 2, answers: 3 }
      }])
      const rest = yield* listKeywordStandings(id, wholeHistory, {}, { limit: 9, cursor: page.nextCursor! })
      expect(rest.rows.map(({ course }) => course)).toEqual(Array.from({ length: 5 }, () => [50, 50]))
      expect(rest.nextCursor).toBe(null)
    })))

  it("the list marks keywords that name the brand, and shows nothing outside the window", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      yield* addKeywords(id, ["is Acme Forge any good?"])
      yield* scanWith(id, 10, (keyword) => keyword === -1 ? "Acme Forge." : half())
      const list = (since: Date | null) => listKeywordStandings(id, { since }, { query: "any good" }, { limit: 9 })
      expect((yield* list(null)).rows).toMatchObject([{ branded: true, sov: 100, summary: { lastMentioned: true } }])
      // Answers are archived at `at(20)`
      expect((yield* list(at(21))).rows).toMatchObject([{
        sov: null,
        recent: null,
        summary: { lastScannedAt: null, lastMentioned: null }
      }])
    })))
})

describe("readKeywordHistory", () => {
  it("the history shows whether each question was answered and named the brand, and which names it contained", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const [asked] = yield* (yield* KeywordStore).list(id, ["active"])
      expect(yield* readKeywordHistory(id, wholeHistory, asked!.id)).toMatchObject({
        keyword: asked,
        scans: [],
        platforms: [],
        named: [],
        course: []
      })
      const one = yield* scanWith(id, 10, first)
      yield* setKeywordStatus(id, asked!.id, "paused")
      // This scan does not ask it
      yield* scanWith(id, 15, half)
      yield* setKeywordStatus(id, asked!.id, "active")
      const two = yield* scanWith(id, 20, second)
      const history = yield* readKeywordHistory(id, wholeHistory, asked!.id)
      expect(history.scans.map((scan) => scan.id)).toEqual([one.id, two.id])
      expect(history).toMatchObject({ branded: false, sov: 0, course: [50, 0] })
      const cells = history.platforms.map(({ cells: own, platform }) => [
        platform,
        own.map(({ answerId, brandMentioned, scanId, state }) => [scanId, state, brandMentioned, answerId !== null])
      ])
      expect(cells).toEqual([
        ["assistant_a", [[one.id, "answered", true, true], [two.id, "answered", false, true]]],
        ["assistant_b", [[one.id, "answered", false, true], [two.id, "failed", null, false]]]
      ])
      expect(history.named.map(({ name, sov, who }) => [who, name, sov])).toEqual([
        ["brand", "Acme Forge", 25],
        ["competitor", "Globex", 75],
        ["competitor", "Initech", 0],
        ["nobody", null, 0]
      ])
      const recent = yield* readKeywordHistory(id, { since: at(20) }, asked!.id)
      expect(recent.scans.map((scan) => scan.id)).toEqual([two.id])
      const unknown = readKeywordHistory(id, wholeHistory, yield* newId(KeywordId))
      expect(yield* Effect.flip(unknown)).toMatchObject({ _tag: "NotFound", what: "keyword" })
      expect(yield* Effect.flip(readKeywordHistory(yield* seed, wholeHistory, asked!.id))).toMatchObject({
        _tag: "NotFound"
      })
    })))
})

describe("readCompetitors", () => {
  it("competitors' shares match the score report; scans measured with an older tracked set are counted", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      expect(yield* readCompetitors(id, wholeHistory, 12)).toMatchObject({
        scan: null,
        named: [],
        measuredOtherwise: 0
      })
      yield* scanWith(id, 10, half)
      const scan = yield* scanWith(id, 20, half)
      const { movements, score } = yield* readScoreReport(id, wholeHistory, 12, null)
      const found = yield* readCompetitors(id, wholeHistory, 12)
      expect(found).toMatchObject({ scan: { id: scan.id }, measuredOtherwise: 0 })
      expect(found.named.map(({ name, sov }) => [name, sov])).toEqual([
        ["Acme Forge", 50],
        ["Globex", 50],
        ["Initech", 0],
        [null, 0]
      ])
      expect(found.named[0]).toMatchObject({
        sov: score.avgSov,
        interval: score.uncertainty!.interval,
        course: [50, 50]
      })
      expect(movements.keywordShares.map(({ answers }) => answers)).toEqual([2, 2, 2, 2, 2, 2])
      yield* addCompetitor(id, { name: "Hooli", aliases: [], domains: [] })
      const changed = yield* readCompetitors(id, wholeHistory, 12)
      expect(changed.trackedSet.competitors.map(({ name }) => name)).toContain("Hooli")
      // Named as they were when it was measured
      expect(changed.named.map(({ name }) => name)).not.toContain("Hooli")
      expect(changed.measuredOtherwise).toBe(2)
      const { id: empty } = yield* seedOrganization()
      expect(yield* Effect.flip(readCompetitors(empty, wholeHistory, 12))).toMatchObject({ _tag: "NotReady" })
    })))
})
