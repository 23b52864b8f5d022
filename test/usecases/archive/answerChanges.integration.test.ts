/** What changed in the answers to a keyword, and what a panel can show, read from an archive. */
import {
  describeBlindAlert,
  findBlindAlert,
  KeywordStore,
  readAnswerChanges,
  setAlertRule,
  wholeHistory
} from "@sov/core"
import { keywords } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { scanWith, seed, texts } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const { close, run } = openStorage(home)
  afterAll(close)

  it("the comparison shows names and sentences that appeared or disappeared, and how often that happens by chance", () =>
    run(Effect.gen(function*() {
      const id = yield* seed
      const same = () => "Acme Forge is best. Globex is dear."
      for (const at of [100, 200, 300]) yield* scanWith(id, at, same)
      yield* scanWith(id, 400, (keyword) => keyword === 0 ? "Initech is best. Globex is dear." : same())
      const read = (between: { readonly before: string; readonly after: string }) =>
        readAnswerChanges(id, wholeHistory, texts[0]!, between)
      const { cells, earlierScans } = yield* read({ before: "previous", after: "latest" })
      expect(earlierScans).toBe(2)
      expect(cells.map(({ platform }) => platform)).toEqual(["assistant_a", "assistant_b"])
      const [first] = cells
      // 24 cells between earlier scans, all the same, and 11 others of these two
      expect(first!.unchanged).toMatchObject({ cells: 35, isOfSameScans: true })
      expect(first!.unchanged.names.changed).toBe(2)
      expect(first!.names.map(({ item, kind }) => `${kind} ${item}`).toSorted()).toEqual([
        "in Initech",
        "out Acme Forge"
      ])
      expect(first!.text).toEqual([
        { kind: "out", text: "Acme Forge is best." },
        { kind: "in", text: "Initech is best." },
        { kind: "same", text: "Globex is dear." }
      ])
      expect(yield* Effect.flip(read({ before: "nothing", after: "latest" }))).toMatchObject({ _tag: "NotFound" })

      expect(yield* findBlindAlert(id, wholeHistory)).toBeNull()
      yield* setAlertRule(id, { rule: "sov_drop", enabled: true, threshold: 40, sensitivity: "immediate" })
      const blind = (yield* findBlindAlert(id, wholeHistory))!
      // Named beside Globex in 10 of 12 cells: 41.7 %, so near the threshold that 12 cells cannot tell
      expect(blind.distance).toBeCloseTo(50 * 10 / 12 - 40)
      expect(blind).toMatchObject({ detectable: null, missingCells: 8 })
      expect(describeBlindAlert(blind)).toBe(
        "The alert threshold of 40 % is 1.7 points away, and these questions are too few to tell a change from noise: " +
          "8 more cells (keyword × platform) are needed"
      )
      yield* (yield* KeywordStore).add(
        id,
        yield* keywords(["which anvil?", "which forge?", "any anvil?", "any forge?"])
      )
      for (const at of [500, 600]) yield* scanWith(id, at, same)
      yield* setAlertRule(id, { rule: "sov_drop", enabled: true, threshold: 20, sensitivity: "immediate" })
      expect(yield* findBlindAlert(id, wholeHistory)).toBeNull()
      yield* setAlertRule(id, { rule: "sov_drop", enabled: true, threshold: 45, sensitivity: "immediate" })
      const near = (yield* findBlindAlert(id, wholeHistory))!
      expect(near.detectable!).toBeGreaterThan(near.distance)
      expect(describeBlindAlert(near)).toMatch(
        /^The alert threshold of 45 % is 5 points away, and these questions show changes from [\d.]+ points on \(80 % power\)$/
      )
    })))
})
