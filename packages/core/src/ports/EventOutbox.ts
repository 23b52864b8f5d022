/** EventOutbox takes events in the transaction that makes them happen: they go out if and only if it commits. */
import { Context, type Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { ChatMessage } from "../domain/webhooks/chat/ChatMessage.ts"
import type { OutboundEvent } from "../domain/webhooks/Event.ts"
import type { StoreError } from "./StoreError.ts"

export class EventOutbox extends Context.Service<EventOutbox, {
  /**
   * Keeps the event with its body, makes one delivery, due at once, for each enabled endpoint of the organization that
   * subscribes to it, and wakes the delivery worker. Endpoints with a chat's format get `message`. Joins the caller's
   * transaction. An id that is kept already is a `constraint`.
   */
  readonly put: (
    organizationId: OrganizationId,
    event: OutboundEvent,
    message: ChatMessage
  ) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/EventOutbox") {}
