import { BusinessCardStore, type CardEdit, type OrganizationId, Transaction } from "@sov/core"
import { at, cardDecision, cardEdit, hostileTexts, seedAnswers, seedOrganization, seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

const append = Effect.fnUntraced(function*(id: OrganizationId, edits: ReadonlyArray<CardEdit>, seconds: number) {
  const store = yield* BusinessCardStore
  yield* (yield* Transaction).run(Effect.andThen(store.lock(id), store.append(id, edits, at(seconds))))
})

/** What every BusinessCardStore must keep. */
export const businessCardStoreContract = storeContract("BusinessCardStore", {
  "has an empty card, no history and no attestation before the first": Effect.fnUntraced(function*() {
    const store = yield* BusinessCardStore
    const { id } = yield* seedOrganization()
    assert.deepEqual(yield* store.current(id), new Map())
    assert.deepEqual(yield* store.lock(id), new Map())
    assert.deepEqual(yield* store.history(id, { limit: 9 }), [])
    assert.equal(yield* store.attestation(id), null)
  }),

  "gives the newest of each field, without what was cleared": Effect.fnUntraced(function*() {
    const store = yield* BusinessCardStore
    const { id } = yield* seedOrganization()
    const [name, slogan] = [cardEdit({ value: ["Acme"] }), cardEdit({ field: "slogan", value: ["Louder"] })]
    yield* append(id, [name, slogan, cardEdit({ field: "topics", value: ["anvils", "forges"] })], 1)
    const later = cardEdit({ value: ["Acme GmbH"], source: "register", updatedAt: at(-500) })
    yield* append(id, [later, cardEdit({ field: "slogan", value: null })], 2)
    assert.deepEqual(
      yield* store.current(id),
      new Map([
        ["name", { value: ["Acme GmbH"], source: "register", updatedAt: at(-500) }],
        ["topics", { value: ["anvils", "forges"], source: "a test", updatedAt: at(0) }]
      ])
    )
    assert.deepEqual(yield* store.lock(id), yield* store.current(id))
  }),

  "keeps every edit with the value before it, newest first": Effect.fnUntraced(function*() {
    const store = yield* BusinessCardStore
    const { id } = yield* seedOrganization()
    const edits = [
      cardEdit({ value: ["one"] }),
      cardEdit({ field: "slogan", value: ["two"] }),
      cardEdit({ value: ["three"] }),
      cardEdit({ value: null }),
      cardEdit({ value: ["four"] })
    ]
    yield* append(id, edits.slice(0, 3), 1)
    yield* append(id, edits.slice(3), 2)
    const before = [null, null, ["one"], ["three"], null]
    const kept = edits.map((edit, n) => ({
      ...edit,
      sequence: n + 1,
      previous: before[n],
      changedAt: at(n < 3 ? 1 : 2)
    }))
    assert.deepEqual(yield* store.history(id, { limit: 9 }), kept.toReversed())
    assert.deepEqual(yield* store.history(id, { limit: 2 }), kept.slice(3).toReversed())
    assert.deepEqual(yield* store.history(id, { limit: 9, field: "slogan" }), [kept[1]])
    assert.deepEqual(yield* store.history(id, { limit: 9, since: at(2) }), kept.slice(3).toReversed())
    assert.deepEqual(yield* store.history(id, { limit: 9, before: 3 }), kept.slice(0, 2).toReversed())
  }),

  "keeps texts and things exactly, and many at once": Effect.fnUntraced(function*() {
    const store = yield* BusinessCardStore
    const { id } = yield* seedOrganization()
    const value = [...hostileTexts, ...hostileTexts.map((text) => ({ name: text, url: text }))]
    yield* append(id, [cardEdit({ field: "leaders", value, source: hostileTexts.join("") })], 1)
    assert.deepEqual((yield* store.current(id)).get("leaders")?.value, value)
    assert.equal((yield* store.current(id)).get("leaders")?.source, hostileTexts.join(""))
    yield* append(id, Array.from({ length: 1001 }, (_, n) => cardEdit({ value: [`n ${n}`] })), 2)
    assert.deepEqual((yield* store.current(id)).get("name")?.value, ["n 1000"])
    assert.deepEqual((yield* store.history(id, { limit: 1 }))[0]?.previous, ["n 999"])
  }),

  "numbers edits without a gap when many edit at once": Effect.fnUntraced(function*() {
    const store = yield* BusinessCardStore
    const { id } = yield* seedOrganization()
    yield* Effect.forEach(
      Array.from({ length: 8 }, (_, n) => n),
      (n) => append(id, [cardEdit({ value: [`${n}`] }), cardEdit({ field: "slogan", value: [`${n}`] })], n),
      { concurrency: "unbounded" }
    )
    const changes = (yield* store.history(id, { limit: 99 })).toReversed()
    assert.deepEqual(changes.map(({ sequence }) => sequence), Array.from({ length: 16 }, (_, n) => n + 1))
    for (const [n, { previous, value }] of changes.entries()) {
      if (n >= 2) assert.deepEqual(previous, changes[n - 2]!.value)
      assert.deepEqual(value, changes[n - n % 2]!.value, "an edit of two fields stays together")
    }
  }),

  "gives the newest attestation": Effect.fnUntraced(function*() {
    const store = yield* BusinessCardStore
    const { id } = yield* seedOrganization()
    const [one, two] = ["a", "b"].map((digit) => ({ by: `Ada ${digit} “'\\`, at: at(5), cardHash: digit.repeat(64) }))
    yield* store.attest(id, one!)
    assert.deepEqual(yield* store.attestation(id), one)
    yield* store.attest(id, two!)
    assert.deepEqual(yield* store.attestation(id), two)
  }),

  "keeps a judge's first decision on an answer and a fact, and gives those that are asked for": Effect.fnUntraced(
    function*() {
      const store = yield* BusinessCardStore
      const scan = yield* seedScan()
      const id = scan.organizationId
      const [one, two] = (yield* seedAnswers(scan)).map((answer) => answer.id).toSorted()
      const [hashA, hashB] = ["a".repeat(64), "b".repeat(64)] as const
      assert.deepEqual(yield* store.decisions(id, [one!, two!], [hashA]), [])
      const first = cardDecision(one!, { factHash: hashA, quote: hostileTexts.join(""), says: hostileTexts.join("") })
      const nothing = { verdict: "not_stated", quote: null, start: null } as const
      const second = cardDecision(one!, { factHash: hashB, ...nothing })
      const third = cardDecision(two!, { factHash: hashA, verdict: "unusable", quote: null, start: null })
      yield* store.addDecisions(id, [first, second, third])
      yield* store.addDecisions(id, [{ ...first, verdict: "agrees", judgedBy: "another", judgedAt: at(99) }])
      assert.deepEqual(yield* store.decisions(id, [one!, two!], [hashA, hashB]), [first, second, third])
      assert.deepEqual(yield* store.decisions(id, [one!], [hashB, "c".repeat(64)]), [second])
      assert.deepEqual(yield* store.decisions(id, [], [hashA]), [])
      yield* store.addDecisions(id, [])
      const many = Array.from(
        { length: 1001 },
        (_, n) => cardDecision(two!, { factHash: n.toString(16).padStart(64, "0") })
      )
      yield* store.addDecisions(id, many)
      assert.deepEqual(yield* store.decisions(id, [two!], many.map(({ factHash }) => factHash)), many)
    }
  )
})
