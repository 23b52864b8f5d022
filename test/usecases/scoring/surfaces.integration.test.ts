/**
 * Answers of different surfaces never add up: scans of the other surface, of views and of captured answers between the
 * scans of one surface change no reader. The cases are generated from the surfaces and the readers.
 */
import {
  addView,
  AnswerPlatforms,
  auditNoise,
  checkCard,
  editBusinessCard,
  importCaptured,
  KeywordStore,
  listKeywordStandings,
  MeasurementStore,
  type OrganizationId,
  planPanel,
  previewAlertRule,
  previewExperiment,
  readActions,
  readCapturedFile,
  readCompetitors,
  readCurrentScore,
  readDigest,
  readEvidence,
  readFunnels,
  readKeywordHistory,
  readOverview,
  readPeriodReport,
  readPortfolio,
  readRecentSuggestions,
  readReport,
  readScoreReport,
  readSourceChanges,
  readSourceHighlights,
  readSources,
  readSpotOdds,
  readTagShares,
  readViewShares,
  readVisibility,
  readVoice,
  surfaceLineOf,
  wholeHistory
} from "@sov/core"
import { at } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { typedFact } from "../../support/businessCards.ts"
import { scanWith, seed, texts } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { reportRequest } from "../../support/reportRequest.ts"
import { openStorage } from "../../support/storage.ts"

const surfaces = ["api", "app"] as const
const day = 86_400
const times = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => n * day)
const periods = {
  period: { from: at(4 * day - 60), to: at(9 * day) },
  against: { from: at(-60), to: at(4 * day - 60) }
}
const own = (n: number) =>
  n === 0 ? "Globex leads." : "Acme Forge was founded in 1950. Globex is another, and so is **Hooli Anvils**."
const foreign = (n: number) =>
  n < 3 ? "Acme Forge was founded in 1900. **Umbrella Tools** are fine." : "Initech and **Umbrella Tools**."

