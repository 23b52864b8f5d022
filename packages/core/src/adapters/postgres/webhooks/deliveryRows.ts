/** Rows of deliveries, of delivery queues and of attempts. */
import { Schema, Struct } from "effect"
import { DeliveryId, EndpointId, EventId, OrganizationId } from "../../../domain/ids.ts"
import type { ChatMessage } from "../../../domain/webhooks/chat/ChatMessage.ts"
import { encodeChatBody } from "../../../domain/webhooks/chat/encodeChatBody.ts"
import { Attempt, Delivery } from "../../../domain/webhooks/Delivery.ts"
import type { EndpointHealth } from "../../../domain/webhooks/endpointHealth.ts"
import { encodeEventBody, type OutboundEvent } from "../../../domain/webhooks/Event.ts"
import { Endpoint, WebhookFormat } from "../../../domain/webhooks/Webhook.ts"
import type { AttemptOutcome, EndpointQueue } from "../../../ports/DeliveryStore.ts"
import { mapRow, rowOf } from "../rows.ts"
import { toStorableText } from "../values.ts"

/** An event as a row of table `event`. */
export const toEventRow = (organizationId: OrganizationId, event: OutboundEvent) => ({
  organization_id: organizationId,
  id: event.id,
  event: event.event,
  body: encodeEventBody(organizationId, event),
  created_at: event.timestamp
})

/** The body of a delivery in a chat's format; null if the delivery sends the event's own body. */
export const encodeBodyUnlessJson = (format: WebhookFormat, message: ChatMessage): Uint8Array | null =>
  format === "json" ? null : encodeChatBody(format, message)

/** An endpoint with pending deliveries. */
export const QueueRow = rowOf({
  organizationId: OrganizationId,
  endpointId: EndpointId,
  url: Schema.String,
  format: WebhookFormat,
  secret: Schema.String,
  nextSecret: Schema.NullOr(Schema.String),
  failingSince: Schema.NullOr(Schema.Date),
  dueAt: Schema.NullOr(Schema.Date)
}, { endpointId: "id" }).pipe(mapRow(({ failingSince, nextSecret, secret, ...queue }) => ({
  ...queue,
  secrets: { current: secret, next: nextSecret },
  failing: failingSince !== null
})))

/**
 * The health of an endpoint before the recorded attempts. `exhaustedAt`: when the first of its deliveries in this
 * record failed permanently, after all its attempts.
 */
export const HealthRow = rowOf({
  organizationId: OrganizationId,
  endpointId: EndpointId,
  url: Schema.String,
  ...Struct.pick(Endpoint.fields, ["disabledReason", "disabledAt", "failingSince", "lastSuccessAt", "lastFailureAt"]),
  notifiedAt: Schema.NullOr(Schema.Date),
  exhaustedAt: Schema.NullOr(Schema.Date)
}, { endpointId: "id", notifiedAt: "told_at" }).pipe(
  mapRow(({ endpointId, exhaustedAt, organizationId, url, ...health }) => ({
    endpoint: { organizationId, endpointId, url },
    health,
    exhaustedAt
  }))
)

/** Converts the health of an endpoint for the statement that stores it. */
export const toHealthRow = (
  { endpointId, organizationId }: Pick<EndpointQueue, "organizationId" | "endpointId">,
  health: EndpointHealth
) => ({
  organization_id: organizationId,
  id: endpointId,
  disabled_reason: health.disabledReason,
  disabled_at: health.disabledAt?.toISOString() ?? null,
  failing_since: health.failingSince?.toISOString() ?? null,
  last_success_at: health.lastSuccessAt?.toISOString() ?? null,
  last_failure_at: health.lastFailureAt?.toISOString() ?? null,
  told_at: health.notifiedAt?.toISOString() ?? null
})

/** A claimed delivery, with the data that its attempt needs. */
export const ClaimedRow = rowOf({
  id: DeliveryId,
  eventId: EventId,
  endpointId: EndpointId,
  tries: Schema.Int,
  body: Schema.Uint8Array
})

/** A row of table `webhook_attempt`. */
export const AttemptRow = rowOf(Attempt.fields)

const deliveryColumns = {
  ...Delivery.fields,
  last: Schema.NullOr(rowOf({ ...Attempt.fields, startedAt: Schema.DateFromString }))
}
/** A delivery with its last attempt, which is JSON in the row. */
export const DeliveryRow = rowOf(deliveryColumns)
/** A delivery with its last attempt and its body. */
export const SentRow = rowOf({ ...deliveryColumns, body: Schema.Uint8Array }).pipe(
  mapRow(({ body, ...delivery }) => ({ delivery, body }))
)

/**
 * Converts the outcome of an attempt for the statement that stores it. Text from outside may contain characters that no
 * text column accepts.
 */
export const toOutcomeRow = (outcome: AttemptOutcome) => ({
  organization_id: outcome.organizationId,
  endpoint_id: outcome.endpointId,
  delivery_id: outcome.deliveryId,
  started_at: outcome.startedAt.toISOString(),
  ended_at: outcome.endedAt.toISOString(),
  duration_ms: outcome.durationMs,
  status: outcome.status,
  failure: outcome.failure,
  message: toStorableText(outcome.message),
  response: toStorableText(outcome.response),
  retry_at: outcome.retryAt?.toISOString() ?? null
})
