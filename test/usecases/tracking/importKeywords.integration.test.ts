/** An import takes all that it can or nothing, and counts each line once. */
import {
  addKeywords,
  exportKeywords,
  type FiledKeyword,
  findTagged,
  importKeywords,
  initialize,
  KeywordStore,
  readKeywords,
  readTags,
  setKeywordStatus,
  tagKeywords
} from "@sov/core"
import { Deferred, Effect, Fiber } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const filed = (keywords: ReadonlyArray<Partial<FiledKeyword> & { readonly text: string }>) => ({
  keywords: keywords.map((one, n): FiledKeyword => ({ line: n + 1, tags: [], status: null, ...one })),
  refused: []
})

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const { close, run } = openStorage(home)
  afterAll(close)

  const organization = (name: string) =>
    Effect.map(
      initialize({ name, plan: "free", tracking: { brand: { name: "Acme" }, keywords: [{ text: "best anvil?" }] } }),
      ({ organization: { id } }) => id
    )

  it("an import adds new keywords, keeps existing ones, and adds no keyword the second time", () =>
    run(Effect.gen(function*() {
      const id = yield* organization("Import")
      const [old] = yield* addKeywords(id, ["old?"])
      yield* setKeywordStatus(id, old!.keyword.id, "archived")
      const file = filed([
        { text: "best anvil?", tags: ["Pricing"] },
        { text: "old?" },
        { text: "is Acme good?", tags: ["pricing", "b"], status: "paused" },
        { text: "is Acme good?", tags: ["c"] },
        ...Array.from({ length: 40 }, (_, n) => ({ text: `question ${n}?`, tags: ["many"] }))
      ])
      const planned = yield* importKeywords(id, file, { dryRun: true })
      expect(planned).toEqual({ added: 42, existing: 2, refused: [] })
      expect(yield* readKeywords(id, ["active", "paused"])).toHaveLength(1)
      expect(yield* importKeywords(id, file)).toEqual(planned)
      const keywords = yield* readKeywords(id)
      const tags = yield* readTags(id)
      expect(keywords).toHaveLength(43)
      const found = keywords.filter(({ text }) => !text.startsWith("question"))
      expect(found.map(({ id, status, text }) => [text, status, tags.get(id) ?? []])).toEqual([
        ["best anvil?", "active", ["Pricing"]],
        ["old?", "active", []],
        ["is Acme good?", "paused", ["b", "c", "Pricing"]]
      ])
      expect(yield* findTagged(id, "BRANDED")).toEqual([found[2]!.id])
      expect(yield* findTagged(id, "many")).toHaveLength(40)

      expect(yield* importKeywords(id, file)).toEqual({ added: 0, existing: 44, refused: [] })
      const exported = yield* exportKeywords(id)
      const again = filed(exported.map(({ keyword: { status, text }, tags }) => ({ status, text, tags })))
      const copy = yield* organization("Copy")
      yield* importKeywords(copy, again)
      expect((yield* exportKeywords(copy)).map(({ keyword: { status, text }, tags }) => ({ status, text, tags })))
        .toEqual(
          again.keywords.map(({ status, tags, text }) => ({ status, text, tags }))
        )
    })))

  it("a line that would give a keyword too many tags is refused, and the others are imported", () =>
    run(Effect.gen(function*() {
      const id = yield* organization("Full")
      const [anvil] = yield* readKeywords(id)
      expect(yield* Effect.flip(tagKeywords(id, [anvil!.id], [anvil!.id]))).toMatchObject({ field: "tag" })
      yield* tagKeywords(id, [anvil!.id], Array.from({ length: 20 }, (_, n) => `t${n}`))
      expect(yield* importKeywords(id, filed([{ text: "best anvil?", tags: ["T3", "more"] }, { text: "new?" }])))
        .toEqual({
          added: 1,
          existing: 0,
          refused: [{ line: 1, reason: "a keyword has at most 20 tags" }]
        })
    })))

  it("an interrupted import adds nothing", () =>
    run(Effect.gen(function*() {
      const id = yield* organization("Interrupted")
      const store = yield* KeywordStore
      const reached = yield* Deferred.make<void>()
      const halting = KeywordStore.of({
        ...store,
        addTags: (organizationId, tagged) =>
          store.addTags(organizationId, tagged.slice(0, 1)).pipe(
            Effect.andThen(Deferred.succeed(reached, undefined)),
            Effect.andThen(Effect.never)
          )
      })
      const file = filed(Array.from({ length: 30 }, (_, n) => ({ text: `question ${n}?`, tags: ["a"] })))
      const fiber = yield* Effect.forkChild(Effect.provideService(importKeywords(id, file), KeywordStore, halting))
      yield* Deferred.await(reached)
      yield* Fiber.interrupt(fiber)
      expect(yield* readKeywords(id)).toHaveLength(1)
      expect(yield* readTags(id)).toEqual(new Map())
    })))
})
