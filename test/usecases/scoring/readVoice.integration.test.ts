/** The same answers under each definition of voice, on a real database of each home. */
import { readScoreReport, readVoice, sentimentJson, voiceJson, wholeHistory } from "@sov/core"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { answeredScan, scanWith, seed } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  it("definitions of voice use the order and number of mentions in stored answers", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      yield* scanWith(
        id,
        100,
        (keyword) => keyword < 3 ? "Globex, then Globex again, then Acme Forge." : "Acme Forge is the one."
      )
      yield* answeredScan(id, 200, () => "Initech.")
      const report = yield* readScoreReport(id, wholeHistory, 12, null)
      const voice = yield* readVoice(id, report)
      expect(voice.names.map(({ name }) => name)).toEqual(["Acme Forge", "Globex", "Initech"])
      const found = voiceJson(voice).map((
        { definition, n, names }
      ) => [definition, n, ...names.map(({ value }) => value)])
      expect(found).toEqual([
        ["share", 12, 75, 25, 0],
        ["mention_rate", 12, 100, 50, 0],
        ["named_first", 12, 50, 50, 0],
        ["rank_weighted", 12, 66.7, 33.3, 0],
        ["occurrences", 12, 66.7, 33.3, 0],
        ["citations", 6, 100, 0, 0]
      ])
      const [share] = voice.columns
      expect(share!.shares[0]).toEqual({ value: report.score.avgSov, interval: report.score.uncertainty!.interval })
      // "The one" is praise to no rule: all answers are judged, none is called good
      expect(sentimentJson(voice.sentiment)).toMatchObject({
        named: 12,
        judged: 12,
        interval_about: "other questions like these"
      })
      // Read again while nothing has changed
      expect(yield* readVoice(id, report)).toBe(voice)
    })))

  it("the shares of sentiment leave out answers that are not judged, and are null if no answer is judged", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const polish = "Acme Forge jest świetny i bardzo niezawodny, a obsługa jest dla klientów bardzo dobra."
      yield* scanWith(id, 100, (keyword) =>
        keyword === 0 ? "Globex." : keyword < 3 ? polish : keyword === 3
          ? "Acme Forge is unreliable and overpriced."
          : "Acme Forge is excellent and reliable.")
      const read = Effect.gen(function*() {
        const voice = yield* readVoice(id, yield* readScoreReport(id, wholeHistory, 12, null))
        return sentimentJson(voice.sentiment)
      })
      const some = yield* read
      expect(some).toMatchObject({ named: 10, judged: 6 })
      expect(some.shares.map(({ answers, sentiment, value }) => [sentiment, answers, value])).toEqual([
        ["positive", 4, 66.7],
        ["neutral", 0, 0],
        ["negative", 2, 33.3]
      ])
      yield* scanWith(id, 200, () => polish)
      const none = yield* read
      expect(none).toMatchObject({ named: 12, judged: 0 })
      expect(none.shares.map(({ interval_95, value }) => [value, interval_95])).toEqual([
        [null, null],
        [null, null],
        [null, null]
      ])
    })))
})
