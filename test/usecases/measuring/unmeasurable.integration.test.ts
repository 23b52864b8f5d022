/** Answers that cannot be measured in time: archived at once, and measured by a rescore, which has more time. */
import {
  type Analysis,
  AnalysisError,
  AnswerAnalysis,
  ArchiveStore,
  completeScan,
  ConfiguredJudge,
  type Judge,
  measureEach,
  type OrganizationId,
  type Placement,
  planRescore,
  previewRescore,
  readMeasurementFailure,
  readMeasurementFailures,
  readScan,
  rescore,
  ScoreStore,
  setAlertRule,
  SourceStore,
  sourceVersion,
  startScan,
  startWorker,
  StoreError
} from "@sov/core"
import type { Stores } from "@sov/core/testing"
import { Duration, Effect, Layer } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { answeredScan, seed } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import {
  awaitScanEnd,
  initializeOrganization,
  layerLocalPlacement,
  layerPlatforms,
  scanRequest,
  scriptedAnswer,
  scriptedPlatform
} from "../../support/scriptedPlatforms.ts"
import { openStorage } from "../../support/storage.ts"

const late = new AnalysisError({ reason: "deadline", message: "it took longer than its deadline" })

/** Answers with "labyrinth" take a minute to measure, and to read the sources of. */
const layerSlow = (minutes: number) =>
  Layer.effect(
    AnswerAnalysis,
    Effect.map(AnswerAnalysis, (direct) => {
      const isLate = (text: string, deadline: Duration.Input): boolean =>
        text.includes("labyrinth") && Duration.toMinutes(deadline) < minutes
      const measure: Analysis["measure"] = (entities, answer, deadline) =>
        isLate(answer.text, deadline) ? Effect.fail(late) : direct.measure(entities, answer, deadline)
      return {
        ...direct,
        measure,
        measureAll: measureEach(measure),
        deriveSources: (answer, deadline) =>
          isLate(answer.text, deadline) ? Effect.fail(late) : direct.deriveSources(answer, deadline)
      }
    })
  )

