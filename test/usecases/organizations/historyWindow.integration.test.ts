/** Every reader shows what the plan's window shows, and tells what is older from what is not there. */
import {
  AlertStore,
  AnswerId,
  compareScans,
  exportPages,
  exportSources,
  type HistoryWindow,
  listAlerts,
  type OrganizationId,
  proveAnswer,
  readAiTraffic,
  readAnswer,
  readAnswerPayload,
  readArchive,
  readSources,
  TrafficStore,
  wholeHistory
} from "@sov/core"
import { at, newId, trafficLine } from "@sov/core/testing"
import { Effect, Stream } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { dropAlert } from "../../contracts/alertStoreContract.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { oneHome } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"
import { dropRule } from "../../support/tenants.ts"

const storage = openStorage(oneHome[0]!)
afterAll(storage.close)

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onFailure: ({ _tag }) => _tag, onSuccess: () => "shown" })

const answers = (id: OrganizationId, window: HistoryWindow) => readArchive(id, window, {}, { limit: 100 })

/** Two completed scans, eight days between them; their answers are archived at one moment. */
const seedTwo = Effect.gen(function*() {
  const id = yield* seed
  const day = 86_400
  const old = yield* scanWith(id, 0, () => "Acme Forge and Globex.")
  const young = yield* scanWith(id, 8 * day, () => "Acme Forge.")
  const all = (yield* answers(id, wholeHistory)).rows
  return { id, old, young, rows: all }
})

describe("history window", () => {
  it("the window limits lists, streams and pages of answers", () =>
    storage.run(Effect.gen(function*() {
      const { id, rows } = yield* seedTwo
      const [first] = rows
      const upTo: HistoryWindow = { since: first!.createdAt }
      const behind: HistoryWindow = { since: new Date(first!.createdAt.getTime() + 1) }
      expect(yield* answers(id, wholeHistory)).toMatchObject({ windowApplied: false })
      expect((yield* answers(id, upTo)).rows).toHaveLength(24)
      const none = yield* answers(id, behind)
      expect(none).toMatchObject({ rows: [], windowApplied: true, windowStart: behind.since })
      const later = new Date(behind.since!.getTime() + 5)
      expect(yield* readArchive(id, behind, { from: later }, { limit: 9 })).toMatchObject({
        windowApplied: false,
        windowStart: later
      })
      const exported = (window: HistoryWindow) =>
        Effect.map(Stream.runCollect(exportPages(id, window, {}, null)), (pages) => pages.flat().length)
      expect([yield* exported(upTo), yield* exported(behind)]).toEqual([24, 0])
    })))

  it("an answer outside the window is distinguished from an unknown answer", () =>
    storage.run(Effect.gen(function*() {
      const { id, rows } = yield* seedTwo
      const [{ createdAt, id: answer }] = rows as [typeof rows[number]]
      const behind: HistoryWindow = { since: new Date(createdAt.getTime() + 1) }
      const unknown = yield* newId(AnswerId)
      const outcomes = (window: HistoryWindow, of: AnswerId) =>
        Effect.all([
          tagOf(readAnswer(id, window, of)),
          tagOf(readAnswerPayload(id, window, of)),
          tagOf(proveAnswer(id, window, of))
        ])
      expect(yield* outcomes({ since: createdAt }, answer)).toEqual(["shown", "shown", "shown"])
      expect(yield* outcomes(behind, answer)).toEqual(["OutsideWindow", "OutsideWindow", "OutsideWindow"])
      expect(yield* outcomes(behind, unknown)).toEqual(["NotFound", "NotFound", "NotFound"])
    })))

  it("scans outside the window are neither compared nor added up", () =>
    storage.run(Effect.gen(function*() {
      const { id, old, young } = yield* seedTwo
      const window: HistoryWindow = { since: young.startedAt }
      expect(yield* tagOf(compareScans(id, wholeHistory, old.id, young.id))).toBe("shown")
      expect(yield* tagOf(compareScans(id, window, old.id, young.id))).toBe("OutsideWindow")
      expect(yield* tagOf(compareScans(id, window, "previous", "latest"))).toBe("OutsideWindow")
      expect((yield* readSources(id, wholeHistory, { scans: 4 })).scans).toHaveLength(2)
      expect((yield* readSources(id, window, { scans: 4 })).scans).toMatchObject([{ id: young.id }])
      const after: HistoryWindow = { since: new Date(young.startedAt.getTime() + 1) }
      expect(yield* tagOf(readSources(id, after, { scans: 4 }))).toBe("NoCompletedScan")
      const sources = (of: HistoryWindow) =>
        Effect.map(Stream.runCollect(exportSources(id, of, null)), (found) => found.flat().length)
      const all = yield* sources(wholeHistory)
      expect(yield* sources(window)).toBe(all / 2)
    })))

  it("alerts and traffic outside the window are hidden", () =>
    storage.run(Effect.gen(function*() {
      const { id, old, young } = yield* seedTwo
      const store = yield* AlertStore
      yield* store.setRule(id, dropRule, at(0))
      const earlier = yield* dropAlert(old.id, at(1))
      const later = yield* dropAlert(young.id, at(2))
      for (const alert of [earlier, later]) yield* store.insert(id, alert)
      const shown = yield* listAlerts(id, { since: at(2) }, { limit: 9 })
      expect(shown.map(({ alert }) => alert.id)).toEqual([later.id])
      const days = ["2026-03-01T12:00:00Z", "2026-03-02T12:00:00Z"].map((time) => Date.parse(time))
      yield* (yield* TrafficStore).add(id, days.map((time) => trafficLine({ time })), "v1")
      const window: HistoryWindow = { since: new Date("2026-03-02T18:00:00Z") }
      expect(yield* readAiTraffic(id, wholeHistory, {})).toMatchObject({ from: null, referrerSignals: { count: 2 } })
      expect(yield* readAiTraffic(id, window, {})).toMatchObject({ from: "2026-03-02", referrerSignals: { count: 1 } })
      expect(yield* readAiTraffic(id, window, { from: "2026-03-01" })).toMatchObject({ from: "2026-03-02" })
      expect(yield* readAiTraffic(id, window, { from: "2026-03-03" })).toMatchObject({ from: "2026-03-03" })
    })))
})
