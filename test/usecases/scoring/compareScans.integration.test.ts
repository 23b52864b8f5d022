/** Scans that are measured again when what is tracked has changed, and compared; on each home. */
import {
  addCompetitor,
  compareScans,
  completeScan,
  KeywordStore,
  readComparison,
  readMovements,
  type Scan,
  ScoreStore,
  setBrand,
  wholeHistory
} from "@sov/core"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { measurements, scanWith, scoresOf, seed, texts } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  it("the earlier scan is measured once with the new tracked set, and its old measurements stay", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const oldest = yield* scanWith(id, 10, () => "Acme Forge, or Hooli.")
      const first = yield* scanWith(id, 20, () => "Acme Forge, or Hooli.")
      expect(yield* measurements(id)).toBe(24)
      yield* addCompetitor(id, { name: "Hooli", aliases: [], domains: [] })
      const second = yield* scanWith(id, 30, () => "Acme Forge, or Hooli.")
      expect(yield* scoresOf(id, oldest)).toEqual([[1, 100]])
      expect(yield* scoresOf(id, first)).toEqual([[1, 100], [2, 50]])
      expect(yield* scoresOf(id, second)).toEqual([[2, 50]])
      expect(yield* measurements(id)).toBe(48)
      yield* completeScan(id, second.id)
      const third = yield* scanWith(id, 40, () => "Acme Forge, or Hooli.")
      expect(yield* measurements(id)).toBe(60)
      const { comparison, keywordShares, next } = yield* readMovements(
        id,
        wholeHistory,
        third,
        (yield* (yield* ScoreStore).ofScan(id, third.id))!
      )
      expect(keywordShares.map(({ answers }) => answers)).toEqual([2, 2, 2, 2, 2, 2])
      expect(comparison).toMatchObject({ nCells: 12, trackedSetVersion: 2, trend: { delta: 0, direction: "flat" } })
      expect(next).toMatchObject({ expected: 50, nCells: 12 })
    })))

  it("a scan is not compared with a scan of another kind or with an incomplete scan", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const real = yield* scanWith(id, 10, () => "Acme Forge.")
      yield* scanWith(id, 20, () => "Acme Forge.", { simulated: true })
      yield* scanWith(id, 30, () => null)
      yield* setBrand(id, { name: "Globe Forge", aliases: [], domains: [], excludes: [] })
      const last = yield* scanWith(id, 40, () => "Globe Forge.")
      expect(yield* scoresOf(id, real)).toEqual([[1, 100], [2, 0]])
      const { comparison, previous } = yield* readMovements(
        id,
        wholeHistory,
        last,
        (yield* (yield* ScoreStore).ofScan(id, last.id))!
      )
      expect(previous?.id).toBe(real.id)
      expect(comparison).toMatchObject({ before: { id: real.id }, trend: { delta: 100, direction: "flat" } })
      expect(yield* Effect.flip(compareScans(id, wholeHistory, "previous", "nothing"))).toMatchObject({
        _tag: "NotFound"
      })
    })))

  it("latest and previous refer to scans that asked everything, even if narrowed scans came in between", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const askable = { keywords: 6, platforms: 2 }
      const part: Partial<Scan> = { askable, platforms: ["assistant_a"], cellCount: 6 }
      const answer = () => "Acme Forge."
      const narrow = yield* scanWith(id, 5, answer, part)
      const compared = (before: string, after: string) =>
        Effect.map(
          readComparison(id, wholeHistory, before, after),
          (found) => [found.before.id, found.after.id]
        )
      expect(yield* compared("latest", "latest")).toEqual([narrow.id, narrow.id])
      const before = yield* scanWith(id, 10, answer, { askable })
      yield* scanWith(id, 20, answer, part)
      const after = yield* scanWith(id, 30, answer, { askable })
      const last = yield* scanWith(id, 40, answer, part)
      expect(yield* compared("previous", "latest")).toEqual([before.id, after.id])
      expect(yield* compared(narrow.id, last.id)).toEqual([narrow.id, last.id])
    })))

  it("scans are compared by cell, and the result lists cells that moved or failed and competitors that moved", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const before = yield* scanWith(id, 10, () => "Acme Forge and Globex.")
      const after = yield* scanWith(
        id,
        20,
        (keyword, platform) =>
          platform === "assistant_b" && keyword === 5 ? null : platform === "assistant_b" ? "Globex." : "Acme Forge."
      )
      // However many keywords the organization has: only those with answers are read
      const keywords = KeywordStore.of({
        ...yield* KeywordStore,
        list: () => Effect.die("all keywords")
      })
      const found = yield* Effect.provideService(
        compareScans(id, wholeHistory, "previous", "latest"),
        KeywordStore,
        keywords
      )
      const score = (yield* (yield* ScoreStore).ofScan(id, after.id))!
      const movements = yield* Effect.provideService(
        readMovements(id, wholeHistory, after, score),
        KeywordStore,
        keywords
      )
      expect(movements).toMatchObject({ comparison: { nCells: found.nCells } })
      expect([found.before.id, found.after.id]).toEqual([before.id, after.id])
      expect(found).toMatchObject({ nCells: 11, ofCells: 12, measuredAgain: [] })
      expect(found.trend).toMatchObject({ before: 50, after: 50, delta: 0, direction: "flat" })
      expect(found.platforms).toMatchObject([
        { id: "assistant_a", before: 50, after: 100, nCells: 6, beyondNoise: false },
        { id: "assistant_b", before: 50, after: 0, nCells: 5, beyondNoise: false }
      ])
      expect(found.keywords).toHaveLength(6)
      const [globex, initech] = found.competitors
      expect(globex!.trend).toMatchObject({ before: 50, after: 50 })
      expect(initech!.trend).toMatchObject({ before: 0, after: 0, z: 0 })
      expect(found.nobody).toMatchObject({ after: 0 })
      expect(new Set(found.keywordTexts.values())).toEqual(new Set(texts))
      expect(yield* compareScans(id, wholeHistory, after.id, before.id)).toMatchObject({ trend: { delta: 0 } })
    })))

  it("a scan that was measured differently is measured again, and the result states this", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const oldest = yield* scanWith(id, 10, () => "Acme Forge, or Hooli.")
      yield* scanWith(id, 20, () => "Acme Forge, or Hooli.")
      yield* addCompetitor(id, { name: "Hooli", aliases: [], domains: [] })
      const latest = yield* scanWith(id, 30, () => "Acme Forge, or Hooli.")
      const found = yield* compareScans(id, wholeHistory, oldest.id, "latest")
      expect(found).toMatchObject({ trackedSetVersion: 2, trend: { before: 50, after: 50 } })
      expect(found.measuredAgain.map((scan) => scan.id)).toEqual([oldest.id])
      expect(yield* scoresOf(id, oldest)).toEqual([[1, 100], [2, 50]])
      expect(yield* compareScans(id, wholeHistory, oldest.id, latest.id)).toMatchObject({ measuredAgain: [] })
    })))

  it("scans that cannot be compared are refused", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      expect(yield* Effect.flip(compareScans(id, wholeHistory, "latest", "latest"))).toMatchObject({
        _tag: "NotFound",
        what: "scan"
      })
      const real = yield* scanWith(id, 10, () => "Acme Forge.")
      expect(yield* Effect.flip(compareScans(id, wholeHistory, "previous", "latest"))).toMatchObject({
        _tag: "NotFound"
      })
      const failed = yield* scanWith(id, 20, () => null)
      const played = yield* scanWith(id, 30, () => "Acme Forge.", { simulated: true })
      for (const other of [failed, played]) {
        expect(yield* Effect.flip(compareScans(id, wholeHistory, real.id, other.id))).toMatchObject({
          _tag: "Rejected"
        })
      }
      const few = yield* scanWith(id, 40, (keyword) => keyword < 2 ? "Acme Forge." : null)
      expect(yield* compareScans(id, wholeHistory, real.id, few.id)).toMatchObject({
        nCells: 4,
        ofCells: 12,
        trend: null,
        keywords: []
      })
    })))
})
