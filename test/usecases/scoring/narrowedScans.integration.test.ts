/** A scan of a part or of another view never replaces the headline: on every surface that says "the" share of voice. */
import {
  compareScans,
  findScan,
  keepScoreDetail,
  type OrganizationId,
  previewAlertRule,
  previewExperiment,
  readCurrentScore,
  readDigest,
  readOverview,
  readPortfolio,
  readScoreReport,
  readSourceHighlights,
  readVisibility,
  readVisibilityWithSources,
  type Scan,
  ScoreStore,
  suggestCompetitors,
  wholeHistory
} from "@sov/core"
import { at } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { drop, listed, named, seedWithRules } from "../../support/alertRules.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const askable = { keywords: 6, platforms: 2 }
const part = { askable, platforms: ["assistant_a"] } satisfies Partial<Scan>

/** The scan of each headline. */
const headlines = Effect.fnUntraced(function*(id: OrganizationId) {
  const overview = yield* readOverview(id, wholeHistory, 12, null)
  const [entry] = yield* readPortfolio([{ organizationId: id, window: wholeHistory }])
  const withSources = yield* readVisibilityWithSources(id)
  return {
    sov: (yield* readCurrentScore(id)).scan.id,
    score: (yield* readScoreReport(id, wholeHistory, 12, null)).scan.id,
    overview: overview.standing!.report.scan.id,
    portfolio: entry!.latest!.scan.id,
    tools: (yield* readVisibility(id)).latest.scan.id,
    summary: withSources.visibility.latest.scan.id,
    sources: withSources.sources.scan.id,
    highlights: (yield* readSourceHighlights(id, wholeHistory)).scan.id,
    digest: (yield* readDigest(id, at(86_400 * 3650))).score!.scanId
  }
})
const allOf = (found: Effect.Success<ReturnType<typeof headlines>>, id: string) =>
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((key) => [key, id])))

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  it("a narrowed scan is not a headline, and scans that asked everything are compared across it", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const first = yield* scanWith(id, 100, named(12), { askable })
      const second = yield* scanWith(id, 200, named(6), { askable })
      const narrowed = yield* scanWith(id, 300, named(0), part)
      allOf(yield* headlines(id), second.id)
      const report = yield* readScoreReport(id, wholeHistory, 12, null)
      expect([report.newer?.id, report.movements.previous?.id]).toEqual([narrowed.id, first.id])
      const kept = yield* (yield* ScoreStore).findDetail(id, report.score)
      expect(kept?.scans.map((scan) => scan.id)).toEqual([first.id, second.id])
      yield* keepScoreDetail(id)
      const third = yield* scanWith(id, 400, named(6), { askable })
      allOf(yield* headlines(id), third.id)
      const { movements } = yield* readScoreReport(id, wholeHistory, 12, null)
      expect([movements.previous?.id, movements.comparison?.trend?.delta]).toEqual([second.id, 0])
      expect((yield* readVisibility(id)).previous?.id).toBe(second.id)
    })))

  const germany = { view: { name: "germany", country: "DE", language: "de", context: null } }
  it(
    "a scan of another view is in no headline, trend, comparison, digest, alert, experiment or suggestion",
    () =>
      storage.run(Effect.gen(function*() {
        const id = yield* seedWithRules(
          drop,
          { rule: "competitor_overtake", enabled: true },
          { rule: "new_mention", enabled: true }
        )
        const first = yield* scanWith(id, 100, named(12))
        const second = yield* scanWith(id, 200, named(12))
        const before = yield* readOverview(id, wholeHistory, 12, null)
        yield* scanWith(id, 300, named(12), germany)
        yield* scanWith(id, 400, () => "Take Globex.", germany)
        allOf(yield* headlines(id), second.id)
        expect((yield* findScan(id, "latest")).id).toBe(second.id)
        expect(yield* listed(id)).toEqual([])
        const report = yield* readScoreReport(id, wholeHistory, 12, null)
        expect([report.newer, report.movements.previous?.id]).toEqual([null, first.id])
        expect(report.history.map(({ scanId }) => scanId)).toEqual([first.id, second.id])
        expect((yield* readOverview(id, wholeHistory, 12, null)).standing).toEqual(before.standing)
        expect((yield* readDigest(id, new Date(second.completedAt!.getTime() + 600_000))).scans).toBe(2)
        const compared = yield* compareScans(id, wholeHistory, "previous", "latest")
        expect([compared.before.id, compared.after.id]).toEqual([first.id, second.id])
        expect((yield* previewExperiment(id, null)).scansBefore).toBe(2)
        expect((yield* suggestCompetitors(id, wholeHistory, { maxAnswers: 1000 }, () => {})).scans).toBe(2)
        yield* keepScoreDetail(id)
        const third = yield* scanWith(id, 500, named(3))
        allOf(yield* headlines(id), third.id)
        expect(yield* listed(id)).toMatchObject([{ rule: "sov_drop", data: { previous_scan_id: second.id } }])
        // And the view has a share of its own
        const german = yield* readScoreReport(id, wholeHistory, 12, null, germany.view.name)
        expect([german.score.avgSov, german.history.length]).toEqual([0, 2])
      }))
  )

  it("the newest scan is the headline if every scan is narrowed", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      yield* scanWith(id, 100, named(12), part)
      const newest = yield* scanWith(id, 200, named(6), part)
      allOf(yield* headlines(id), newest.id)
      expect((yield* readScoreReport(id, wholeHistory, 12, null)).newer).toBe(null)
    })))

  it("a narrowed scan raises no drop or overtaking alert; the next full scan is compared with a full scan", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seedWithRules(drop, { rule: "competitor_overtake", enabled: true })
      const before = yield* scanWith(id, 100, named(12), { askable })
      for (const seconds of [200, 300]) yield* scanWith(id, seconds, () => "Take Globex.", part)
      // Five of six questions are most of what there is, and a part all the same
      yield* scanWith(id, 350, () => "Take Globex.", { askable: { keywords: 7, platforms: 2 } })
      expect(yield* listed(id)).toEqual([])
      yield* scanWith(id, 400, named(3), { askable })
      expect(yield* listed(id)).toMatchObject([{ rule: "sov_drop", data: { previous_scan_id: before.id } }])
      const preview = yield* previewAlertRule(id, wholeHistory, { rule: "sov_drop", threshold: 50 })
      expect(preview.scans.map(({ alerts }) => alerts.length)).toEqual([0, 0, 0, 0, 1])
    })))

  it("narrowed scans raise alerts among each other if no scan of the standard view asked everything", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seedWithRules(drop)
      yield* scanWith(id, 50, named(12), { ...germany, askable })
      yield* scanWith(id, 100, named(12), part)
      yield* scanWith(id, 200, () => "Take Globex.", part)
      expect(yield* listed(id)).toMatchObject([{ rule: "sov_drop" }])
    })))
})
