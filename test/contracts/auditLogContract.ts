import {
  type Act,
  type Actor,
  ApiKeyId,
  AuditEntryId,
  AuditLog,
  commandLine,
  makeAuditEntry,
  type Person,
  PersonId,
  StoreError
} from "@sov/core"
import { at, hostileTexts, newId, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { seedPerson } from "../support/people.ts"
import { failureOf, storeContract } from "./storeContract.ts"

const added = (text: string): Act => ({ action: "keyword.added", subjectId: "k", detail: { text } })

/** An entry that is not stored; `n` seconds after the time of the seeds. */
export const auditEntry = (n: number, actor: Actor = commandLine, act: Act = added(`keyword ${n}`)) =>
  Effect.map(newId(AuditEntryId), (id) => makeAuditEntry(id, at(n), { keyId: null, ...actor }, act))

/** What every AuditLog must keep. */
export const auditLogContract = storeContract("AuditLog", {
  "gives entries as they were recorded, the newest first": Effect.fnUntraced(function*() {
    const log = yield* AuditLog
    const { id } = yield* seedOrganization()
    const entries = [
      yield* auditEntry(1),
      yield* auditEntry(2, { kind: "system", name: hostileTexts.join(""), personId: null }),
      yield* auditEntry(3, commandLine, {
        action: "recipients.changed",
        subjectId: id,
        detail: { addresses: hostileTexts, before: [] }
      })
    ]
    yield* log.record(id, entries)
    yield* log.record(id, [])
    assert.deepEqual(yield* log.page(id, {}, { limit: 9 }), entries.toReversed())
  }),

  "finds an entry by its id": Effect.fnUntraced(function*() {
    const log = yield* AuditLog
    const { id } = yield* seedOrganization()
    const [entry, unknown] = [yield* auditEntry(1), yield* auditEntry(2)]
    yield* log.record(id, [entry])
    assert.deepEqual(yield* log.find(id, entry.id), entry)
    assert.equal(yield* log.find(id, unknown.id), null)
  }),

  "lists the entries by which a person has acted in one way since a time": Effect.fnUntraced(function*() {
    const log = yield* AuditLog
    const [{ id }, other] = [yield* seedOrganization(), yield* seedOrganization()]
    const [ada, ben] = [yield* seedPerson(), yield* seedPerson()]
    const by = ({ id: personId, name }: Person, n: number, act?: Act) =>
      auditEntry(n, { kind: "person", name, personId }, act)
    const rest: Act = { action: "keyword.paused", subjectId: "k", detail: { text: "x" } }
    const [first, second] = [yield* by(ada, 1), yield* by(ada, 2)]
    yield* log.record(id, [
      first,
      second,
      yield* by(ada, 3, rest),
      yield* by(ben, 3),
      yield* auditEntry(3)
    ])
    yield* log.record(other.id, [yield* by(ada, 3)])
    const list = (since: number) => log.listActs(id, { personId: ada.id, action: "keyword.added", since: at(since) })
    assert.deepEqual((yield* list(0)).toSorted(), [first.id, second.id].toSorted())
    assert.deepEqual([yield* list(1), yield* list(2)], [[second.id], []])
  }),

  "gives what was done to some subjects, the oldest first": Effect.fnUntraced(function*() {
    const log = yield* AuditLog
    const { id } = yield* seedOrganization()
    const on = (n: number, subjectId: string) =>
      auditEntry(n, commandLine, { action: "keyword.added", subjectId, detail: { text: "x" } })
    const [late, early, other] = [yield* on(9, "one"), yield* on(1, "two"), yield* on(2, "three")]
    yield* log.record(id, [late, early, other])
    assert.deepEqual(yield* log.ofSubjects(id, "keyword", ["one", "two", "none"]), [early, late])
    assert.deepEqual(yield* log.ofSubjects(id, "key", ["one"]), [])
    assert.deepEqual(yield* log.ofSubjects(id, "keyword", []), [])
  }),

  "pages by time and id without a gap or a repetition": Effect.fnUntraced(function*() {
    const log = yield* AuditLog
    const { id } = yield* seedOrganization()
    const entries = yield* Effect.forEach([5, 5, 5, 4, 4, 6, 1], (n) => auditEntry(n))
    yield* log.record(id, entries)
    const all = yield* log.page(id, {}, { limit: 99 })
    const paged: Array<(typeof all)[number]> = []
    for (let last = undefined as (typeof all)[number] | undefined;;) {
      const page = yield* log.page(id, {}, {
        limit: 2,
        ...last === undefined ? {} : { after: { createdAt: last.at, id: last.id } }
      })
      if (page.length === 0) break
      paged.push(...page)
      last = page.at(-1)
    }
    assert.deepEqual(paged, all)
    assert.deepEqual(all.map((entry) => entry.at), [6, 5, 5, 5, 4, 4, 1].map(at))
  }),

  "records many entries at once, all or none": Effect.fnUntraced(function*() {
    const log = yield* AuditLog
    const { id } = yield* seedOrganization()
    const entries = yield* Effect.forEach(Array.from({ length: 1001 }, (_, n) => n), (n) => auditEntry(n))
    const error = yield* failureOf(log.record(id, [...entries, entries[0]!]))
    assert.equal(error.reason, "constraint")
    assert.deepEqual(yield* log.page(id, {}, { limit: 9 }), [])
    yield* log.record(id, entries)
    assert.equal((yield* log.page(id, {}, { limit: 9999 })).length, 1001)
  }),

  "filters by actor, action and time": Effect.fnUntraced(function*() {
    const log = yield* AuditLog
    const { id } = yield* seedOrganization()
    const paused: Act = { action: "keyword.paused", subjectId: "k", detail: { text: "x" } }
    const [first, second, third] = [
      yield* auditEntry(1),
      yield* auditEntry(2, { kind: "system", name: "schedule", personId: null }),
      yield* auditEntry(3, commandLine, paused)
    ]
    yield* log.record(id, [first, second, third])
    const find = (filters: Parameters<typeof log.page>[1]) => log.page(id, filters, { limit: 9 })
    assert.deepEqual(yield* find({ actor: "command line" }), [third, first])
    assert.deepEqual(yield* find({ actor: "schedule" }), [second])
    assert.deepEqual(yield* find({ actor: "system" }), [second])
    assert.deepEqual(yield* find({ actor: "nobody" }), [])
    assert.deepEqual(yield* find({ action: "keyword.paused" }), [third])
    assert.deepEqual(yield* find({ since: at(2) }), [third, second])
    assert.deepEqual(yield* find({ since: at(2), action: "keyword.added", actor: "system" }), [second])
  }),

  "refuses persons and keys that do not exist, and kinds without theirs": Effect.fnUntraced(function*() {
    const log = yield* AuditLog
    const { id } = yield* seedOrganization()
    const refused: ReadonlyArray<Actor> = [
      { kind: "person", name: "x", personId: yield* newId(PersonId) },
      { kind: "key", name: "x", personId: null, keyId: yield* newId(ApiKeyId) },
      { kind: "person", name: "x", personId: null },
      { kind: "key", name: "x", personId: null }
    ]
    for (const actor of refused) {
      const error = yield* failureOf(log.record(id, [yield* auditEntry(1, actor)]))
      assert.ok(error instanceof StoreError)
      assert.equal(error.reason, "constraint")
    }
  })
})
