/** EndpointStore keeps an organization's webhook endpoints with their encrypted secrets. */
import { Context, type Effect } from "effect"
import type { EndpointId, OrganizationId } from "../domain/ids.ts"
import type { EventName } from "../domain/webhooks/Event.ts"
import type { EncryptedSecrets, Endpoint } from "../domain/webhooks/Webhook.ts"
import type { StoreError } from "./StoreError.ts"

type Changed = Effect.Effect<Endpoint | null, StoreError>

/** A change of an endpoint returns it as it now is, null if absent. */
export class EndpointStore extends Context.Service<EndpointStore, {
  /** Adds it; false when the organization has `maxEndpoints` already, enabled or not. */
  readonly insert: (
    organizationId: OrganizationId,
    endpoint: Endpoint,
    secret: string
  ) => Effect.Effect<boolean, StoreError>
  /** All endpoints, the oldest first. */
  readonly list: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Endpoint>, StoreError>
  readonly find: (organizationId: OrganizationId, id: EndpointId) => Effect.Effect<Endpoint | null, StoreError>
  readonly secrets: (
    organizationId: OrganizationId,
    id: EndpointId
  ) => Effect.Effect<EncryptedSecrets | null, StoreError>
  readonly setEvents: (organizationId: OrganizationId, id: EndpointId, events: ReadonlyArray<EventName>) => Changed
  /** Enables it and forgets its failures: what is pending is sent. Wakes the delivery worker. */
  readonly enable: (organizationId: OrganizationId, id: EndpointId) => Changed
  /** The operator disables it; an earlier disabling keeps its time and reason. What is pending waits. */
  readonly disable: (organizationId: OrganizationId, id: EndpointId, at: Date) => Changed
  /**
   * Stages a next secret, in place of one that is staged already. Wakes the delivery worker, as all changes of secrets
   * do.
   */
  readonly stage: (organizationId: OrganizationId, id: EndpointId, secret: string, at: Date) => Changed
  /** Makes the staged secret the current one; without one nothing changes. */
  readonly promote: (organizationId: OrganizationId, id: EndpointId) => Changed
  /** Replaces the current secret and drops a staged one. */
  readonly replaceSecret: (organizationId: OrganizationId, id: EndpointId, secret: string) => Changed
  /**
   * Replaces the stored form of the same secrets, if it is still `from`: they are as they were, and nobody is woken.
   * False when it is not, or there is no endpoint.
   */
  readonly replaceEncrypted: (
    organizationId: OrganizationId,
    id: EndpointId,
    from: EncryptedSecrets,
    to: EncryptedSecrets
  ) => Effect.Effect<boolean, StoreError>
  /** Removes it with its deliveries; false if absent. */
  readonly remove: (organizationId: OrganizationId, id: EndpointId) => Effect.Effect<boolean, StoreError>
  /** Makes every secret current that was staged at `before` or earlier, of every organization. */
  readonly promoteStaged: (before: Date) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/EndpointStore") {}
