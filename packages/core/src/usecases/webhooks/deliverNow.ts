/** Makes the deliveries for which a command waits: a test and a replay. */
import { Duration, Effect } from "effect"
import { DeliveryId, type EndpointId, EventId, type OrganizationId } from "../../domain/ids.ts"
import { describeEvent } from "../../domain/webhooks/chat/describeEvent.ts"
import type { EventName } from "../../domain/webhooks/Event.ts"
import { makeSampleEvent, sampleNames } from "../../domain/webhooks/sampleEvent.ts"
import { hostOf } from "../../domain/webhooks/Webhook.ts"
import { type AttemptOutcome, type ClaimedDelivery, DeliveryStore } from "../../ports/DeliveryStore.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { DeliveryInFlight, NotFound, Rejected } from "../errors.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { attemptDelivery, type DeliveryTarget } from "./attemptDelivery.ts"
import { readEventPlace } from "./publishEvent.ts"
import { recordAttempts } from "./recordAttempts.ts"
import { makeSigningKeys } from "./signingKeys.ts"
import { decryptSecrets } from "./webhookSecrets.ts"

/**
 * The delivery becomes due only after this time, which is longer than an attempt. Until then no worker sends it, but a
 * worker does later if this process dies.
 */
const claimFor = Duration.minutes(1)

const laterThan = (at: Date): Date => new Date(at.getTime() + Duration.toMillis(claimFor))

const findTarget = Effect.fnUntraced(function*(organizationId: OrganizationId, endpointId: EndpointId) {
  const store = yield* EndpointStore
  const endpoint = yield* store.find(organizationId, endpointId)
  const encrypted = yield* store.secrets(organizationId, endpointId)
  if (endpoint === null || encrypted === null) return yield* new NotFound({ what: "webhook", id: endpointId })
  const target: DeliveryTarget = {
    organizationId,
    endpointId,
    url: endpoint.url,
    format: endpoint.format,
    keys: makeSigningKeys(yield* decryptSecrets(organizationId, endpointId, encrypted))
  }
  return { endpoint, target }
})

const attemptAndRecord = Effect.fnUntraced(
  function*(target: DeliveryTarget, claimed: ClaimedDelivery, once: boolean) {
    const outcome = yield* attemptDelivery(target, claimed, once)
    yield* recordAttempts([outcome])
    return outcome
  }
)

/**
 * Sends a sample of an event, with `test: true` in its data, to an endpoint, even to a disabled one. The sample is sent
 * once and appears in the log.
 */
export const testEndpoint = Effect.fn("testEndpoint")(
  function*(organizationId: OrganizationId, endpointId: EndpointId, name: EventName) {
    const { endpoint, target } = yield* findTarget(organizationId, endpointId)
    const event = makeSampleEvent(name, yield* newId(EventId), yield* now)
    const id = yield* newId(DeliveryId)
    const message = describeEvent(event, { ...sampleNames, ...yield* readEventPlace(organizationId) })
    const add = (yield* DeliveryStore).addOne(organizationId, endpointId, event, message, id, laterThan(yield* now))
    yield* runActs(organizationId, add, () => [
      { action: "endpoint.tested", subjectId: endpointId, detail: { host: hostOf(endpoint), event: name } }
    ])
    const body = (yield* (yield* DeliveryStore).find(organizationId, id))!.body
    return yield* attemptAndRecord(target, { id, eventId: event.id, tries: 0, body }, true)
  }
)

/**
 * Restarts a delivery and attempts it once immediately, with the same bytes and `webhook-id` and a new signature. If
 * the attempt fails, the schedule starts over. Fails with Rejected for a disabled endpoint, and with DeliveryInFlight
 * if another process may be sending it, as the delivery worker does when it is due: both attempts would have the same
 * place in the log.
 */
export const replayDelivery = Effect.fn("replayDelivery")(
  function*(organizationId: OrganizationId, id: DeliveryId) {
    const store = yield* DeliveryStore
    const found = yield* store.find(organizationId, id)
    if (found === null) return yield* new NotFound({ what: "delivery", id })
    const { endpoint, target } = yield* findTarget(organizationId, found.delivery.endpointId)
    if (endpoint.disabledReason !== null) {
      return yield* new Rejected({
        field: "delivery",
        message: `${endpoint.url} is disabled: sov webhook enable ${endpoint.id}`
      })
    }
    const restart = Effect.gen(function*() {
      const at = yield* now
      const claimed = yield* store.restart(organizationId, id, { now: at, dueAt: laterThan(at) })
      if (claimed === null) return yield* new NotFound({ what: "delivery", id })
      return claimed === "in flight" ? yield* new DeliveryInFlight({ id }) : claimed
    })
    const claimed = yield* runActs(organizationId, restart, () => [
      { action: "delivery.replayed", subjectId: id, detail: { host: hostOf(endpoint) } }
    ])
    const outcome: AttemptOutcome = yield* attemptAndRecord(target, claimed, false)
    return outcome
  }
)
