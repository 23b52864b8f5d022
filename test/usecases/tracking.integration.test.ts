/** What an organization tracks, edited through every door: nothing twice, nothing lost, no version for nothing. */
import { addKeywords, initialize, KeywordStore } from "@sov/core"
import { keywords } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../support/homes.ts"
import { openStorage } from "../support/storage.ts"

const every = ["active", "paused", "archived"] as const

describe.each(homes)("on the %s home", (home) => {
  const { close, run } = openStorage(home)
  afterAll(close)

  const organization = (keywords: ReadonlyArray<string> = []) =>
    initialize({
      name: "Acme",
      plan: "free",
      tracking: { brand: { name: "Acme" }, keywords: keywords.map((text) => ({ text })) }
    }).pipe(Effect.map((made) => made.organization.id))

  it("tracks a question once, however it is spaced, and says which were tracked already", () =>
    run(Effect.gen(function*() {
      const id = yield* organization([" anvil  q1?", "anvil q1? ", "paused?", "archived?"])
      const store = yield* KeywordStore
      const texts = Effect.map(store.list(id, every), (all) => all.map(({ text }) => text))
      expect(yield* texts).toEqual(["anvil q1?", "paused?", "archived?"])
      const [tidy, paused, archived] = yield* store.list(id, every)
      yield* store.setStatus(id, paused!.id, "paused")
      yield* store.setStatus(id, archived!.id, "archived")
      // As an earlier version kept it: answers were given to this very text
      const [untidy] = yield* store.add(id, yield* keywords(["two\n  lines?"]))

      const given = ["  anvil\u00a0 q1?\t", "anvil q1?", " paused?", "archived? ", "two lines?", " new\r\none? "]
      expect((yield* addKeywords(id, given)).map(({ isNew, keyword }) => [keyword.id, keyword.text, isNew])).toEqual([
        [tidy!.id, "anvil q1?", false],
        [paused!.id, "paused?", false],
        [archived!.id, "archived?", true],
        [untidy!.id, "two\n  lines?", false],
        [expect.any(String), "new one?", true]
      ])
      expect((yield* texts).toSorted()).toEqual(["anvil q1?", "archived?", "new one?", "paused?", "two\n  lines?"])
    })))
})