const rescoreAll = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  return yield* rescore(organizationId, yield* planRescore(organizationId, {}), () => {})
})

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)
  const run: <A, E>(program: Effect.Effect<A, E, Stores | Placement>) => Promise<A> = (program) =>
    storage.run(Effect.provide(program, layerLocalPlacement))

  it("unmeasurable answers are archived at once, their scan completes without them, and a rescore measures them", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const organizationId = yield* initializeOrganization(2)
      const texts = ["Acme is excellent.", "Acme, a labyrinth: https://a.example/b"]
      let asked = 0
      const scan = yield* Effect.gen(function*() {
        yield* startWorker()
        const started = yield* startScan(organizationId, scanRequest)
        return yield* awaitScanEnd(organizationId, started.id)
      }).pipe(Effect.provide(Layer.merge(
        layerPlatforms(
          scriptedPlatform("assistant_a", () => Effect.sync(() => scriptedAnswer(texts[asked++ % 2]!)))
        ),
        layerSlow(1)
      )))
      expect(scan).toMatchObject({ status: "completed" })
      expect(asked).toBe(2)
      const archived = Effect.flatMap(ArchiveStore, (archive) => archive.page(organizationId, {}, { limit: 9 }))
      const readMentions = Effect.map(
        archived,
        (rows) => Object.fromEntries(rows.map((row) => [row.rawResponse, row.mentionCount]))
      )
      expect(yield* readMentions).toEqual({ [texts[0]!]: 1, [texts[1]!]: null })
      expect((yield* readScan(organizationId, scan.id)).archived).toMatchObject({ answers: 2, mentioned: 1 })
      const [unmeasured] = (yield* archived).filter(({ mentionCount }) => mentionCount === null)
      const readFailure = readMeasurementFailure(organizationId, unmeasured!.id)
      expect(yield* readFailure).toMatchObject({ reason: "deadline" })
      expect(yield* readMeasurementFailures()).toContainEqual(expect.objectContaining({ answers: 1 }))
      const readScore = Effect.flatMap(ScoreStore, (scores) => scores.ofScan(organizationId, scan.id))
      expect(yield* readScore).toMatchObject({ resultsCount: 2, unmeasuredCount: 1, failedCount: 0, mentionedCount: 1 })
      expect(yield* planRescore(organizationId, {})).toMatchObject({ answers: 2, measured: 1, unscored: 0 })

      const done = yield* Effect.provide(rescoreAll(organizationId), layerSlow(1))
      expect(done).toMatchObject({ answers: 1, sources: 1 })
      expect(done.unmeasurable.size).toBe(0)
      expect(yield* readMentions).toEqual({ [texts[0]!]: 1, [texts[1]!]: 1 })
      expect(yield* readFailure).toBeNull()
      expect(yield* readMeasurementFailures()).toEqual([])
      expect(yield* readScore).toMatchObject({ resultsCount: 2, unmeasuredCount: 0, failedCount: 0, mentionedCount: 2 })
      expect(yield* Effect.provide(rescoreAll(organizationId), layerSlow(1))).toMatchObject({ answers: 0, scores: 0 })
      const counts = yield* (yield* SourceStore).counts(organizationId, scan.id, sourceVersion)
      expect(counts).toMatchObject({ answers: 2, derived: 2 })
    }))))

  it("a completion that is repeated does not measure an unmeasurable answer again", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const organizationId = yield* initializeOrganization(1)
      const [analysis, scores] = [yield* AnswerAnalysis, yield* ScoreStore]
      let [measured, fails] = [0, 3]
      const measure: Analysis["measure"] = () => Effect.suspend(() => (measured++, Effect.fail(late)))
      const trouble = Layer.mergeAll(
        Layer.succeed(AnswerAnalysis, { ...analysis, measure, measureAll: measureEach(measure) }),
        Layer.succeed(ScoreStore, {
          ...scores,
          insert: (...given) =>
            fails-- > 0 ? Effect.fail(new StoreError({ reason: "busy", message: "no" })) : scores.insert(...given)
        })
      )
      const scan = yield* Effect.gen(function*() {
        yield* startWorker()
        const started = yield* startScan(organizationId, scanRequest)
        return yield* awaitScanEnd(organizationId, started.id)
      }).pipe(Effect.provide(Layer.merge(
        layerPlatforms(scriptedPlatform("assistant_a", () => Effect.succeed(scriptedAnswer("Acme.")))),
        trouble
      )))
      expect(scan).toMatchObject({ status: "completed" })
      expect(fails).toBeLessThan(0)
      // As it is archived, and once with the deadline of a completion
      expect(measured).toBe(2)
    }))))

  it("unmeasurable answers are not sent to the judge, and delay neither the judge nor their scan", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const organizationId = yield* initializeOrganization(2)
      const texts = ["Acme is excellent.", "Acme, a labyrinth, is excellent."]
      const judged: Array<string> = []
      const judge: Judge = {
        platform: "assistant_a",
        by: "assistant_a m",
        ask: ({ prompt, read }) =>
          Effect.sync(() => (judged.push(prompt("|")), { verdict: read("negative"), usage: null }))
      }
      let asked = 0
      const scan = yield* Effect.gen(function*() {
        yield* startWorker()
        const started = yield* startScan(organizationId, scanRequest)
        return yield* awaitScanEnd(organizationId, started.id)
      }).pipe(Effect.provide(Layer.mergeAll(
        layerPlatforms(
          scriptedPlatform("assistant_a", () => Effect.sync(() => scriptedAnswer(texts[asked++ % 2]!)))
        ),
        Layer.succeed(ConfiguredJudge, judge),
        layerSlow(1)
      )))
      expect(scan).toMatchObject({ status: "completed" })
      expect([asked, judged]).toEqual([2, [expect.stringContaining(`|\n${texts[0]}\n|`)]])
      const readSentiments = Effect.map(
        Effect.flatMap(ArchiveStore, (archive) => archive.page(organizationId, {}, { limit: 9 })),
        (rows) => Object.fromEntries(rows.map((row) => [row.rawResponse, row.sentiment]))
      )
      expect(yield* readSentiments).toEqual({ [texts[0]!]: "negative", [texts[1]!]: null })
      expect(yield* readMeasurementFailures()).toContainEqual(expect.objectContaining({ answers: 1 }))
      yield* Effect.provide(rescoreAll(organizationId), layerSlow(1))
      expect(yield* readSentiments).toEqual({ [texts[0]!]: "negative", [texts[1]!]: "positive" })
    }))))

  it("a rescore names the answers that it cannot measure, and measures the others", () =>
    run(Effect.provide(
      Effect.gen(function*() {
        const id = yield* seed
        yield* setAlertRule(id, { rule: "new_mention", enabled: true })
        const scan = yield* answeredScan(id, 10, (n) => n === 0 ? "Acme Forge, a labyrinth." : "Acme Forge.")
        yield* completeScan(id, scan.id)
        const done = yield* rescoreAll(id)
        expect([...done.unmeasurable.values()]).toEqual(["deadline", "deadline"])
        expect(done.answers).toBe(0)
        const preview = yield* previewRescore(id, yield* planRescore(id, {}), () => {})
        expect(preview.platforms.map(({ tally }) => tally.answers)).toEqual([5, 5])
      }),
      layerSlow(Infinity)
    )))
})
