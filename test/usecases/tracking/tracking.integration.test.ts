/** Edits of what an organization tracks: nothing twice, nothing lost, no version without a change. */
import {
  addCompetitor,
  addKeywords,
  initialize,
  keywordStatuses,
  KeywordStore,
  offerSpellings,
  previewNames,
  readTrackedSet,
  removeCompetitor,
  setBrand,
  TrackedSetStore,
  wholeHistory
} from "@sov/core"
import { keywords } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { scanWith, seed } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const { close, run } = openStorage(home)
  afterAll(close)

  let made = 0
  const organization = (keywords: ReadonlyArray<string> = []) =>
    initialize({
      name: `Tracking ${made++}`,
      plan: "free",
      tracking: { brand: { name: "Acme" }, keywords: keywords.map((text) => ({ text })) }
    }).pipe(Effect.map(({ organization: { id } }) => id))

  it("a question is tracked once regardless of spacing, and the result says which questions were already tracked", () =>
    run(Effect.gen(function*() {
      const id = yield* organization([" anvil  q1?", "anvil q1? ", "paused?", "archived?"])
      const store = yield* KeywordStore
      const texts = Effect.map(store.list(id, keywordStatuses), (all) => all.map(({ text }) => text))
      expect(yield* texts).toEqual(["anvil q1?", "paused?", "archived?"])
      const [tidy, paused, archived] = yield* store.list(id, keywordStatuses)
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

  it("a version of the tracked set is added only by a change, which returns the entity before it", () =>
    run(Effect.gen(function*() {
      const id = yield* organization()
      const current = Effect.flatMap(TrackedSetStore, (store) => store.current(id))
      const brand = {
        name: "Acme",
        aliases: ["Acme Corp", "ACME Works"],
        domains: ["acme.example"],
        excludes: ["Acme Bank"]
      }
      const first = yield* setBrand(id, brand)
      expect(first).toMatchObject({ entity: brand, before: { aliases: [] }, changed: true })
      const same = yield* setBrand(id, { ...brand, aliases: brand.aliases.toReversed() })
      expect(same).toEqual({ entity: first.entity, before: first.entity, changed: false })
      expect((yield* current)!.version).toBe(2)
      for (const less of [{ aliases: ["Acme Corp"] }, { domains: [] }, { excludes: [] }, { name: "Acme Tools" }]) {
        expect(yield* setBrand(id, { ...brand, ...less })).toMatchObject({ entity: less, changed: true })
      }
      expect((yield* current)!.version).toBe(6)
      const beside = yield* setBrand(id, { ...brand, context: ["anvil", "forge"] })
      expect(beside).toMatchObject({ entity: { context: ["anvil", "forge"] }, changed: true })
      expect(yield* setBrand(id, { ...brand, context: ["forge", "anvil"] })).toMatchObject({ changed: false })
      // Without any it is as it was before there were such words
      expect((yield* setBrand(id, { ...brand, context: [] })).entity).toEqual(first.entity)
    })))

  it("added names extend a competitor's present names, or replace them on request", () =>
    run(Effect.gen(function*() {
      const id = yield* organization()
      const current = Effect.flatMap(TrackedSetStore, (store) => store.current(id))
      const bare = { name: "Globex", aliases: [], domains: [] }
      const made = yield* addCompetitor(id, { ...bare, aliases: ["GX", "GX"], domains: ["globex.example"] })
      expect(made).toMatchObject({
        entity: { aliases: ["GX"], domains: ["globex.example"] },
        before: null,
        changed: true
      })
      expect(yield* addCompetitor(id, bare)).toEqual({ entity: made.entity, before: made.entity, changed: false })
      expect((yield* current)!.version).toBe(2)
      expect(yield* addCompetitor(id, { ...bare, aliases: ["Globex Corp", "GX"] })).toEqual({
        entity: { ...made.entity, aliases: ["GX", "Globex Corp"] },
        before: made.entity,
        changed: true
      })
      const beside = { ...bare, context: ["steel"] }
      expect((yield* addCompetitor(id, beside)).entity).toMatchObject({
        aliases: ["GX", "Globex Corp"],
        context: ["steel"]
      })
      expect((yield* addCompetitor(id, { ...bare, context: ["iron"] })).entity.context).toEqual(["steel", "iron"])
      expect(yield* addCompetitor(id, { ...bare, aliases: ["Gx Inc"] }, { replace: true })).toMatchObject({
        entity: { id: made.entity.id, aliases: ["Gx Inc"], domains: [] },
        before: { aliases: ["GX", "Globex Corp"] }
      })
      yield* removeCompetitor(id, "Globex")
      expect(yield* current).toMatchObject({ version: 7, competitors: [] })
    })))

  it("spellings are offered for ambiguous names, with the newest answers that would count for them", () =>
    run(Effect.gen(function*() {
      const id = yield* seed
      yield* scanWith(
        id,
        10,
        (keyword) => ["Apple leads.", "Apple Inc. and Apple lead.", "an apple a day", "Globex"][keyword] ?? "Nobody."
      )
      const competitor = { name: "Apple Inc.", aliases: [], domains: [] }
      const change = { kind: "competitor", competitor, replace: false } as const
      expect((yield* previewNames(id, wholeHistory, change)).offers).toEqual([{ text: "Apple", answers: 2 }])
      const { entity } = yield* addCompetitor(id, competitor)
      const tracked = yield* readTrackedSet(id)
      expect(yield* offerSpellings(id, wholeHistory, tracked, entity)).toEqual([{ text: "Apple", answers: 2 }])
      const known = { ...competitor, aliases: ["Apple"] }
      expect((yield* previewNames(id, wholeHistory, { ...change, competitor: known })).offers).toEqual([])
    })))
})
