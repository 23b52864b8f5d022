/** A platform that answers with another model: what ends there and begins again, on a real database of each home. */
import { describeTrend, readMovements, readOverview, scansInTrend, ScoreStore, wholeHistory } from "@sov/core"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { scanWith, seed } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const { close, run } = openStorage(home)
  afterAll(close)

  it("trend, prediction and sparkline end when another model answers, and then begin again", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seed
      const found: Array<object> = []
      for (const [i, model] of ["old", "old", "new", "new"].entries()) {
        yield* scanWith(organizationId, 100 * i, () => i < 2 ? "Take Acme Forge." : "Take Globex.", { model })
        const [latest, ...earlier] = yield* (yield* ScoreStore).history(organizationId, 9)
        const { comparison, next } = yield* readMovements(organizationId, wholeHistory, latest!.scan, latest!.score)
        const inTrend = yield* scansInTrend(organizationId, latest!, earlier)
        found.push({
          cells: comparison?.nCells ?? null,
          delta: comparison?.trend?.delta ?? null,
          words: comparison?.trend === null ? describeTrend(comparison) : null,
          predicted: next !== null,
          sparkline: inTrend.length
        })
      }
      expect(found).toEqual([
        { cells: null, delta: null, words: null, predicted: false, sparkline: 0 },
        { cells: 12, delta: 0, words: null, predicted: true, sparkline: 1 },
        {
          cells: 0,
          delta: null,
          words: "0 of 12 cells (keyword × platform) can be compared; 6 are needed to compare them. " +
            "assistant_a is not compared: model changed from old to new. " +
            "assistant_b is not compared: model changed from old to new.",
          predicted: false,
          sparkline: 0
        },
        { cells: 12, delta: 0, words: null, predicted: true, sparkline: 1 }
      ])
    })))

  it("a platform's course starts at its last break, and the course of all platforms at any break", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seed
      const german = { country: "DE", language: null }
      for (const [i, market] of [null, german, null, null].entries()) {
        const changed = (platform: string) => platform === "assistant_a" && i > 1
        const answer = (_: number, platform: string) => changed(platform) ? "Globex." : "Acme Forge."
        yield* scanWith(organizationId, 100 * i, answer, { market })
      }
      const { standing } = yield* readOverview(organizationId, wholeHistory, 9, null)
      expect(standing!.platforms.map(({ course, platform }) => [platform, course])).toEqual([
        ["assistant_a", [null, null, 0, 0]],
        ["assistant_b", [100, 100, 100, 100]]
      ])
      expect(standing!.named.map(({ course, name }) => [name, course])).toEqual([
        ["Acme Forge", [null, null, 50, 50]],
        ["Globex", [null, null, 50, 50]],
        ["Initech", [null, null, 0, 0]],
        [null, [null, null, 0, 0]]
      ])
    })))
})
