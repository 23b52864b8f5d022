/** Rows of deliveries, queues and tries. */
import type { DeliveryId, EndpointId, EventId, OrganizationId } from "../../../domain/ids.ts"
import type { ChatMessage } from "../../../domain/webhooks/chat/ChatMessage.ts"
import { encodeChatBody } from "../../../domain/webhooks/chat/encodeChatBody.ts"
import type { Attempt, AttemptFailure, Delivery, DeliveryState } from "../../../domain/webhooks/Delivery.ts"
import type { EndpointHealth, HealthStep } from "../../../domain/webhooks/endpointHealth.ts"
import type { EventName } from "../../../domain/webhooks/Event.ts"
import type { DisabledReason, WebhookFormat } from "../../../domain/webhooks/Webhook.ts"
import type { AttemptOutcome, DueDelivery, EndpointNotice, EndpointQueue } from "../../../ports/DeliveryStore.ts"
import { storableText } from "../values.ts"

/** The body of a delivery in a chat's format; null = it sends that of its event. */
export const findOwnBody = (format: WebhookFormat, message: ChatMessage): Uint8Array | null =>
  format === "json" ? null : encodeChatBody(format, message)

/** An endpoint with pending deliveries. */
export interface QueueRow {
  readonly organization_id: string
  readonly id: string
  readonly url: string
  readonly format: WebhookFormat
  readonly secret: string
  readonly next_secret: string | null
  readonly failing_since: Date | null
  readonly due_at: Date | null
}

export const queueFromRow = (row: QueueRow): EndpointQueue => ({
  organizationId: row.organization_id as OrganizationId,
  endpointId: row.id as EndpointId,
  url: row.url,
  format: row.format,
  secrets: { current: row.secret, next: row.next_secret },
  failing: row.failing_since !== null,
  dueAt: row.due_at
})

/** An endpoint that tries were recorded for, as it was before them. */
export interface HealthRow {
  readonly organization_id: string
  readonly id: string
  readonly url: string
  readonly disabled_reason: string | null
  readonly disabled_at: Date | null
  readonly failing_since: Date | null
  readonly last_success_at: Date | null
  readonly last_failure_at: Date | null
  readonly told_at: Date | null
  /** When the first of its deliveries among them failed for good after all its tries. */
  readonly exhausted_at: Date | null
}

export const healthFromRow = (row: HealthRow): EndpointHealth => ({
  disabledReason: row.disabled_reason as DisabledReason | null,
  disabledAt: row.disabled_at,
  failingSince: row.failing_since,
  lastSuccessAt: row.last_success_at,
  lastFailureAt: row.last_failure_at,
  notifiedAt: row.told_at
})

/** The endpoint as the statement that keeps it takes it. */
export const toHealthRow = ({ id, organization_id }: HealthRow, health: EndpointHealth) => ({
  organization_id,
  id,
  disabled_reason: health.disabledReason,
  disabled_at: health.disabledAt?.toISOString() ?? null,
  failing_since: health.failingSince?.toISOString() ?? null,
  last_success_at: health.lastSuccessAt?.toISOString() ?? null,
  last_failure_at: health.lastFailureAt?.toISOString() ?? null,
  told_at: health.notifiedAt?.toISOString() ?? null
})

export const makeEndpointNotice = (
  { id, organization_id, url }: HealthRow,
  { failedSince, trouble }: NonNullable<HealthStep["notice"]>
): EndpointNotice => ({
  organizationId: organization_id as OrganizationId,
  endpointId: id as EndpointId,
  url,
  trouble,
  failedSince
})

/** What one try needs. */
export interface ClaimedRow {
  readonly id: string
  readonly event_id: string
  readonly endpoint_id: EndpointId
  readonly tries: number
  readonly body: Uint8Array
}

export const claimedFromRow = (row: ClaimedRow): DueDelivery => ({
  id: row.id as DeliveryId,
  eventId: row.event_id as EventId,
  endpointId: row.endpoint_id,
  tries: row.tries,
  body: row.body
})

/** A try, from its table. */
export interface AttemptRow {
  readonly number: number
  /** Text where it comes as JSON. */
  readonly started_at: Date | string
  readonly duration_ms: number
  readonly status: number | null
  readonly failure: string | null
  readonly message: string | null
  readonly response: string | null
}

export const attemptFromRow = (row: AttemptRow): Attempt => ({
  number: row.number,
  startedAt: new Date(row.started_at),
  durationMs: row.duration_ms,
  status: row.status,
  failure: row.failure as AttemptFailure | null,
  message: row.message,
  response: row.response
})

/** A delivery with its last try. */
export interface DeliveryRow {
  readonly id: string
  readonly endpoint_id: string
  readonly event_id: string
  readonly event: string
  readonly state: string
  readonly attempts: number
  readonly due_at: Date
  readonly created_at: Date
  readonly ended_at: Date | null
  readonly last: AttemptRow | null
}

export const deliveryFromRow = (row: DeliveryRow): Delivery => ({
  id: row.id as DeliveryId,
  endpointId: row.endpoint_id as EndpointId,
  eventId: row.event_id as EventId,
  event: row.event as EventName,
  state: row.state as DeliveryState,
  attempts: row.attempts,
  dueAt: row.due_at,
  createdAt: row.created_at,
  endedAt: row.ended_at,
  last: row.last === null ? null : attemptFromRow(row.last)
})

/**
 * How a try ended, as the statement that keeps it takes it. What came from outside may hold what no text column takes.
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
  message: storableText(outcome.message),
  response: storableText(outcome.response),
  retry_at: outcome.retryAt?.toISOString() ?? null
})
