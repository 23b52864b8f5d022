import {
  type ActionMark,
  actionRulesVersion,
  ActionStore,
  type FoundReport,
  type KeywordId,
  type OrganizationId,
  type ScanId
} from "@sov/core"
import { at, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

const mark: ActionMark = {
  id: "71a3fdc2f7b1",
  rule: "page_without_you",
  title: "Get onto “ünïcode”.example",
  state: "later",
  until: at(100),
  markedAt: at(1)
}
const report: FoundReport = {
  version: actionRulesVersion,
  basis: "[\"x\"]",
  scans: ["01a1fdc2-f7b1-73c0-9311-cd01e31ffc66" as ScanId],
  simulated: false,
  since: 1,
  asOf: 5,
  answers: 96,
  actions: [{
    id: mark.id,
    rule: mark.rule,
    subject: "https://ünïcode.example/",
    keywords: ["01a1fdc2-e597-751b-b2d3-021831e0a044" as KeywordId],
    platforms: ["assistant_a"],
    rivals: [],
    answers: 12,
    examples: [],
    here: 1 / 3,
    elsewhere: 50,
    effect: { low: 1.5, high: 9 },
    probability: 1e-9
  }],
  candidates: 31,
  again: [{ id: mark.id, markedAt: 1 }],
  keywords: [{ id: "01a1fdc2-e597-751b-b2d3-021831e0a044" as KeywordId, text: "best \"anvil\"?" }],
  competitors: []
}

/** A mark and a report that are stored. */
export const seedActions = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const store = yield* ActionStore
  yield* store.mark(organizationId, someMark)
  yield* store.keep(organizationId, someReport)
})

/** What every ActionStore must keep. */
export const actionStoreContract = storeContract("ActionStore", {
  "keeps one mark of an action, the newest marks first, and gives what it removes": Effect.fnUntraced(function*() {
    const store = yield* ActionStore
    const { id } = yield* seedOrganization()
    const other: ActionMark = { ...mark, id: "000000000000", state: "dismissed", until: null, markedAt: at(2) }
    yield* store.mark(id, mark)
    yield* store.mark(id, other)
    assert.deepEqual(yield* store.listMarks(id), [other, mark])
    const done: ActionMark = { ...mark, state: "done", until: null, markedAt: at(3) }
    yield* store.mark(id, done)
    assert.deepEqual(yield* store.listMarks(id), [done, other])
    assert.deepEqual(yield* store.unmark(id, mark.id), done)
    assert.equal(yield* store.unmark(id, mark.id), null)
    assert.deepEqual(yield* store.listMarks(id), [other])
  }),

  "keeps the newest report alone": Effect.fnUntraced(function*() {
    const store = yield* ActionStore
    const { id } = yield* seedOrganization()
    assert.equal(yield* store.kept(id), null)
    yield* store.keep(id, report)
    assert.deepEqual(yield* store.kept(id), report)
    yield* store.keep(id, { ...report, actions: [] })
    assert.deepEqual(yield* store.kept(id), { ...report, actions: [] })
  })
})

/** For tests that need any. */
export const [someMark, someReport] = [mark, report]