/** What a reader returns, without what lists scans of every surface. */
const readers = {
  score: (id: OrganizationId) =>
    Effect.map(readScoreReport(id, wholeHistory, 30, null), (report) => [
      report.score,
      report.history,
      report.movements,
      surfaceLineOf(report)
    ]),
  period: (id: OrganizationId) =>
    Effect.map(readPeriodReport(id, wholeHistory, periods, null), (report) => [
      report.score,
      report.history,
      report.movements,
      report.period.scans,
      report.period.earlierScans,
      surfaceLineOf(report)
    ]),
  overview: (id: OrganizationId) =>
    Effect.map(readOverview(id, wholeHistory, 30, null), ({ standing }) => [
      standing?.trend,
      standing?.named,
      standing?.platforms
    ]),
  visibility: readVisibility,
  portfolio: (id: OrganizationId) => readPortfolio([{ organizationId: id, window: wholeHistory }]),
  competitors: (id: OrganizationId) =>
    Effect.map(readCompetitors(id, wholeHistory, 30), ({ comparison, named }) => [comparison, named]),
  "competitors of a period": (id: OrganizationId) =>
    Effect.map(readCompetitors(id, wholeHistory, 30, periods), ({ comparison, named }) => [comparison, named]),
  voice: (id: OrganizationId) => Effect.flatMap(readCurrentScore(id), (scored) => readVoice(id, scored)),
  tags: (id: OrganizationId) => readTagShares(id, wholeHistory, 30),
  "standard view": (id: OrganizationId) => Effect.map(readViewShares(id, wholeHistory), ([standard]) => standard),
  sources: (id: OrganizationId) => readSources(id, wholeHistory, { scans: 30 }),
  "sources of a period": (id: OrganizationId) => readSources(id, wholeHistory, { scans: 30, period: periods.period }),
  "changes of sources": (id: OrganizationId) => readSourceChanges(id, wholeHistory, {}),
  funnel: (id: OrganizationId) =>
    Effect.flatMap(readSources(id, wholeHistory, { scans: 30 }), (report) => readFunnels(id, report)),
  gaps: (id: OrganizationId) => readSourceHighlights(id, wholeHistory),
  actions: (id: OrganizationId) =>
    // The basis counts scores of every surface
    Effect.map(readActions(id, wholeHistory), (report) => ({ ...report, basis: null })),
  card: (id: OrganizationId) => checkCard(id, wholeHistory, 30),
  evidence: (id: OrganizationId) => readEvidence(id, wholeHistory),
  spot: (id: OrganizationId) => readSpotOdds(id, wholeHistory, 30),
  plan: (id: OrganizationId) => planPanel(id, wholeHistory, 10),
  noise: (id: OrganizationId) => auditNoise(id, wholeHistory, { periods: 2, weeks: 4 }, () => {}),
  experiment: (id: OrganizationId) => previewExperiment(id, null),
  question: (id: OrganizationId) =>
    Effect.gen(function*() {
      const [keyword] = yield* (yield* KeywordStore).list(id, ["active"])
      return yield* readKeywordHistory(id, wholeHistory, keyword!.id)
    }),
  questions: (id: OrganizationId) =>
    Effect.map(
      listKeywordStandings(id, wholeHistory, {}, { limit: 10 }),
      // `summary` is about the newest answer of any surface
      ({ rows, scans }) => [scans, rows.map(({ course, recent, sov }) => [course, recent, sov])]
    ),
  suggestions: (id: OrganizationId) => readRecentSuggestions(id, wholeHistory, { maxAnswers: 500 }, "1 minute"),
  digest: (id: OrganizationId) =>
    Effect.map(readDigest(id, at(9 * day)), ({ comparison, score }) => [comparison, score]),
  "new mentions": (id: OrganizationId) =>
    Effect.gen(function*() {
      const { scan, score } = yield* readCurrentScore(id)
      return yield* (yield* MeasurementStore).newMentions(id, scan.id, score)
    }),
  "preview of an alert": (id: OrganizationId) =>
    Effect.gen(function*() {
      const { scan } = yield* readCurrentScore(id)
      const { scans } = yield* previewAlertRule(id, wholeHistory, { rule: "sov_drop", threshold: 90 })
      return scans.find((one) => one.scan.id === scan.id)
    }),
  report: (id: OrganizationId) =>
    Effect.map(
      readReport({ id, name: "Acme" }, wholeHistory, { ...reportRequest, answers: true }),
      ({ figures: { standing } }) => [standing.report.score, standing.report.movements, standing.trend]
    )
}

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  describe.each(surfaces)("the headline is of the surface %s", (surface) => {
    const other = surfaces.find((one) => one !== surface)!
    let before: Record<string, unknown>
    let after: Record<string, unknown>
    beforeAll(async () => {
      const readAll = (id: OrganizationId) =>
        Effect.gen(function*() {
          const found: Record<string, unknown> = {}
          for (const [name, reader] of Object.entries(readers)) found[name] = yield* reader(id)
          return found
        })
      ;[before, after] = await storage.run(
        Effect.gen(function*() {
          const id = yield* seed
          const { value } = typedFact("founding_date", ["1998"], new Date(0))
          yield* editBusinessCard(id, [{ field: "founding_date", value, source: "x", updatedAt: null }], {
            source: "x"
          })
          for (const time of times) yield* scanWith(id, time, own, { surface })
          const before = yield* readAll(id)
          for (const time of times) yield* scanWith(id, time - 60, foreign, { surface: other })
          const germany = { name: "germany", country: "DE", language: "de", context: null }
          yield* addView(id, germany)
          yield* scanWith(id, 8 * day, foreign, { surface, view: germany })
          const captured = texts.map((question, n) =>
            JSON.stringify({
              platform: "assistant_a",
              question,
              text: foreign(n),
              captured_at: "2026-02-20T09:00:00Z",
              captured_by: "Ada",
              account: "logged out"
            })
          )
          yield* importCaptured(id, readCapturedFile(Buffer.from(captured.join("\n"))))
          return [before, yield* readAll(id)] as const
        }).pipe(Effect.provideService(AnswerPlatforms, { all: new Map(), digest: "any" }))
      )
    }, 120_000)

    it.each(Object.keys(readers))("reader %s counts no answer of another surface or view", (name) => {
      expect(before[name]).toBeTruthy()
      expect(after[name]).toEqual(before[name])
    })
  })
})
