import { DeliveryStore, EventOutbox, Transaction } from "@sov/core"
import { at, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { failureOf, storeContract } from "./storeContract.ts"
import { scanCompleted, seedDelivery, seedEndpoint } from "./webhookSeeds.ts"

/** What every EventOutbox must keep. */
export const eventOutboxContract = storeContract("EventOutbox", {
  "makes one delivery for each enabled endpoint that chose the event": Effect.fnUntraced(function*() {
    const { id } = yield* seedOrganization()
    yield* seedEndpoint((yield* seedOrganization()).id)
    const chosen = [
      yield* seedEndpoint(id),
      yield* seedEndpoint(id, { events: ["sov.dropped", "scan.completed"] })
    ]
    yield* seedEndpoint(id, { events: ["sov.dropped"] })
    yield* seedEndpoint(id, { disabledReason: "operator", disabledAt: at(1) })
    const event = yield* scanCompleted(at(30))
    yield* (yield* EventOutbox).put(id, event)
    const deliveries = yield* (yield* DeliveryStore).list(id, { limit: 9 })
    assert.deepEqual(
      new Set(deliveries.map(({ endpointId }) => endpointId)),
      new Set(chosen.map((endpoint) => endpoint.id))
    )
    for (const { attempts, createdAt, dueAt, eventId, last, state } of deliveries) {
      assert.deepEqual(
        { attempts, createdAt, dueAt, eventId, last, state },
        { attempts: 0, createdAt: at(30), dueAt: at(30), eventId: event.id, last: null, state: "pending" }
      )
    }
  }),

  "takes part in the transaction": Effect.fnUntraced(function*() {
    const { id } = yield* seedOrganization()
    yield* seedEndpoint(id)
    const event = yield* scanCompleted()
    const outbox = yield* EventOutbox
    const { run } = yield* Transaction
    yield* Effect.ignore(run(Effect.andThen(outbox.put(id, event), Effect.fail("rolled back"))))
    assert.deepEqual(yield* (yield* DeliveryStore).list(id, { limit: 9 }), [])
    yield* run(outbox.put(id, event))
    assert.equal((yield* (yield* DeliveryStore).list(id, { limit: 9 })).length, 1)
  }),

  "takes an event once": Effect.fnUntraced(function*() {
    const { event, organizationId } = yield* seedDelivery()
    const failure = yield* failureOf((yield* EventOutbox).put(organizationId, event))
    assert.equal(failure.reason, "constraint")
    assert.equal((yield* (yield* DeliveryStore).list(organizationId, { limit: 9 })).length, 1)
  })
})
