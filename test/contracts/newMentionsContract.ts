import { classifyNovelty, MeasurementStore, type Novelty, type SentMarket } from "@sov/core"
import { seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { addMeasured } from "./measurementStoreContract.ts"
import { storeContract } from "./storeContract.ts"

const versions = { measureVersion: 1, trackedSetVersion: 1 }

/** What every MeasurementStore must tell of new mentions, and of the models that answered. */
export const newMentionsContract = storeContract("MeasurementStore: new mentions", {
  "finds new mentions by the rule of the domain": Effect.fnUntraced(function*() {
    const store = yield* MeasurementStore
    const seed = yield* seedScan()
    // The answers of a cell to successive scans; `b` names the brand
    const histories = ["b....b.....b......b", "......b.....b....b.", ".b.b.b......bb....b", "b.bbb........b....."]
    const found = new Set<Novelty>()
    for (let n = 0; n < histories[0]!.length; n++) {
      const named = histories.map((history) => history[n] === "b")
      const { answers, scan } = yield* addMeasured(seed, 100 * (n + 1), named)
      const expected = answers.flatMap(({ id }, i) => {
        if (!named[i]!) return []
        const novelty = classifyNovelty(Array.from(histories[i]!.slice(0, n), (answer) => answer === "b").toReversed())
        found.add(novelty)
        return novelty === "new" || novelty === "first" ? [[id, novelty === "first"] as const] : []
      })
      const mentions = yield* store.newMentions(seed.organizationId, scan.id, versions)
      assert.deepEqual(new Map(mentions.map(({ answerId, first }) => [answerId, first])), new Map(expected))
    }
    assert.deepEqual([...found].toSorted(), ["baseline", "first", "known", "new"])
  }),

  "finds no new mention where another market is asked, until the brand was not named in that one": Effect.fnUntraced(
    function*() {
      const store = yield* MeasurementStore
      const seed = yield* seedScan()
      const [german, austrian] = ["DE", "AT"].map((country) => ({ country, language: null }))
      const found: Array<readonly [number, string | null]> = []
      for (
        const [n, [market, named]] of ([[null, false], [german!, true], [austrian!, false], [german!, true], [
          austrian!,
          true
        ]] as const).entries()
      ) {
        const all = [named, named, named, named]
        const { scan } = yield* addMeasured(seed, 100 * (n + 1), all, {}, "test-model", market)
        const { rows } = (yield* store.rowsOfScans(seed.organizationId, [scan.id], versions))!
        const [origin] = (yield* store.originsOfScans(seed.organizationId, [scan.id])).get(scan.id)!
        const [cells] = (yield* store.countCommonCells(seed.organizationId, scan.id, [], [])).get(scan.id)!
        const sent = rows[0]!.origin!.sent!
        assert.deepEqual([origin!.sent, cells!.origins[0]!.sent], [sent, sent])
        const mentions = yield* store.newMentions(seed.organizationId, scan.id, versions)
        found.push([mentions.length, (JSON.parse(sent) as SentMarket | null)?.country ?? null])
      }
      assert.deepEqual(found, [[0, null], [0, "DE"], [0, "AT"], [0, "DE"], [4, "AT"]])
    }
  ),

  "finds no new mention where another model answers, until that model did not name the brand": Effect.fnUntraced(
    function*() {
      const store = yield* MeasurementStore
      const seed = yield* seedScan()
      const found: Array<number> = []
      // The last mention is by a model that did not name the brand before; its predecessor did
      for (
        const [n, [model, named]] of ([
          ["a", true],
          ["b", false],
          ["a\u001e;\u001f b", true],
          ["b", true],
          ["unknown", true]
        ] as const).entries()
      ) {
        const { scan } = yield* addMeasured(seed, 100 * (n + 1), [named, named, named, named], {}, model)
        const mentions = yield* store.newMentions(seed.organizationId, scan.id, versions)
        found.push(mentions.length)
        assert.ok(mentions.every(({ first }) => !first))
        const { rows } = (yield* store.rowsOfScans(seed.organizationId, [scan.id], versions))!
        assert.deepEqual(rows.map(({ origin }) => origin!.model), Array(4).fill(["a", "b", "a; b", "b", null][n]))
      }
      assert.deepEqual(found, [0, 0, 0, 4, 0])
      const { answers, scan } = yield* addMeasured(seed, 600, [true], {}, "c")
      const counts = (yield* store.countCommonCells(seed.organizationId, scan.id, [], [])).get(scan.id)!
      assert.deepEqual(
        new Set(counts.flatMap(({ origins }) => origins)),
        new Set([...new Set(answers.map((one) => one.platform))].map((platform) => ({
          platform,
          model: "c",
          search: "offered",
          sent: null,
          answers: 2
        })))
      )
    }
  )
})
