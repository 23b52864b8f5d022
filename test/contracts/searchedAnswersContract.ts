import { ArchiveStore } from "@sov/core"
import { addScan, answerTo, measurementOf, seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

/** How an ArchiveStore searches answers by their texts and measurements. */
export const searchedAnswersContract = storeContract("ArchiveStore: words of answers", {
  "not judged are answers that name the brand without a sentiment, by their newest measurement": Effect.fnUntraced(
    function*() {
      const store = yield* ArchiveStore
      const { cells, organizationId } = yield* seedScan()
      const measured = [
        { brandMentioned: true, sentiment: null },
        { brandMentioned: true, sentiment: "neutral" },
        { brandMentioned: false, mentionCount: 0, mentionPosition: null, sentiment: null, mentions: [] }
      ] as const
      const answers = yield* Effect.forEach(cells, (cell) => answerTo(cell))
      for (const [n, answer] of answers.entries()) {
        const fields = measured[n]
        yield* store.archive(organizationId, answer, fields === undefined ? null : measurementOf(answer, fields))
      }
      const found = yield* store.page(organizationId, { sentiment: "not_judged" }, { limit: 9, provenance: false })
      assert.deepEqual(found.map(({ id }) => id), [answers[0]!.id])
    }
  ),

  "finds the words of answers as they are, in any order, phrases, alternatives and exclusions": Effect.fnUntraced(
    function*() {
      const store = yield* ArchiveStore
      const { cells, keywords, organizationId } = yield* seedScan()
      const { cells: others, organizationId: foreign } = yield* seedScan()
      const texts = {
        anvil: "Buy the best Anvil in Köln, says example.com/anvils today; <b>forged</b> in foo-bar & co.",
        product: "A product that costs 100 % of 3.14 euros.",
        japanese: "おすすめは東京の鍛冶屋です。",
        long: `${"x ".repeat(200_000)} lastword`,
        wide: "\u{1F6E0}".repeat(1000) + " 'quoted' {brace} %percent_ \\slash"
      }
      const more = yield* addScan(organizationId, keywords)
      const open = [...cells, ...more.cells]
      const named = new Map<string, string>()
      for (const [n, [name, rawResponse]] of Object.entries(texts).entries()) {
        const answer = yield* answerTo(open[n]!, { rawResponse })
        yield* store.append(organizationId, answer)
        named.set(answer.id, name)
      }
      yield* store.append(foreign, yield* answerTo(others[0]!, { rawResponse: texts.anvil }))
      const found = Effect.fnUntraced(function*(words: string) {
        const options = { limit: 10, textBytes: 1_000_000 }
        const history = yield* store.history(organizationId, { words }, options)
        const same = yield* store.page(organizationId, { words }, { limit: 10 })
        assert.deepEqual(history!.rows, same)
        return same.map(({ id }) => named.get(id)).toSorted((a, b) => a!.localeCompare(b!, "en")).join(" ")
      })
      const cases: ReadonlyArray<readonly [words: string, found: string]> = [
        ["anvil", "anvil"],
        ["ANVIL best", "anvil"],
        ["\"best anvil\"", "anvil"],
        ["\"anvil best\"", ""],
        ["prod", ""],
        ["product", "product"],
        ["anvil or product", "anvil product"],
        ["anvil -best", ""],
        ["buy -product", "anvil"],
        ["example.com", "anvil"],
        ["example.com/anvils", "anvil"],
        ["foo-bar", "anvil"],
        ["<script>alert(1)</script> forged", ""],
        ["3.14", "product"],
        ["東京", "japanese"],
        ["東京 大阪", ""],
        ["x", "long"],
        ["quoted", "wide"],
        ["'; drop table answer; --", ""],
        ["%", ""],
        ["{brace}", "wide"],
        ["null", ""],
        ["\\", ""],
        ["\"unclosed", ""],
        ["(", ""],
        [":* & | !", ""],
        ["\u{1F6E0}", ""],
        ["a".repeat(200), ""]
      ]
      for (const [words, expected] of cases) assert.equal(yield* found(words), expected, words)
    }
  )
})
