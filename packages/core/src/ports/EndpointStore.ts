/** EndpointStore stores an organization's webhook endpoints with their encrypted secrets. */
import { Context, type Effect } from "effect"
import type { EndpointId, OrganizationId } from "../domain/ids.ts"
import type { EventName } from "../domain/webhooks/Event.ts"
import type { EncryptedSecrets, Endpoint } from "../domain/webhooks/Webhook.ts"
import type { StoreError } from "./StoreError.ts"

type Changed = Effect.Effect<Endpoint | null, StoreError>

/** Methods that change an endpoint return its current state; null if there is no such endpoint. */
export class EndpointStore extends Context.Service<EndpointStore, {
  /** Adds the endpoint; false if the organization already has `maxEndpoints`, enabled or not. */
  readonly insert: (
    organizationId: OrganizationId,
    endpoint: Endpoint,
    secret: string
  ) => Effect.Effect<boolean, StoreError>
  /** All endpoints, oldest first. */
  readonly list: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Endpoint>, StoreError>
  readonly find: (organizationId: OrganizationId, id: EndpointId) => Effect.Effect<Endpoint | null, StoreError>
  readonly secrets: (
    organizationId: OrganizationId,
    id: EndpointId
  ) => Effect.Effect<EncryptedSecrets | null, StoreError>
  readonly setEvents: (organizationId: OrganizationId, id: EndpointId, events: ReadonlyArray<EventName>) => Changed
  /** Enables the endpoint and clears its failures, so that pending deliveries are sent. Wakes the delivery worker. */
  readonly enable: (organizationId: OrganizationId, id: EndpointId) => Changed
  /**
   * Disables the endpoint for the operator; if it was already disabled, it keeps that time and reason. Pending
   * deliveries wait.
   */
  readonly disable: (organizationId: OrganizationId, id: EndpointId, at: Date) => Changed
  /**
   * Stages a next secret, replacing one that is already staged. Like every change of secrets, wakes the delivery
   * worker.
   */
  readonly stage: (organizationId: OrganizationId, id: EndpointId, secret: string, at: Date) => Changed
  /** Makes the staged secret the current one; does nothing if no secret is staged. */
  readonly promote: (organizationId: OrganizationId, id: EndpointId) => Changed
  /** Replaces the current secret and drops the staged one. */
  readonly replaceSecret: (organizationId: OrganizationId, id: EndpointId, secret: string) => Changed
  /**
   * Replaces the stored form of the secrets if it is still `from`. The secrets themselves do not change, so no worker
   * is woken. False if the stored form differs or there is no endpoint.
   */
  readonly replaceEncrypted: (
    organizationId: OrganizationId,
    id: EndpointId,
    from: EncryptedSecrets,
    to: EncryptedSecrets
  ) => Effect.Effect<boolean, StoreError>
  /** Removes the endpoint and its deliveries; false if absent. */
  readonly remove: (organizationId: OrganizationId, id: EndpointId) => Effect.Effect<boolean, StoreError>
  /** Makes every secret current that was staged at `before` or earlier, for every organization. */
  readonly promoteStaged: (before: Date) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/EndpointStore") {}
