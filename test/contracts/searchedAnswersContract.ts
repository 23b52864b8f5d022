import { ArchiveStore } from "@sov/core"
import { addScan, answerTo, seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

/** How an ArchiveStore searches the texts of answers. */
export const searchedAnswersContract = storeContract("ArchiveStore: words of answers", {
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
