/** The same answers under each definition of voice, on a real database of each home. */
import { readScoreReport, readVoice, voiceJson, wholeHistory } from "@sov/core"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { answeredScan, scanWith, seed } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  it("definitions of voice follow the order and number of mentions in stored answers", () =>
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
      // Read again while nothing has changed
      expect(yield* readVoice(id, report)).toBe(voice)
    })))
})
