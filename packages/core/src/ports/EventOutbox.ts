/**
 * EventOutbox stores events in the transaction that causes them: they are sent if and only if the transaction commits.
 */
import { Context, type Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { ChatMessage } from "../domain/webhooks/chat/ChatMessage.ts"
import type { OutboundEvent } from "../domain/webhooks/Event.ts"
import type { StoreError } from "./StoreError.ts"

export class EventOutbox extends Context.Service<EventOutbox, {
  /**
   * Stores the event and its body, creates a delivery, due at once, for each enabled endpoint of the organization that
   * subscribes to it, and wakes the delivery worker. Endpoints with a chat format receive `message`. Joins the caller's
   * transaction. Fails with `constraint` if the id already exists.
   */
  readonly put: (
    organizationId: OrganizationId,
    event: OutboundEvent,
    message: ChatMessage
  ) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/EventOutbox") {}
