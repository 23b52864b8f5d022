/** Webhook endpoints, deliveries and attempts as clients see them. */
import type { Attempt, Delivery } from "../domain/webhooks/Delivery.ts"
import type { Endpoint } from "../domain/webhooks/Webhook.ts"

/** An endpoint as lists show it, without its secret. */
export const endpointJson = (endpoint: Endpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  events: endpoint.events,
  status: endpoint.disabledReason === null ? "enabled" : "disabled",
  disabled_reason: endpoint.disabledReason,
  disabled_at: endpoint.disabledAt?.toISOString() ?? null,
  next_secret_staged_at: endpoint.stagedAt?.toISOString() ?? null,
  failing_since: endpoint.failingSince?.toISOString() ?? null,
  last_failure_at: endpoint.lastFailureAt?.toISOString() ?? null,
  last_success_at: endpoint.lastSuccessAt?.toISOString() ?? null,
  created_at: endpoint.createdAt.toISOString(),
  format: endpoint.format
})

/** One delivery; `webhook_id` is the id that its receiver sees. */
export const deliveryJson = (delivery: Delivery) => ({
  id: delivery.id,
  webhook_id: delivery.eventId,
  endpoint_id: delivery.endpointId,
  event: delivery.event,
  state: delivery.state,
  attempts: delivery.attempts,
  created_at: delivery.createdAt.toISOString(),
  next_attempt_at: delivery.state === "pending" ? delivery.dueAt.toISOString() : null,
  ended_at: delivery.endedAt?.toISOString() ?? null,
  last_status: delivery.last?.status ?? null,
  last_failure: delivery.last?.failure ?? null,
  last_message: delivery.last?.message ?? null
})

/** One attempt of a webhook delivery. */
export const attemptJson = (attempt: Attempt) => ({
  number: attempt.number,
  started_at: attempt.startedAt.toISOString(),
  duration_ms: attempt.durationMs,
  status: attempt.status,
  failure: attempt.failure,
  message: attempt.message,
  response: attempt.response
})
