import { OrganizationExists, OrganizationStore } from "@sov/core"
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
