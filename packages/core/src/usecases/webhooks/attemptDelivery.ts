import { Clock, Effect, Random } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { nextTry } from "../../domain/webhooks/Delivery.ts"
import type { WebhookFormat } from "../../domain/webhooks/Webhook.ts"
import type { AttemptOutcome, ClaimedDelivery } from "../../ports/DeliveryStore.ts"
import { WebhookSender } from "../../ports/WebhookSender.ts"
import { signBody, signStandardWebhook } from "../../webhook.ts"
import { now } from "../now.ts"
import type { SigningKeys } from "./signingKeys.ts"

/** The destination of a delivery. */
export interface DeliveryTarget {
  readonly organizationId: OrganizationId
  readonly endpointId: EndpointId
  readonly url: string
  readonly format: WebhookFormat
  readonly keys: SigningKeys
}

/**
 * The headers of one attempt. A chat's format has no signature, because the service ignores it. `X-Service-Signature`
 * contains one value, made with the current secret. While a next secret is staged, its signature has a header of its
 * own, and `webhook-signature` lists both.
 */
const deliveryHeaders = (
  { format, keys: { current, next } }: DeliveryTarget,
  { body, eventId }: ClaimedDelivery,
  nowMs: number
): Readonly<Record<string, string>> => {
  const common = { "content-type": "application/json", "user-agent": "sov" }
  if (format !== "json") return common
  const timestamp = Math.floor(nowMs / 1000)
  return {
    ...common,
    "x-service-signature": signBody(body, current),
    ...next === null ? {} : { "x-service-signature-next": signBody(body, next) },
    "webhook-id": eventId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signStandardWebhook(
      { id: eventId, timestamp, body },
      next === null ? current : [current, next]
    )
  }
}

/**
 * Attempts a delivery once and returns the outcome. `nextTry` decides when it is tried again (`once`: never); after a
 * 410 it is never tried again.
 */
export const attemptDelivery = Effect.fnUntraced(
  function*(target: DeliveryTarget, delivery: ClaimedDelivery, once = false) {
    const { endpointId, organizationId, url } = target
    const startedAt = yield* now
    const begun = yield* Clock.monotonicTimeNanos
    const headers = deliveryHeaders(target, delivery, startedAt.getTime())
    const reply = yield* (yield* WebhookSender).send({ url, headers, body: delivery.body })
    const { retryAfterMs, ...kept } = reply
    const endedAt = yield* now
    const ended = reply.failure === null || reply.status === 410 || once
    const outcome: AttemptOutcome = {
      organizationId,
      endpointId,
      deliveryId: delivery.id,
      startedAt,
      endedAt,
      durationMs: Number(((yield* Clock.monotonicTimeNanos) - begun) / 1_000_000n),
      ...kept,
      retryAt: ended ? null : nextTry(delivery.tries + 1, endedAt, yield* Random.next, retryAfterMs)
    }
    return outcome
  }
)
