import { DeliveryStore, encodeChatBody, encodeEventBody, type Endpoint, EventOutbox, Transaction } from "@sov/core"
import { at, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { failureOf, sameBytes, storeContract } from "./storeContract.ts"
import { chatMessage, outcomeOf, scanCompleted, seedDelivery, seedEndpoint } from "./webhookSeeds.ts"

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
    yield* (yield* EventOutbox).put(id, event, chatMessage)
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

  "gives an endpoint with a chat's format the message in it, once and for all tries": Effect.fnUntraced(function*() {
    const { id } = yield* seedOrganization()
    const event = yield* scanCompleted(at(30))
    const json = yield* seedEndpoint(id)
    const chats = [yield* seedEndpoint(id, { format: "slack" }), yield* seedEndpoint(id, { format: "teams" })]
    yield* (yield* EventOutbox).put(id, event, chatMessage)
    const store = yield* DeliveryStore
    const bodyOf = Effect.fnUntraced(function*(endpoint: Endpoint) {
      const [delivery] = yield* store.list(id, { limit: 9, endpointId: endpoint.id })
      const queues = [{ organizationId: id, endpointId: endpoint.id, limit: 9 }]
      const [due] = yield* store.due(queues, { now: at(60), claimed: new Map() })
      sameBytes((yield* store.find(id, delivery!.id))!.body, due!.body)
      const failed = { status: 500, failure: "status", message: "answered 500" } as const
      yield* store.record([outcomeOf({ organizationId: id, endpoint, delivery: delivery! }, 60, failed)])
      const again = yield* store.restart(id, delivery!.id, { now: at(62), dueAt: at(62) })
      assert.ok(again !== null && again !== "in flight")
      sameBytes(again.body, due!.body)
      return due!.body
    })
    sameBytes(yield* bodyOf(json), encodeEventBody(id, event))
    sameBytes(yield* bodyOf(chats[0]!), encodeChatBody("slack", chatMessage))
    sameBytes(yield* bodyOf(chats[1]!), encodeChatBody("teams", chatMessage))
    const formats = (yield* store.queues(new Map(), "all")).flatMap(({ format, organizationId }) =>
      organizationId === id ? [format] : []
    )
    assert.deepEqual(formats.toSorted(), ["json", "slack", "teams"])
  }),

  "takes part in the transaction": Effect.fnUntraced(function*() {
    const { id } = yield* seedOrganization()
    yield* seedEndpoint(id)
    const event = yield* scanCompleted()
    const outbox = yield* EventOutbox
    const { run } = yield* Transaction
    yield* Effect.ignore(run(Effect.andThen(outbox.put(id, event, chatMessage), Effect.fail("rolled back"))))
    assert.deepEqual(yield* (yield* DeliveryStore).list(id, { limit: 9 }), [])
    yield* run(outbox.put(id, event, chatMessage))
    assert.equal((yield* (yield* DeliveryStore).list(id, { limit: 9 })).length, 1)
  }),

  "takes an event once": Effect.fnUntraced(function*() {
    const { event, organizationId } = yield* seedDelivery()
    const failure = yield* failureOf((yield* EventOutbox).put(organizationId, event, chatMessage))
    assert.equal(failure.reason, "constraint")
    assert.equal((yield* (yield* DeliveryStore).list(organizationId, { limit: 9 })).length, 1)
  })
})
