/**
 * What the first page of a dashboard says: the numbers of `sov score`, the course of scans, and what the plan shows.
 */
import {
  addCompetitor,
  historyWindowAt,
  KeywordStore,
  type OrganizationId,
  type Overview,
  readOverview,
  readScoreReport,
  ScanStore,
  setAlertRule,
  wholeHistory
} from "@sov/core"
import { addScan, at } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { answeredScan, scanWith, seed } from "../../support/completedScans.ts"
import { oneHome } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const storage = openStorage(oneHome[0]!)
afterAll(storage.close)

const half = () => "Acme Forge and Globex."
const all = () => "Acme Forge."
const read = (id: OrganizationId, window = wholeHistory) => readOverview(id, window, 12, null)
const points = ({ standing }: Overview) =>
  standing!.trend.map(({ changed, comparable, scan, sov }) => [scan.status, sov, comparable, changed])

describe("readOverview", () => {
  it("the overview states why there is no score yet, and shows the running scan", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      expect(yield* read(id)).toMatchObject({ standing: null, missing: "scan", running: null, scans: [], alerts: [] })
      const scan = yield* answeredScan(id, 10, (keyword) => keyword === 0 ? all() : null)
      expect(yield* read(id)).toMatchObject({
        missing: "scan",
        running: { scan: { id: scan.id }, counts: [{ answered: 1, failed: 5 }, { answered: 1, failed: 5 }] },
        scans: [{ id: scan.id }]
      })
    })))

  it("the overview shows the newest score by platform and question, weakest question first", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      yield* scanWith(id, 100, half)
      const newest = yield* scanWith(
        id,
        200,
        (keyword, platform) => keyword === 5 ? (platform === "assistant_a" ? "Globex." : null) : half()
      )
      const { standing, windowApplied } = yield* read(id)
      expect(windowApplied).toBe(false)
      const { keywords, keywordCount, named, platforms, report } = standing!
      expect(report).toEqual(yield* readScoreReport(id, wholeHistory, 12, null))
      expect(report.scan.id).toBe(newest.id)
      expect(platforms).toMatchObject([
        { platform: "assistant_a", sov: 250 / 6, answered: 6, failed: 0, course: [50, 250 / 6] },
        { platform: "assistant_b", sov: 50, answered: 5, failed: 1, course: [50, 50] }
      ])
      expect(keywordCount).toBe(6)
      expect(keywords[0]).toMatchObject({ text: "best anvil for workshop 5?", sov: 0, answers: 1 })
      // No answer is no 0
      expect([...keywords[0]!.platforms]).toEqual([["assistant_a", 0]])
      expect(named.map(({ name, who }) => [who, name])).toEqual([
        ["brand", "Acme Forge"],
        ["competitor", "Globex"],
        ["competitor", "Initech"],
        ["nobody", null]
      ])
      expect(named.reduce((total, { sov }) => total + sov!, 0)).toBeCloseTo(100)
      for (const { interval, sov } of named) {
        expect(interval!.low).toBeLessThanOrEqual(sov!)
        expect(interval!.high).toBeGreaterThanOrEqual(sov!)
      }
      expect(named[1]!.course).toEqual([50, named[1]!.sov])
    })))

  it("the trend marks failed, cancelled and partial scans, and changed names", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      yield* scanWith(id, 90, half, { simulated: true })
      yield* scanWith(id, 100, half)
      yield* addCompetitor(id, { name: "Hooli", aliases: [], domains: [] })
      const scans = yield* ScanStore
      const asked = yield* (yield* KeywordStore).list(id, ["active"])
      for (const [seconds, status] of [[60, "failed"], [110, "failed"], [120, "cancelled"]] as const) {
        const { scan } = yield* addScan(id, asked, { startedAt: at(seconds) })
        yield* scans.end(id, scan.id, status, at(seconds + 1))
      }
      yield* scanWith(id, 130, half)
      yield* scanWith(id, 140, (keyword) => keyword === 0 ? all() : null)
      yield* scanWith(id, 150, all)
      // Completing measured the scan before it with the new names, too
      expect(points(yield* read(id))).toEqual([
        ["completed", 50, true, null],
        ["failed", null, false, null],
        ["cancelled", null, false, null],
        ["completed", 50, true, null],
        ["completed", 100, false, null],
        ["completed", 100, true, null]
      ])
      yield* addCompetitor(id, { name: "Umbrella", aliases: [], domains: [] })
      yield* scanWith(id, 160, all, { platforms: ["assistant_c"] })
      // Only the scan before it was measured with the newest names
      expect(points(yield* read(id)).map(([, , , changed]) => changed)).toEqual([
        ...Array.from({ length: 5 }, () => null),
        "names",
        null
      ])
    })))

  it("the overview shows the threshold of an enabled drop alert", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      expect((yield* read(id)).threshold).toBe(null)
      yield* setAlertRule(id, { rule: "sov_drop", enabled: true, threshold: 40 })
      expect((yield* read(id)).threshold).toBe(40)
      yield* setAlertRule(id, { rule: "sov_drop", enabled: false })
      expect((yield* read(id)).threshold).toBe(null)
    })))

  it("the overview shows and compares nothing outside the plan's window, and states that more exists", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const day = 86_400
      yield* scanWith(id, 0, half)
      yield* scanWith(id, 3 * day, all)
      const free = { plan: "free", historyDays: null } as const
      const both = yield* read(id, historyWindowAt(free, at(7 * day)))
      expect(both.windowApplied).toBe(false)
      expect(points(both)).toHaveLength(2)
      const one = yield* read(id, historyWindowAt(free, at(7 * day + 1)))
      expect(one).toMatchObject({
        windowApplied: true,
        standing: { report: { movements: { comparison: null, previous: null, next: null } } }
      })
      expect(points(one)).toEqual([["completed", 100, true, null]])
      expect(one.scans).toHaveLength(1)
      const none = yield* read(id, historyWindowAt(free, at(11 * day)))
      expect(none).toMatchObject({ standing: null, missing: "window", windowApplied: true, scans: [], alerts: [] })
    })))
})
