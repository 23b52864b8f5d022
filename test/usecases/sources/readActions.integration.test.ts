/** Actions from archived answers: a rival that leads a question, and a fact that answers contradict. */
import {
  actionJson,
  ActionStore,
  editBusinessCard,
  ignoreSuggestion,
  markAction,
  readActions,
  readKeptActions,
  removeCompetitor,
  unmarkAction,
  wholeHistory
} from "@sov/core"
import { at, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { naming } from "../../support/alertRules.ts"
import { typedFact } from "../../support/businessCards.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  it("an action names its question, its rival and its answers; wrong facts come first", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const { value } = typedFact("founding_date", ["1998"], new Date(0))
      yield* editBusinessCard(id, [{ field: "founding_date", value, source: "x", updatedAt: null }], { source: "x" })
      yield* Effect.forEach(
        [0, 100, 200, 300, 400, 500, 600, 700],
        (seconds) =>
          scanWith(
            id,
            seconds,
            (keyword) => keyword === 0 ? "Globex leads." : "Acme Forge was founded in 1950. Globex is another."
          ),
        { discard: true }
      )
      const report = yield* readActions(id, wholeHistory)
      const [fact, rival, ...others] = report.actions.map((one) => actionJson(one, report))
      expect(others).toEqual([])
      expect(report.answers).toBe(96)
      expect(fact).toMatchObject({ rule: "fact_contradicted", subject: "founding_date", answers: 20 })
      expect(rival).toMatchObject({
        rule: "rival_leads",
        title: "Catch up with Globex on “best anvil for workshop 0?”",
        answers: 16,
        rate_here: 0,
        rate_elsewhere: 100,
        effect_points_95: { low: 70.7, high: 100 }
      })
      expect(rival!.answer_ids).toHaveLength(5)

      // The answers still count for a competitor that has been removed
      yield* removeCompetitor(id, "Globex")
      const after = yield* readActions(id, wholeHistory)
      expect(after.actions.map((one) => actionJson(one, after).title)).toContain(rival!.title)
    })))

  it("a leading brand that is not tracked, and a spelling that is not counted, are found in the texts", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const scan = (seconds: number) =>
        scanWith(id, seconds, (n, platform) => {
          const isMisspelt = (n + Number(platform === "assistant_a") + seconds / 100) % 3 === 0
          const text = naming(["Zorvik"])(n, platform)
          return (isMisspelt ? text.replace("Acme Forge", "Acme Forje") : text).replace(n % 3 === 0 ? "" : "Globex", "")
        })
      yield* Effect.forEach([0, 100, 200, 300, 400, 500, 600, 700], scan, { discard: true })
      const list = Effect.map(
        readActions(id, wholeHistory),
        (report) => report.actions.map((one) => actionJson(one, report))
      )
      expect((yield* list).filter(({ rule }) => rule.includes("untracked"))).toMatchObject([
        {
          title: "Check whether Zorvik competes with you",
          why:
            "On the questions whose answers name you or a competitor, 100 % name it, and 33 % name Globex, your most named " +
            "competitor. Your share of voice leaves it out.",
          answers: 96,
          effect_points_95: null
        },
        {
          title: "Check whether “Acme Forje” means you",
          why: "67 % of answers count for you; if this spelling counts too, it is 100 %.",
          answers: 32
        }
      ])
      yield* ignoreSuggestion(id, "Zorvik")
      expect((yield* list).map(({ subject }) => subject)).not.toContain("Zorvik")
    })))

  it("one odd answer is not a contradiction, but answers to two questions or of two scans are", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const { value } = typedFact("founding_date", ["1998"], new Date(0))
      yield* editBusinessCard(id, [{ field: "founding_date", value, source: "x", updatedAt: null }], { source: "x" })
      const wrong = "Acme Forge was founded in 1950."
      const facts = Effect.map(readActions(id, wholeHistory), ({ actions }) => actions.map(({ answers }) => answers))
      // Both platforms answer one question
      yield* scanWith(id, 0, (n) => n === 0 ? wrong : "Nothing.")
      expect(yield* facts).toEqual([])
      yield* scanWith(id, 100, (n, platform) => n === 0 && platform === "assistant_a" ? wrong : "Nothing.")
      expect(yield* facts).toEqual([3])
      yield* scanWith(id, 200, () => "Nothing.")
      expect(yield* facts).toEqual([])
      yield* scanWith(id, 300, (n) => n < 2 ? wrong : "Nothing.")
      expect(yield* facts).toEqual([4])
    })))

  it("a marked action leaves the list, and returns only for the stated reason", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const scan = (seconds: number) => scanWith(id, seconds, (n) => n === 0 ? "Globex leads." : "Acme Forge.")
      yield* Effect.forEach([0, 100, 200, 300, 400, 500, 600, 700], scan, { discard: true })
      const { id: stranger } = yield* seedOrganization()
      expect(yield* readKeptActions(stranger, wholeHistory)).toBe(null)
      const list = Effect.map(readActions(id, wholeHistory), ({ actions }) => actions)
      const kept = Effect.map(readKeptActions(id, wholeHistory), (report) => report!.actions)
      const [rival, ...others] = yield* kept
      expect(others).toEqual([])
      expect(yield* list).toEqual([rival])
      const action = rival!.id
      for (const [who, what] of [[stranger, action], [id, "000000000000"]] as const) {
        expect(yield* Effect.flip(markAction(who, what, "done"))).toMatchObject({ _tag: "NotFound" })
      }
      for (const days of [0, 366, 1.5]) {
        expect(yield* Effect.flip(markAction(id, action, "later", days))).toMatchObject({ _tag: "Rejected" })
      }
      for (const state of ["done", "dismissed", "later"] as const) {
        yield* markAction(id, action, state)
        expect([yield* list, yield* kept]).toEqual([[], []])
      }
      yield* unmarkAction(id, action)
      expect(yield* Effect.flip(unmarkAction(id, action))).toMatchObject({ _tag: "NotFound" })
      expect(yield* list).toEqual([rival])

      const mark = { id: action, rule: rival!.rule, title: "x", markedAt: at(750) }
      const store = yield* ActionStore
      yield* store.mark(id, { ...mark, state: "later", until: at(800) })
      expect(yield* list).toMatchObject([{ id: action, back: { state: "later", since: at(750) } }])
      yield* store.mark(id, { ...mark, state: "done", until: null })
      yield* scan(800)
      expect(yield* list).toEqual([])
      // Only with enough answers of later scans
      yield* Effect.forEach([900, 1000, 1100, 1200, 1300, 1400], scan, { discard: true })
      expect(yield* list).toMatchObject([{ id: action, back: { state: "done", since: at(750) } }])
      yield* store.mark(id, { ...mark, state: "dismissed", until: null })
      expect(yield* kept).toEqual([])
    })))

  it("an ordinary archive has no action, and an archive without a scan is an error", () =>
    storage.run(Effect.gen(function*() {
      const { id: empty } = yield* seedOrganization()
      expect(yield* Effect.flip(readActions(empty, wholeHistory))).toMatchObject({ _tag: "NoCompletedScan" })
      const id = yield* seed
      yield* Effect.forEach(
        [0, 100, 200],
        (seconds) =>
          scanWith(id, seconds, (keyword) => keyword % 2 === 0 ? "Acme Forge and Globex." : "Globex and Acme Forge."),
        {
          discard: true
        }
      )
      const { actions, candidates } = yield* readActions(id, wholeHistory)
      expect(actions).toEqual([])
      expect(candidates).toBeGreaterThan(0)
    })))
})
