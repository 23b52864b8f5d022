import {
  ArchiveStore,
  type Cell,
  type Keyword,
  type KeywordStatus,
  keywordStatuses,
  KeywordStore,
  MeasurementStore
} from "@sov/core"
import {
  addScan,
  answerTo,
  at,
  hostileTexts,
  keywords,
  measurementOf,
  seedOrganization,
  seedScan
} from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

/** What every KeywordStore must keep. */
export const keywordStoreContract = storeContract("KeywordStore", {
  "gives back added keywords in the given order, and lists the oldest first": Effect.fnUntraced(function*() {
    const store = yield* KeywordStore
    const { id } = yield* seedOrganization()
    const made = yield* keywords(["c", "a", "b"])
    const given = made.toReversed()
    assert.deepEqual(yield* store.add(id, given), given)
    assert.deepEqual(yield* store.list(id, keywordStatuses), made)
    assert.deepEqual(yield* store.find(id, made[1]!.id), made[1])
  }),

  "keeps texts exactly": Effect.fnUntraced(function*() {
    const store = yield* KeywordStore
    const { id } = yield* seedOrganization()
    const made = yield* keywords([...hostileTexts.filter((text) => text !== ""), "x".repeat(2000), "ä".repeat(2000)])
    assert.deepEqual(yield* store.add(id, made), made)
    assert.deepEqual(yield* store.list(id, ["active"]), made)
  }),

  "keeps the id of a text that exists; an archived keyword becomes active, a paused one stays paused": Effect
    .fnUntraced(function*() {
      const store = yield* KeywordStore
      const { id } = yield* seedOrganization()
      const [paused, archived] = yield* store.add(id, yield* keywords(["paused", "archived"]))
      yield* store.setStatus(id, paused!.id, "paused")
      yield* store.setStatus(id, archived!.id, "archived")
      const [again, fresh, back] = yield* store.add(id, yield* keywords(["paused", "new", "archived"]))
      assert.deepEqual(again, { ...paused!, status: "paused" })
      assert.deepEqual(back, archived)
      assert.equal(fresh!.text, "new")
      assert.equal((yield* store.list(id, keywordStatuses)).length, 3)
    }),

  "adds a text once when it is given twice": Effect.fnUntraced(function*() {
    const store = yield* KeywordStore
    const { id } = yield* seedOrganization()
    const made = yield* keywords(["same", "other", "same"])
    const added = yield* store.add(id, made)
    assert.deepEqual(added.map(({ text }) => text), ["same", "other", "same"])
    assert.equal(added[0]!.id, added[2]!.id)
    assert.equal((yield* store.list(id, keywordStatuses)).length, 2)
  }),

  "adds nothing, and many": Effect.fnUntraced(function*() {
    const store = yield* KeywordStore
    const { id } = yield* seedOrganization()
    assert.deepEqual(yield* store.add(id, []), [])
    const made = yield* keywords(Array.from({ length: 1201 }, (_, n) => `question ${n}`))
    assert.deepEqual(yield* store.add(id, made), made)
    assert.equal((yield* store.list(id, keywordStatuses)).length, 1201)
  }),

  "adds the same texts once under concurrency": Effect.fnUntraced(function*() {
    const store = yield* KeywordStore
    const { id } = yield* seedOrganization()
    const texts = Array.from({ length: 450 }, (_, n) => `question ${n}`)
    const added = yield* Effect.forEach(
      [texts, texts.toReversed(), texts, texts.toReversed()],
      (given) => Effect.flatMap(keywords(given), (made) => store.add(id, made)),
      { concurrency: "unbounded" }
    )
    const stored = yield* store.list(id, keywordStatuses)
    assert.equal(stored.length, 450)
    for (const list of added) assert.deepEqual(new Set(list.map((k) => k.id)), new Set(stored.map((k) => k.id)))
  }),

  "returns when each was last answered and whether that scan named the brand, page by page": Effect.fnUntraced(
    function*() {
      const store = yield* KeywordStore
      const { cells, keywords: [one, two], organizationId } = yield* seedScan()
      const summaries = (options: { readonly limit: number; readonly after?: Keyword }) =>
        store.summaries(organizationId, { statuses: keywordStatuses }, options)
      const unasked = { lastScannedAt: null, lastMentioned: null, simulated: false }
      assert.deepEqual(yield* summaries({ limit: 9 }), [{ keyword: one, ...unasked }, { keyword: two, ...unasked }])

      const archive = yield* ArchiveStore
      const add = Effect.fnUntraced(function*(cell: Cell, seconds: number, named: boolean | null, simulated = false) {
        const answer = yield* answerTo(cell, { createdAt: at(seconds), simulated })
        const measured = named === null ? null : measurementOf(answer, { brandMentioned: named })
        yield* archive.archive(organizationId, answer, measured)
        return answer
      })
      const of = (keyword: Keyword | undefined) => cells.filter(({ keywordId }) => keywordId === keyword!.id)
      // Named by one platform of two; by the other keyword's newer measurement no more
      yield* add(of(one)[0]!, 20, true)
      yield* add(of(one)[1]!, 21, false)
      const measuredTwice = yield* add(of(two)[0]!, 22, true)
      yield* (yield* MeasurementStore).insert(organizationId, [
        measurementOf(measuredTwice, { measureVersion: 2, brandMentioned: false })
      ])
      const said = [
        { keyword: one, lastScannedAt: at(21), lastMentioned: true, simulated: false },
        { keyword: two, lastScannedAt: at(22), lastMentioned: false, simulated: false }
      ]
      assert.deepEqual(yield* summaries({ limit: 9 }), said)
      assert.deepEqual(yield* summaries({ limit: 1 }), said.slice(0, 1))
      assert.deepEqual(yield* summaries({ limit: 1, after: one! }), said.slice(1))
      assert.deepEqual(yield* summaries({ limit: 1, after: two! }), [])

      // A newer scan counts alone, also before it is measured; made-up answers say so
      const later = yield* addScan(organizationId, [one!], { startedAt: at(40) })
      yield* add(later.cells[0]!, 41, null, true)
      assert.deepEqual((yield* summaries({ limit: 1 }))[0], {
        keyword: one,
        lastScannedAt: at(41),
        lastMentioned: null,
        simulated: true
      })
    }
  ),

  "finds keywords by a part of their text, which is no pattern": Effect.fnUntraced(function*() {
    const store = yield* KeywordStore
    const { id } = yield* seedOrganization()
    const [one, two] = yield* store.add(id, yield* keywords(["Best 100% steel?", "which_forge"]))
    const found = (query: string, statuses: ReadonlyArray<KeywordStatus> = keywordStatuses) =>
      Effect.map(
        store.summaries(id, { statuses, query }, { limit: 9 }),
        (rows) => rows.map(({ keyword }) => keyword.id)
      )
    assert.deepEqual(yield* found("best"), [one!.id])
    assert.deepEqual(yield* found("0% S"), [one!.id])
    assert.deepEqual(yield* found("h_f"), [two!.id])
    assert.deepEqual(yield* found("%e"), [])
    assert.deepEqual(yield* found("best\0"), [])
    yield* store.setStatus(id, one!.id, "paused")
    assert.deepEqual(yield* found("", ["active"]), [two!.id])
  }),

  "changes the status and filters by it": Effect.fnUntraced(function*() {
    const store = yield* KeywordStore
    const { id } = yield* seedOrganization()
    const [one, two] = yield* store.add(id, yield* keywords(["one", "two"]))
    assert.deepEqual(yield* store.setStatus(id, one!.id, "paused"), { ...one!, status: "paused" })
    assert.deepEqual(yield* store.list(id, ["active"]), [two])
    assert.deepEqual(yield* store.list(id, ["paused", "archived"]), [{ ...one!, status: "paused" }])
    assert.deepEqual(yield* store.list(id, []), [])
    const [stranger] = yield* keywords(["stranger"])
    assert.equal(yield* store.find(id, stranger!.id), null)
    assert.equal(yield* store.setStatus(id, stranger!.id, "paused"), null)

    yield* store.setStatuses(id, [
      { id: two!.id, status: "archived" },
      { id: stranger!.id, status: "archived" },
      { id: one!.id, status: "active" }
    ])
    assert.deepEqual(yield* store.list(id, keywordStatuses), [one, { ...two!, status: "archived" }])
    yield* store.setStatuses(id, [])
    assert.deepEqual(yield* store.list(id, ["active"]), [one])
  }),

  "gives tags, in whatever spelling they are asked for, and takes them": Effect.fnUntraced(function*() {
    const store = yield* KeywordStore
    const { id } = yield* seedOrganization()
    const [one, two] = yield* store.add(id, yield* keywords(["one", "two"]))
    const tag = (keyword: Keyword | undefined, tag: string) => ({ keywordId: keyword!.id, tag })
    const given = [tag(one, "Größe"), tag(one, "b"), tag(two, "größe")]
    const byTag = (tags: ReadonlyArray<{ readonly keywordId: string; readonly tag: string }>) =>
      tags.toSorted((a, b) =>
        `${a.keywordId} ${a.tag.toLowerCase()}` < `${b.keywordId} ${b.tag.toLowerCase()}` ? -1 : 1
      )
    assert.deepEqual(
      byTag(yield* store.addTags(id, [...given, tag(one, "GRÖSSE "), tag(one, "größe")])),
      byTag([
        ...given,
        tag(one, "GRÖSSE ")
      ])
    )
    assert.deepEqual(yield* store.addTags(id, given), [])
    assert.deepEqual(yield* store.addTags(id, []), [])
    assert.deepEqual(yield* store.removeTags(id, [tag(one, "grösse"), tag(one, "B"), tag(two, "b")]), [
      tag(one, "b"),
      tag(one, "GRÖSSE ")
    ])
    assert.deepEqual(yield* store.listTags(id), byTag([given[0]!, given[2]!]))
  }),

  "gives tags to many keywords, and lists those among them": Effect.fnUntraced(function*() {
    const store = yield* KeywordStore
    const { id } = yield* seedOrganization()
    const many = yield* store.add(id, yield* keywords(Array.from({ length: 1201 }, (_, n) => `question ${n}`)))
    const tagged = many.map((keyword) => ({ keywordId: keyword.id, tag: "all" }))
    assert.equal((yield* store.addTags(id, tagged)).length, 1201)
    assert.equal((yield* store.listTags(id)).length, 1201)
    const some = [many[3]!, many[1200]!]
    const found = yield* store.summaries(id, { statuses: keywordStatuses, ids: some.map((one) => one.id) }, {
      limit: 9
    })
    assert.deepEqual(found.map(({ keyword }) => keyword), some)
    assert.deepEqual(yield* store.summaries(id, { statuses: keywordStatuses, ids: [] }, { limit: 9 }), [])
    assert.equal((yield* store.removeTags(id, tagged)).length, 1201)
  }),

  "keeps views by name, and the words in which a view asks a keyword": Effect.fnUntraced(function*() {
    const store = yield* KeywordStore
    const { id } = yield* seedOrganization()
    const [one] = yield* store.add(id, yield* keywords(["best anvil?"]))
    const german = { name: "germany", country: "DE", language: "de", context: null }
    const baker = { name: "bakery", country: null, language: null, context: "I run a bakery." }
    assert.deepEqual(yield* Effect.forEach([german, baker, german], (view) => store.addView(id, view, at(1))), [
      true,
      true,
      false
    ])
    assert.deepEqual(yield* store.listViews(id), [baker, german])
    const wording = { view: "germany", keywordId: one!.id }
    for (const text of ["Welcher?", "Welcher Amboss?"]) yield* store.setWording(id, { ...wording, text })
    assert.deepEqual(yield* store.listWordings(id, "germany"), [{ keywordId: one!.id, text: "Welcher Amboss?" }])
    yield* store.setWording(id, { ...wording, text: null })
    assert.deepEqual(yield* store.listWordings(id, "germany"), [])
    yield* store.setWording(id, { ...wording, text: "Welcher?" })
    assert.deepEqual([yield* store.removeView(id, "germany"), yield* store.removeView(id, "germany")], [true, false])
    assert.deepEqual(yield* store.addView(id, german, at(2)), true)
    assert.deepEqual(yield* store.listWordings(id, "germany"), [])
  })
})
