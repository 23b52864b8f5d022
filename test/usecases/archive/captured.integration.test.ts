/** Answers that people captured in apps: sealed, measured, compared, and never in the headline. */
import {
  addView,
  ArchiveStore,
  describeSighting,
  importCaptured,
  KeywordStore,
  listScoredScans,
  type OrganizationId,
  poolViews,
  readArchive,
  readCapturedFile,
  readCurrentScore,
  readScoreReport,
  readSightings,
  readSurfaces,
  readViewShares,
  surfacesJson,
  verifyArchive,
  wholeHistory
} from "@sov/core"
import { keywords } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { named } from "../../support/alertRules.ts"
import { scanWith, seed, texts } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const fileOf = (answers: ReadonlyArray<object>) =>
  readCapturedFile(Buffer.from(answers.map((one) => JSON.stringify(one)).join("\n")))
const captured = (question: string, text: string, more: object = {}) => ({
  platform: "assistant_a",
  question,
  text,
  captured_at: "2026-01-20T09:00:00Z",
  captured_by: "Ada",
  account: "logged out",
  ...more
})

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)
  const verified = (id: OrganizationId) =>
    Effect.gen(function*() {
      const problems: Array<unknown> = []
      const listener = { onProblem: (one: unknown) => Effect.sync(() => void problems.push(one)), onAnswers: () => {} }
      yield* verifyArchive(id, listener, [], { payloads: true })
      return problems
    })

  it("captured answers are a separate view, sealed with who saw them, and never part of the headline", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const api = yield* scanWith(id, 100, named(12), { surface: "api" })
      const before = yield* readScoreReport(id, wholeHistory, 12, null)
      const file = fileOf([
        captured(texts[0]!, "Take Acme Forge."),
        captured(texts[1]!, "Take Globex."),
        captured("never asked?", "Acme Forge."),
        captured(texts[0]!, "Tomorrow.", { captured_at: "2099-01-01T00:00:00Z" })
      ])
      const done = yield* importCaptured(id, file)
      expect(done).toMatchObject({ added: 2, existing: 0, refused: [{ line: 3 }, { line: 4 }] })
      expect(yield* importCaptured(id, file)).toMatchObject({ added: 0, existing: 2, scanId: null })
      const { rows } = yield* readArchive(id, wholeHistory, { view: "captured" }, { limit: 10 })
      expect(rows.map(({ asked, brandMentioned, provenance }) => [asked, brandMentioned, provenance?.leafVersion ?? 3]))
        .toEqual([[{ surface: "app", view: "captured", market: null }, false, 3], [
          { surface: "app", view: "captured", market: null },
          true,
          3
        ]])
      const payload = yield* (yield* ArchiveStore).payload(id, rows[1]!.id)
      expect(JSON.parse(Buffer.from(payload!).toString())).toEqual(captured(texts[0]!, "Take Acme Forge."))
      expect([...(yield* readSightings(id, rows)).values()].map(describeSighting)).toEqual(
        Array(2).fill("seen in an app by Ada, account logged out, captured 2026-01-20 09:00 UTC")
      )
      expect(describeSighting(null)).toBe("seen in an app")
      expect(yield* verified(id)).toEqual([])
      // The headline is as it was
      expect((yield* readCurrentScore(id)).scan.id).toBe(api.id)
      expect(yield* readScoreReport(id, wholeHistory, 12, null)).toEqual(before)
      const shares = yield* readViewShares(id, wholeHistory)
      expect(shares.map(({ newest, view }) => [view?.name ?? null, newest?.score.avgSov])).toEqual([
        [null, 100],
        ["captured", 50]
      ])
      const refused = yield* Effect.flip(poolViews(shares, new Map([["standard", 1], ["captured", 1]])))
      expect(refused.message).toContain("API answers, no market and App answers, captured by people")
      expect(refused.message).toContain("never add up")
      const compared = yield* readSurfaces(id)
      expect(compared).toMatchObject({ unmatched: 0, agreement: { mean: 50 }, api: { id: api.id } })
      expect(compared.from).toEqual(new Date("2026-01-20T09:00:00Z"))
    })))

  it("a sixth answer of one platform to one question is refused by its line, and the others are archived", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const file = fileOf(Array.from({ length: 6 }, (_, n) => captured(texts[0]!, `Answer ${n}.`)))
      expect(yield* importCaptured(id, file)).toMatchObject({ added: 5, refused: [{ line: 6 }] })
      expect(yield* importCaptured(id, file)).toMatchObject({ added: 1, existing: 5, refused: [] })
    })))

  it("a narrowed scan never replaces the share of a view that was asked everything", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const germany = { name: "germany", country: "DE", language: null, context: null }
      yield* addView(id, germany)
      const whole = { askable: { keywords: 6, platforms: 2 }, cellCount: 12 }
      for (const view of [{}, { view: germany }]) {
        yield* scanWith(id, 100, named(12), { ...whole, ...view })
        yield* scanWith(id, 200, named(0), { ...whole, askable: { keywords: 60, platforms: 2 }, ...view })
      }
      const shares = yield* readViewShares(id, wholeHistory)
      expect(shares.map(({ newest }) => newest?.score.avgSov)).toEqual([100, 100])
      const found = yield* readScoreReport(id, wholeHistory, 5, null, "germany")
      expect([found.score.avgSov, found.newer?.view?.name]).toEqual([100, "germany"])
    })))

  it("the list of scans counts the questions of an import, which has not every question on every platform", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      yield* importCaptured(
        id,
        fileOf([
          ...texts.slice(0, 3).map((text) => captured(text, "Take Acme Forge.")),
          captured(texts[0]!, "Take Globex.", { platform: "assistant_b" })
        ])
      )
      expect(yield* listScoredScans(id, { limit: 1 }, null)).toMatchObject([
        { asked: { keywords: 3, trackedKeywords: texts.length } }
      ])
    })))

  it("questions that name the brand are left out, and the result says if older imports beyond the limit were", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      yield* (yield* KeywordStore).add(id, yield* keywords(["is Acme Forge any good?"]))
      yield* scanWith(id, 100, named(12), { surface: "api" })
      yield* importCaptured(id, fileOf([captured(texts[0]!, "Take Acme Forge.")]))
      const later = { captured_at: "2026-01-21T09:00:00Z" }
      yield* importCaptured(
        id,
        fileOf([
          captured(texts[1]!, "Take Globex.", later),
          captured("is Acme Forge any good?", "Acme Forge is.", later)
        ])
      )
      expect(surfacesJson(yield* readSurfaces(id))).toMatchObject({
        agreement: 50,
        app_answers: 2,
        imports: 2,
        older_imports_left_out: false,
        newest_import_answers: 2
      })
      expect(surfacesJson(yield* readSurfaces(id, wholeHistory, 1))).toMatchObject({
        agreement: 0,
        app_answers: 1,
        imports: 1,
        older_imports_left_out: true
      })
    })))
})
