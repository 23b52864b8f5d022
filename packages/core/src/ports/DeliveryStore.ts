/** DeliveryStore keeps what is to be delivered, and the log of every try. Its rows are the work: there is no queue. */
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
  /** Whether its last try failed. */
  readonly failing: boolean
  /** When the first of those that are not claimed is due; null when all are claimed. */
  readonly dueAt: Date | null
}

/** What one try needs to know of a delivery. */
export interface ClaimedDelivery {
  readonly id: DeliveryId
  readonly eventId: EventId
  /** Tries that failed since it began, or was begun again. */
  readonly tries: number
  readonly body: Uint8Array
}

/** A delivery that is due. */
export interface DueDelivery extends ClaimedDelivery {
  readonly endpointId: EndpointId
}

/** How a try ended; pending deliveries only are changed by it. */
export interface AttemptOutcome extends Omit<Attempt, "number"> {
  readonly organizationId: OrganizationId
  readonly endpointId: EndpointId
  readonly deliveryId: DeliveryId
  readonly endedAt: Date
  /** When to try again; null = never: it was delivered or has failed. */
  readonly retryAt: Date | null
}

/** What an organization is notified of about its endpoint. */
export interface EndpointNotice extends TroubledEndpoint {
  readonly organizationId: OrganizationId
}

export class DeliveryStore extends Context.Service<DeliveryStore, {
  /**
   * Enabled endpoints with pending deliveries, of every organization or of these; `claimed` are the deliveries that the
   * caller works on.
   */
  readonly queues: (
    claimed: ReadonlyMap<DeliveryId, EndpointId>,
    which: "all" | ReadonlyArray<OrganizationId>
  ) => Effect.Effect<ReadonlyArray<EndpointQueue>, StoreError>
  /**
   * Reads deliveries of these endpoints that are due and not claimed, `limit` of each, the first due first. Marks
   * nothing.
   */
  readonly due: (
    queues: ReadonlyArray<Pick<EndpointQueue, "organizationId" | "endpointId"> & { readonly limit: number }>,
    options: { readonly now: Date; readonly claimed: ReadonlyMap<DeliveryId, EndpointId> }
  ) => Effect.Effect<ReadonlyArray<DueDelivery>, StoreError>
  /**
   * Records how tries ended, of any organization, and what that says of their endpoints (`updateEndpointHealth`).
   * Returns what their organizations are to be notified of. All or nothing; joins the caller's transaction.
   */
  readonly record: (outcomes: ReadonlyArray<AttemptOutcome>) => Effect.Effect<ReadonlyArray<EndpointNotice>, StoreError>
  /** An organization's deliveries, the newest first. */
  readonly list: (
    organizationId: OrganizationId,
    options: {
      readonly limit: number
      readonly endpointId?: EndpointId
      readonly eventId?: EventId
      readonly state?: DeliveryState
      /** Created at this time or later. */
      readonly since?: Date
      /** Only deliveries after this one. */
      readonly after?: PagePosition
      /** Only deliveries that failed for good at this time or later, and are no samples (`test: true`). */
      readonly failedSince?: Date
    }
  ) => Effect.Effect<ReadonlyArray<Delivery>, StoreError>
  /** One delivery with its body and all tries, the first first. */
  readonly find: (organizationId: OrganizationId, id: DeliveryId) => Effect.Effect<
    { readonly delivery: Delivery; readonly body: Uint8Array; readonly attempts: ReadonlyArray<Attempt> } | null,
    StoreError
  >
  /**
   * Adds an event that goes to this endpoint alone, with a delivery due at `dueAt`; `message` is what a chat gets of
   * it.
   */
  readonly addOne: (
    organizationId: OrganizationId,
    endpointId: EndpointId,
    event: OutboundEvent,
    message: ChatMessage,
    deliveryId: DeliveryId,
    dueAt: Date
  ) => Effect.Effect<void, StoreError>
  /**
   * Begins a delivery again, due at `dueAt`; null if absent. `in flight` = somebody may be sending it at
   * `now`, as it is due, or was not tried yet since it began: nothing is changed, for of two tries at once the log
   * would have one.
   */
  readonly restart: (
    organizationId: OrganizationId,
    id: DeliveryId,
    times: { readonly now: Date; readonly dueAt: Date }
  ) => Effect.Effect<DueDelivery | "in flight" | null, StoreError>
  /**
   * Counts the deliveries to an endpoint that have failed for good at `since` or later, and are no samples
   * (`test: true`).
   */
  readonly countFailed: (
    organizationId: OrganizationId,
    endpointId: EndpointId,
    since: Date
  ) => Effect.Effect<number, StoreError>
  /** Begins these again, due at `dueAt`, and wakes the delivery worker. Returns how many. */
  readonly restartFailed: (
    organizationId: OrganizationId,
    endpointId: EndpointId,
    since: Date,
    dueAt: Date
  ) => Effect.Effect<number, StoreError>
  /** Whether deliveries to enabled endpoints are due at `now` that were never tried. */
  readonly hasUnattempted: (organizationId: OrganizationId, now: Date) => Effect.Effect<boolean, StoreError>
  /** Fails every pending delivery that was created, or begun again, at `before` or earlier, of every organization. */
  readonly expire: (before: Date, at: Date) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/DeliveryStore") {}
