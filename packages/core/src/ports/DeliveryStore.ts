/**
 * DeliveryStore stores webhook deliveries and a log of every attempt. Its rows are the list of work: there is no
 * separate queue.
 */
import { Context, type Effect } from "effect"
import type { PagePosition } from "../domain/Cursor.ts"
import type { DeliveryId, EndpointId, EventId, OrganizationId } from "../domain/ids.ts"
import type { ChatMessage } from "../domain/webhooks/chat/ChatMessage.ts"
import type { Attempt, Delivery, DeliveryState } from "../domain/webhooks/Delivery.ts"
import type { TroubledEndpoint } from "../domain/webhooks/endpointMail.ts"
import type { OutboundEvent } from "../domain/webhooks/Event.ts"
import type { EncryptedSecrets, WebhookFormat } from "../domain/webhooks/Webhook.ts"
import type { StoreError } from "./StoreError.ts"

/** An enabled endpoint with pending deliveries. */
export interface EndpointQueue {
  readonly organizationId: OrganizationId
  readonly endpointId: EndpointId
  readonly url: string
  readonly format: WebhookFormat
  readonly secrets: EncryptedSecrets
  /** Whether its last attempt failed. */
  readonly failing: boolean
  /** When the first unclaimed delivery is due; null if all are claimed. */
  readonly dueAt: Date | null
}

/** The facts about a delivery that one attempt needs. */
export interface ClaimedDelivery {
  readonly id: DeliveryId
  readonly eventId: EventId
  /** Failed attempts since the delivery was started or restarted. */
  readonly tries: number
  readonly body: Uint8Array
}

/** A delivery that is due. */
export interface DueDelivery extends ClaimedDelivery {
  readonly endpointId: EndpointId
}

/** How an attempt ended. It only changes a delivery that is still pending. */
export interface AttemptOutcome extends Omit<Attempt, "number"> {
  readonly organizationId: OrganizationId
  readonly endpointId: EndpointId
  readonly deliveryId: DeliveryId
  readonly endedAt: Date
  /** When to try again; null if the delivery has succeeded or failed permanently. */
  readonly retryAt: Date | null
}

/** A notice to an organization about its endpoint. */
export interface EndpointNotice extends TroubledEndpoint {
  readonly organizationId: OrganizationId
}

export class DeliveryStore extends Context.Service<DeliveryStore, {
  /**
   * Enabled endpoints with pending deliveries, of every organization or of the given ones; `claimed` lists the
   * deliveries that the caller is working on.
   */
  readonly queues: (
    claimed: ReadonlyMap<DeliveryId, EndpointId>,
    which: "all" | ReadonlyArray<OrganizationId>
  ) => Effect.Effect<ReadonlyArray<EndpointQueue>, StoreError>
  /** Reads due, unclaimed deliveries of these endpoints, up to `limit` for each, longest due first. Claims nothing. */
  readonly due: (
    queues: ReadonlyArray<Pick<EndpointQueue, "organizationId" | "endpointId"> & { readonly limit: number }>,
    options: { readonly now: Date; readonly claimed: ReadonlyMap<DeliveryId, EndpointId> }
  ) => Effect.Effect<ReadonlyArray<DueDelivery>, StoreError>
  /**
   * Records how attempts of any organization ended, and updates the health of their endpoints (`updateEndpointHealth`).
   * Returns the notices to send to their organizations. All or nothing; joins the caller's transaction.
   */
  readonly record: (outcomes: ReadonlyArray<AttemptOutcome>) => Effect.Effect<ReadonlyArray<EndpointNotice>, StoreError>
  /** An organization's deliveries, newest first. */
  readonly list: (
    organizationId: OrganizationId,
    options: {
      readonly limit: number
      readonly endpointId?: EndpointId
      readonly eventId?: EventId
      readonly state?: DeliveryState
      /** Only deliveries created at this time or later. */
      readonly since?: Date
      /** Only deliveries that follow this position. */
      readonly after?: PagePosition
      /** Only deliveries that failed permanently at this time or later, without samples (`test: true`). */
      readonly failedSince?: Date
    }
  ) => Effect.Effect<ReadonlyArray<Delivery>, StoreError>
  /** One delivery with its body and all attempts, oldest attempt first. */
  readonly find: (organizationId: OrganizationId, id: DeliveryId) => Effect.Effect<
    { readonly delivery: Delivery; readonly body: Uint8Array; readonly attempts: ReadonlyArray<Attempt> } | null,
    StoreError
  >
  /** Adds an event for this endpoint alone, with a delivery due at `dueAt`; `message` is the text for a chat. */
  readonly addOne: (
    organizationId: OrganizationId,
    endpointId: EndpointId,
    event: OutboundEvent,
    message: ChatMessage,
    deliveryId: DeliveryId,
    dueAt: Date
  ) => Effect.Effect<void, StoreError>
  /**
   * Restarts a delivery, due at `dueAt`; null if there is no such delivery. Returns `in flight` and changes nothing if
   * a worker may be sending it at `now`, because it is due or has not been tried since it was started: the log would
   * record only one of two simultaneous attempts.
   */
  readonly restart: (
    organizationId: OrganizationId,
    id: DeliveryId,
    times: { readonly now: Date; readonly dueAt: Date }
  ) => Effect.Effect<DueDelivery | "in flight" | null, StoreError>
  /**
   * Counts the deliveries to an endpoint that failed permanently at `since` or later, without samples (`test: true`).
   */
  readonly countFailed: (
    organizationId: OrganizationId,
    endpointId: EndpointId,
    since: Date
  ) => Effect.Effect<number, StoreError>
  /** Restarts these deliveries, due at `dueAt`, and wakes the delivery worker. Returns their number. */
  readonly restartFailed: (
    organizationId: OrganizationId,
    endpointId: EndpointId,
    since: Date,
    dueAt: Date
  ) => Effect.Effect<number, StoreError>
  /** Whether a delivery to an enabled endpoint is due at `now` and was never tried. */
  readonly hasUnattempted: (organizationId: OrganizationId, now: Date) => Effect.Effect<boolean, StoreError>
  /** Fails all pending deliveries that were created or restarted at `before` or earlier, for every organization. */
  readonly expire: (before: Date, at: Date) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/DeliveryStore") {}
