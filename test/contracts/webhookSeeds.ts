/** Endpoints, events and deliveries for tests. */
import {
  type Attempt,
  type AttemptOutcome,
  type ChatMessage,
  DeliveryId,
  DeliveryStore,
  type Endpoint,
  EndpointId,
  EndpointStore,
  EventId,
  EventOutbox,
  type OrganizationId,
  type OutboundEvent,
  ScanId
} from "@sov/core"
import { at, newId, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"

/** An enabled endpoint that chose `scan.completed`, not stored. */
export const endpoint = (fields: Partial<Endpoint> = {}) =>
  Effect.map(newId(EndpointId), (id): Endpoint => ({
    id,
    url: `https://hooks.example/${id}?a=b&c="d"`,
    format: "json",
    events: ["scan.completed"],
    disabledReason: null,
    disabledAt: null,
    stagedAt: null,
    failingSince: null,
    lastFailureAt: null,
    lastSuccessAt: null,
    createdAt: at(0),
    ...fields
  }))

/** An endpoint that is stored. */
export const seedEndpoint = Effect.fnUntraced(
  function*(organizationId: OrganizationId, fields: Partial<Endpoint> = {}, secret = "sealed") {
    const made = yield* endpoint(fields)
    yield* (yield* EndpointStore).insert(organizationId, made, secret)
    return made
  }
)

/** What a chat gets of it. */
export const chatMessage: ChatMessage = {
  title: "Acme: share of voice 42 %",
  facts: [["Answers", "7"]],
  quote: null,
  paragraphs: [],
  url: "https://sov.example/o/acme"
}

/** An event, not stored. */
export const scanCompleted = Effect.fnUntraced(function*(timestamp = at(30)) {
  const event: OutboundEvent = {
    id: yield* newId(EventId),
    event: "scan.completed",
    timestamp,
    data: { scan_id: yield* newId(ScanId), avg_sov: 42, results_count: 7, mentioned_count: 3 }
  }
  return event
})

/** An organization (a new one unless given) with an endpoint and one event on its way to it. */
export const seedDelivery = Effect.fnUntraced(function*(fields: Partial<Endpoint> = {}, given?: OrganizationId) {
  const organizationId = given ?? (yield* seedOrganization()).id
  const made = yield* seedEndpoint(organizationId, fields)
  const event = yield* scanCompleted()
  yield* (yield* EventOutbox).put(organizationId, event, chatMessage)
  const [delivery] = yield* (yield* DeliveryStore).list(organizationId, { limit: 1 })
  return { organizationId, endpoint: made, event, delivery: delivery! }
})

/** How a try ended that began at `at(seconds)` and took a second: it was answered with 200. */
export const outcomeOf = (
  { delivery, endpoint, organizationId }: {
    readonly organizationId: OrganizationId
    readonly endpoint: Pick<Endpoint, "id">
    readonly delivery: { readonly id: DeliveryId }
  },
  seconds: number,
  fields: Partial<Omit<Attempt, "number">> & Pick<Partial<AttemptOutcome>, "retryAt"> = {}
): AttemptOutcome => ({
  organizationId,
  endpointId: endpoint.id,
  deliveryId: delivery.id,
  startedAt: at(seconds),
  endedAt: at(seconds + 1),
  durationMs: 1_000,
  status: 200,
  failure: null,
  message: null,
  response: "ok",
  retryAt: null,
  ...fields
})

/** A delivery of a new event to an endpoint that has failed for good, just now. */
export const failOneDelivery = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  endpoint: Endpoint,
  fields: Partial<AttemptOutcome> = {}
) {
  const now = new Date()
  const store = yield* DeliveryStore
  const id = yield* newId(DeliveryId)
  yield* store.addOne(organizationId, endpoint.id, yield* scanCompleted(now), chatMessage, id, now)
  const failed = { status: 500, failure: "status", startedAt: now, endedAt: now, retryAt: null, ...fields } as const
  yield* store.record([outcomeOf({ organizationId, endpoint, delivery: { id } }, 0, failed)])
  return id
})
