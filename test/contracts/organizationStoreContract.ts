import { OrganizationExists, type OrganizationId, OrganizationStore } from "@sov/core"
import { at, organization, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { failureOf, storeContract } from "./storeContract.ts"

/** What every OrganizationStore must keep. */
export const organizationStoreContract = storeContract("OrganizationStore", {
  "gives back what was created": Effect.fnUntraced(function*() {
    const store = yield* OrganizationStore
    const made = yield* seedOrganization({ historyDays: 7, scanQuota: 3, timeZone: "Europe/Berlin" })
    assert.deepEqual(yield* store.find(made.id), made)
  }),

  "returns null for an unknown id": Effect.fnUntraced(function*() {
    const store = yield* OrganizationStore
    const { id } = yield* organization()
    assert.equal(yield* store.find(id), null)
  }),

  "refuses a name or slug that exists and changes nothing": Effect.fnUntraced(function*() {
    const store = yield* OrganizationStore
    const made = yield* seedOrganization()
    for (const taken of [{ name: made.name }, { slug: made.slug }]) {
      const other = yield* organization(taken)
      const error = yield* failureOf(store.create(other))
      assert.ok(error instanceof OrganizationExists)
      assert.equal(error.name, other.name)
      assert.equal(yield* store.find(other.id), null)
    }
    assert.deepEqual(yield* store.find(made.id), made)
  }),

  "lists the oldest first": Effect.fnUntraced(function*() {
    const store = yield* OrganizationStore
    const [late, early] = [yield* seedOrganization({ createdAt: at(9) }), yield* seedOrganization({ createdAt: at(8) })]
    const ids = (yield* store.list).map(({ id }) => id)
    assert.deepEqual(ids.filter((id) => id === late.id || id === early.id), [early.id, late.id])
  }),

  "pages the oldest first, each once, and finds one by id or short name": Effect.fnUntraced(function*() {
    const store = yield* OrganizationStore
    const made = [yield* seedOrganization(), yield* seedOrganization(), yield* seedOrganization({ createdAt: at(7) })]
    const found: Array<string> = []
    let after: { readonly createdAt: Date; readonly id: string } | undefined
    while (true) {
      const page = yield* store.page({ limit: 2, ...after === undefined ? {} : { after } })
      assert.ok(page.length <= 2)
      found.push(...page.map(({ id }) => id))
      after = page.at(-1)
      if (after === undefined) break
    }
    assert.deepEqual(found, (yield* store.list).map(({ id }) => id))
    assert.deepEqual(made.filter(({ id }) => !found.includes(id)), [])
    assert.deepEqual(yield* store.findNamed(made[0]!.slug), made[0])
    assert.deepEqual(yield* store.findNamed(made[0]!.id), made[0])
    assert.equal(yield* store.findNamed("nobody"), null)
  }),

  "finds by an id the organization that has it, not one whose short name is written like it": Effect.fnUntraced(
    function*() {
      const store = yield* OrganizationStore
      const id = "01940000-0000-7000-8000-00000000c0de" as OrganizationId
      const like = yield* seedOrganization({ slug: id })
      const made = yield* seedOrganization({ id })
      assert.deepEqual(yield* store.findNamed(id), made)
      assert.deepEqual(yield* store.findNamed(like.id), like)
    }
  ),

  "creates one organization under a key, and finds it by the key": Effect.fnUntraced(function*() {
    const store = yield* OrganizationStore
    const [first, second] = [yield* organization(), yield* organization()]
    const creation = { key: `key of ${first.id}`, fingerprint: new Uint8Array(32).fill(3) }
    yield* store.create(first, creation)
    assert.ok((yield* failureOf(store.create(second, creation))) instanceof OrganizationExists)
    assert.equal(yield* store.find(second.id), null)
    const found = yield* store.findByCreation(creation.key)
    assert.deepEqual(found?.organization, first)
    assert.deepEqual(Buffer.from(found.fingerprint), Buffer.from(creation.fingerprint))
    assert.equal(yield* store.findByCreation("another"), null)
  }),

  "renames, suspends and limits one organization": Effect.fnUntraced(function*() {
    const store = yield* OrganizationStore
    const [made, other] = [yield* seedOrganization(), yield* seedOrganization()]
    const isLimited = Effect.map(store.limited, (all) => all.some(({ id }) => id === made.id))
    assert.equal(yield* isLimited, false)
    yield* store.rename(made.id, `New ${made.id}`)
    yield* store.setTimeZone(made.id, "Europe/Berlin")
    yield* store.setSuspension(made.id, { at: at(3), reason: "unpaid" })
    assert.equal(yield* isLimited, true)
    yield* store.setLimits(made.id, { requestRate: 60, monthlyBudgetUsd: 0.5 })
    assert.deepEqual(yield* store.find(made.id), {
      ...made,
      name: `New ${made.id}`,
      timeZone: "Europe/Berlin",
      suspendedAt: at(3),
      suspendedFor: "unpaid",
      requestRate: 60,
      monthlyBudgetUsd: 0.5
    })
    yield* store.setSuspension(made.id, null)
    assert.equal(yield* isLimited, true)
    yield* store.setLimits(made.id, { requestRate: null, monthlyBudgetUsd: null })
    assert.equal(yield* isLimited, false)
    assert.deepEqual(yield* store.find(made.id), { ...made, name: `New ${made.id}`, timeZone: "Europe/Berlin" })
    assert.ok((yield* failureOf(store.rename(made.id, other.name))) instanceof OrganizationExists)
    assert.deepEqual(yield* store.find(other.id), other)
  }),

  "changes plan and quota of one organization": Effect.fnUntraced(function*() {
    const store = yield* OrganizationStore
    const [made, other] = [yield* seedOrganization(), yield* seedOrganization()]
    yield* store.setPlan(made.id, "business")
    yield* store.setScanQuota(made.id, 12)
    assert.deepEqual(yield* store.find(made.id), { ...made, plan: "business", scanQuota: 12 })
    yield* store.setScanQuota(made.id, null)
    assert.equal((yield* store.find(made.id))?.scanQuota, null)
    assert.deepEqual(yield* store.find(other.id), other)
  })
})
