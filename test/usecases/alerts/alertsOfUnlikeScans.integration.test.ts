/** Alerts of scans that did not ask the same, or not with the same names, on a real database of each home. */
import {
  AlertStore,
  AnalysisError,
  AnswerAnalysis,
  completeScan,
  measureEach,
  ScoreStore,
  summaryJson,
  TrackedSetStore,
  Transaction
} from "@sov/core"
import { trackedSet } from "@sov/core/testing"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { drop, listed, named, seedWithRules } from "../../support/alertRules.ts"
import { answeredScan, scanWith } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

/** No answer can be measured. */
const layerUnmeasurable = Layer.effect(
  AnswerAnalysis,
  AnswerAnalysis.useSync((direct) => {
    const measure = () => Effect.fail(new AnalysisError({ reason: "deadline", message: "too late" }))
    return { ...direct, measure, measureAll: measureEach(measure) }
  })
)

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)
  const { run } = storage

  it("scans of other platforms in between do not change the gate's memory, and low scans raise one event", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seedWithRules(
        { ...drop, sensitivity: "confirmed" },
        { rule: "competitor_overtake", enabled: true, sensitivity: "confirmed" }
      )
      const counts: Array<number> = []
      for (const [i, count] of [8, 3, 3, 3].entries()) {
        const answers = named(count)
        yield* scanWith(
          organizationId,
          200 * i,
          (keyword, platform) =>
            answers(keyword, platform).includes("Acme") ? "Take Acme Forge." : count < 8 ? "Take Globex." : "Nobody."
        )
        yield* scanWith(organizationId, 200 * i + 100, named(8), { platforms: ["assistant_c", "assistant_d"] })
        counts.push((yield* listed(organizationId)).length)
      }
      // Of few cells, both wait for three scans
      expect(counts).toEqual([0, 0, 0, 2])
    })))

  it("a scan without a measured answer raises no alert, and the previous scan's alert is not repeated", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seedWithRules(drop)
      yield* scanWith(organizationId, 100, named(12))
      yield* scanWith(organizationId, 200, named(3))
      const [raised] = yield* listed(organizationId)
      const unmeasured = yield* answeredScan(organizationId, 300, named(3))
      yield* completeScan(organizationId, unmeasured.id).pipe(Effect.provide(layerUnmeasurable))
      const score = yield* (yield* ScoreStore).ofScan(organizationId, unmeasured.id)
      expect(summaryJson(unmeasured, score!)).toMatchObject({ scan_id: unmeasured.id, avg_sov: null })
      expect(yield* listed(organizationId)).toEqual([raised])
    })))

  it("scans of different models are never compared; a new model's scans are compared only with each other", () =>
    run(Effect.gen(function*() {
      const rules = [
        drop,
        { rule: "competitor_overtake", enabled: true },
        { rule: "new_mention", enabled: true }
      ] as const
      const organizationId = yield* seedWithRules(...rules)
      const rival = () => "Take Globex."
      yield* scanWith(organizationId, 100, () => "Take Acme Forge.", { model: "model-2.5" })
      yield* scanWith(organizationId, 200, rival, { model: "model-3.8" })
      yield* scanWith(organizationId, 300, rival, { model: "model-3.8" })
      expect(yield* listed(organizationId)).toEqual([])
      const from = yield* scanWith(organizationId, 400, () => "Take Acme Forge.", { model: "model-3.8" })
      expect((yield* listed(organizationId)).map(({ rule }) => rule)).toEqual(["new_mention"])
      yield* scanWith(organizationId, 500, rival, { model: "model-3.8" })
      const raised = (yield* listed(organizationId)).filter(({ rule }) => rule !== "new_mention")
      expect(raised.toSorted((a, b) => a.rule < b.rule ? -1 : 1)).toMatchObject([
        { rule: "competitor_overtake", data: { previous_scan_id: from.id } },
        { rule: "sov_drop", data: { previous_scan_id: from.id, n_cells: 12 } }
      ])
    })))

  it("a crossing raises an alert after any number of narrowed scans, even if names changed in between", () =>
    run(Effect.gen(function*() {
      const sets = yield* TrackedSetStore
      const same = yield* trackedSet(2)
      const platforms = ["assistant_a", "assistant_b", "assistant_c"] as const
      for (const between of [1, 13]) {
        const organizationId = yield* seedWithRules(drop)
        const first = yield* scanWith(organizationId, 100, () => "Take Acme Forge.", { platforms })
        for (let i = 0; i < between; i++) {
          yield* scanWith(organizationId, 200 + i, () => "Take Acme Forge.", { platforms: ["assistant_a"] })
        }
        yield* sets.append(organizationId, { ...same, competitors: same.competitors.slice(1) })
        yield* scanWith(organizationId, 300, () => "Take anything.", { platforms })
        expect(yield* listed(organizationId)).toMatchObject([{
          data: { previous_scan_id: first.id, previous_sov: 100, current_sov: 0, n_cells: 18 }
        }])
      }
    })))

  it("a scan is compared with a scan that completed under other names while the first was being measured", () =>
    run(Effect.gen(function*() {
      const { run: transaction } = yield* Transaction
      const organizationId = yield* seedWithRules(drop)
      yield* scanWith(organizationId, 100, named(8))
      const late = yield* answeredScan(organizationId, 200, named(8))
      yield* scanWith(organizationId, 300, named(8), { platforms: ["assistant_c"] })
      yield* (yield* TrackedSetStore).append(organizationId, yield* trackedSet(2))
      const { id } = yield* answeredScan(organizationId, 400, named(3))
      const lateFirst = Effect.provideService(completeScan(organizationId, late.id), Transaction, { run: transaction })
      yield* completeScan(organizationId, id).pipe(
        Effect.provideService(Transaction, {
          run: (work) => Effect.andThen(Effect.orDie(lateFirst), transaction(work))
        })
      )
      expect(yield* listed(organizationId)).toMatchObject([{ data: { scan_id: id, previous_scan_id: late.id } }])
    })))

  it("the earlier scan is first measured with the present names, so that a change of names is not a fall", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seedWithRules(drop)
      yield* scanWith(organizationId, 100, named(8))
      const other = yield* trackedSet(2)
      yield* (yield* TrackedSetStore).append(organizationId, {
        ...other,
        brand: { ...other.brand, name: "Nobody Else", aliases: [], domains: [] }
      })
      yield* scanWith(organizationId, 200, named(8))
      expect(yield* listed(organizationId)).toEqual([])
    })))

  it("a change of names keeps the memory of the remaining names, so a fall continues and a new name starts fresh", () =>
    run(Effect.gen(function*() {
      const sets = yield* TrackedSetStore
      const same = yield* trackedSet(2)
      const [globex, ...others] = same.competitors
      const renamed = { brand: { ...same.brand, name: "Acme Forges", aliases: ["Acme Forge"] } }
      const replaced = { competitors: [{ ...globex!, name: "Globex Corp", aliases: ["Globex"] }, ...others] }
      const dip = (keyword: number) => keyword < 2 ? "Globex." : keyword < 3 ? "Acme Forge." : "Nobody."
      for (const [change, expected] of [[{}, 2], [{ ...renamed }, 0], [{ ...replaced }, 1]] as const) {
        const organizationId = yield* seedWithRules(
          { ...drop, sensitivity: "confirmed" },
          { rule: "competitor_overtake", enabled: true, sensitivity: "confirmed" }
        )
        yield* scanWith(organizationId, 100, named(8))
        yield* scanWith(organizationId, 200, dip)
        yield* sets.append(organizationId, { ...same, ...change })
        yield* scanWith(organizationId, 300, dip)
        yield* scanWith(organizationId, 400, dip)
        expect(yield* listed(organizationId)).toHaveLength(expected)
      }
    })))

  it("a share that falls only because names changed does not fire the gate", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seedWithRules({ ...drop, sensitivity: "confirmed" })
      const answer = () => "Take AcmeForge."
      yield* scanWith(organizationId, 100, answer)
      yield* scanWith(organizationId, 200, answer)
      const same = yield* trackedSet(2)
      yield* (yield* TrackedSetStore).append(organizationId, { ...same, brand: { ...same.brand, aliases: [] } })
      yield* scanWith(organizationId, 300, answer)
      yield* scanWith(organizationId, 400, answer)
      expect(yield* listed(organizationId)).toEqual([])
    })))

  it("scans are compared on the cells that both answered; too few common cells change nothing", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seedWithRules(drop)
      const first = yield* scanWith(organizationId, 100, named(8))
      yield* scanWith(organizationId, 200, (keyword) => keyword < 3 ? null : named(8)(keyword, "assistant_a"))
      const { id } = yield* scanWith(organizationId, 300, (keyword) => keyword < 5 ? null : "Nobody.")
      expect(yield* (yield* AlertStore).listMemories(organizationId, [id])).toEqual([])
      expect(yield* listed(organizationId)).toEqual([])
      const last = yield* scanWith(
        organizationId,
        400,
        (keyword, platform) => keyword === 5 ? null : named(3)(keyword, platform)
      )
      expect(yield* listed(organizationId)).toMatchObject([{
        data: { previous_scan_id: first.id, previous_sov: 80, current_sov: 30, drop: 50, n_cells: 10, cells_moved: 5 }
      }])
      const sql = yield* SqlClient.SqlClient
      const [mail] = yield* sql<{ readonly body_text: string }>`
        select body_text from mail where organization_id = ${organizationId}
      `
      const day = `${first.startedAt.getUTCDate()} ${first.startedAt.toUTCString().slice(8, 16)}`
      expect(mail?.body_text).toMatch(new RegExp(`^Before: +80 % in the scan of ${day}, \\d\\d:\\d\\d UTC$`, "m"))
      expect(mail?.body_text).toContain(
        "over the 10 pairs of question and platform that both scans answered; the larger"
      )
      expect(mail?.body_text).toContain(`sov scan compare ${first.id} ${last.id}\n`)
    })))
})
