import { DeliveryStore, EndpointStore, maxEndpoints } from "@sov/core"
import { at, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"
import { endpoint, outcomeOf, seedDelivery, seedEndpoint } from "./webhookSeeds.ts"

/** What every EndpointStore must keep. */
export const endpointStoreContract = storeContract("EndpointStore", {
  "keeps endpoints with their sealed secrets, the oldest first": Effect.fnUntraced(function*() {
    const store = yield* EndpointStore
    const { id } = yield* seedOrganization()
    const second = yield* endpoint({ createdAt: at(2), events: ["sov.dropped", "mention.detected"] })
    yield* store.insert(id, second, "sealed-2")
    const first = yield* seedEndpoint(id, { createdAt: at(1), disabledReason: "gone", disabledAt: at(9) }, "sealed-1")
    assert.deepEqual(yield* store.list(id), [first, second])
    assert.deepEqual(yield* store.find(id, second.id), second)
    assert.deepEqual(yield* store.secrets(id, second.id), { current: "sealed-2", next: null })
    const unknown = yield* endpoint()
    assert.equal(yield* store.find(id, unknown.id), null)
    assert.equal(yield* store.secrets(id, unknown.id), null)
    assert.equal(yield* store.promote(id, unknown.id), null)
  }),

  "takes up to the limit of one organization and no more, also of those that are added at once": Effect.fnUntraced(
    function*() {
      const store = yield* EndpointStore
      const { id } = yield* seedOrganization()
      const all = yield* Effect.forEach(Array.from({ length: maxEndpoints + 3 }), () => endpoint())
      const added = yield* Effect.forEach(all, (one) => store.insert(id, one, "sealed"), { concurrency: 4 })
      assert.equal(added.filter((one) => one).length, maxEndpoints)
      assert.equal((yield* store.list(id)).length, maxEndpoints)
      yield* store.remove(id, (yield* store.list(id))[0]!.id)
      assert.equal(yield* store.insert(id, yield* endpoint(), "sealed"), true)
    }
  ),

  "changes events, and disables and enables": Effect.fnUntraced(function*() {
    const store = yield* EndpointStore
    const { id } = yield* seedOrganization()
    const made = yield* seedEndpoint(id, { failingSince: at(3) })
    const chosen = yield* store.setEvents(id, made.id, ["competitor.overtake", "sov.dropped"])
    assert.deepEqual(chosen, { ...made, events: ["competitor.overtake", "sov.dropped"] })
    const disabled = { ...chosen!, disabledReason: "operator" as const, disabledAt: at(5) }
    assert.deepEqual(yield* store.disable(id, made.id, at(5)), disabled)
    assert.deepEqual(yield* store.disable(id, made.id, at(6)), disabled)
    assert.deepEqual(yield* store.enable(id, made.id), { ...chosen!, failingSince: null })
  }),

  "stages a secret, promotes it, or replaces both": Effect.fnUntraced(function*() {
    const store = yield* EndpointStore
    const { id } = yield* seedOrganization()
    const made = yield* seedEndpoint(id)
    const secrets = store.secrets(id, made.id)
    yield* store.promote(id, made.id)
    assert.deepEqual(yield* secrets, { current: "sealed", next: null })
    yield* store.stage(id, made.id, "lost", at(1))
    assert.deepEqual((yield* store.stage(id, made.id, "next", at(2)))?.stagedAt, at(2))
    assert.deepEqual(yield* secrets, { current: "sealed", next: "next" })
    assert.deepEqual((yield* store.promote(id, made.id))?.stagedAt, null)
    assert.deepEqual(yield* secrets, { current: "next", next: null })
    yield* store.stage(id, made.id, "staged", at(3))
    yield* store.replaceSecret(id, made.id, "new")
    assert.deepEqual(yield* secrets, { current: "new", next: null })
  }),

  "replaces the stored form of the secrets that were read, and of no others": Effect.fnUntraced(function*() {
    const store = yield* EndpointStore
    const { id } = yield* seedOrganization()
    const [made, other] = [yield* seedEndpoint(id), yield* seedEndpoint(id)]
    const secrets = store.secrets(id, made.id)
    const [read, to] = [{ current: "sealed", next: null }, { current: "again", next: null }]
    assert.equal(yield* store.replaceEncrypted(id, made.id, { current: "older", next: null }, to), false)
    assert.equal(yield* store.replaceEncrypted(id, made.id, { current: "sealed", next: "staged" }, to), false)
    assert.equal(yield* store.replaceEncrypted(id, made.id, read, to), true)
    assert.equal(yield* store.replaceEncrypted(id, made.id, read, to), false)
    assert.deepEqual(yield* secrets, to)
    assert.deepEqual((yield* store.find(id, made.id))?.stagedAt, null)
    yield* store.stage(id, made.id, "staged", at(3))
    assert.equal(yield* store.replaceEncrypted(id, made.id, to, read), false)
    const both = { current: "c", next: "n" }
    assert.equal(yield* store.replaceEncrypted(id, made.id, { current: "again", next: "staged" }, both), true)
    assert.deepEqual(yield* secrets, both)
    assert.deepEqual((yield* store.find(id, made.id))?.stagedAt, at(3))
    assert.deepEqual(yield* store.secrets(id, other.id), read)
  }),

  "promotes by itself what was staged long ago": Effect.fnUntraced(function*() {
    const store = yield* EndpointStore
    const { id } = yield* seedOrganization()
    const [old, young] = [yield* seedEndpoint(id), yield* seedEndpoint(id)]
    yield* store.stage(id, old.id, "next", at(100))
    yield* store.stage(id, young.id, "next", at(101))
    yield* store.promoteStaged(at(100))
    assert.deepEqual(yield* store.secrets(id, old.id), { current: "next", next: null })
    assert.deepEqual(yield* store.secrets(id, young.id), { current: "sealed", next: "next" })
  }),

  "goes with its deliveries": Effect.fnUntraced(function*() {
    const store = yield* EndpointStore
    const deliveries = yield* DeliveryStore
    const seed = yield* seedDelivery()
    yield* deliveries.record([outcomeOf(seed, 31)])
    assert.equal(yield* store.remove(seed.organizationId, seed.endpoint.id), true)
    assert.equal(yield* store.remove(seed.organizationId, seed.endpoint.id), false)
    assert.deepEqual(yield* store.list(seed.organizationId), [])
    assert.deepEqual(yield* deliveries.list(seed.organizationId, { limit: 9 }), [])
  })
})
