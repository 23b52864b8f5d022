import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { describeEvent, type EventNames } from "../../domain/webhooks/chat/describeEvent.ts"
import type { OutboundEvent } from "../../domain/webhooks/Event.ts"
import { EventOutbox } from "../../ports/EventOutbox.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { PublicUrl } from "../../ports/PublicUrl.ts"

/** Reads what a chat message shows about the organization. */
export const readEventPlace = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const organization = yield* (yield* OrganizationStore).find(organizationId)
  const publicUrl = yield* PublicUrl
  const place: Pick<EventNames, "organization" | "organizationUrl" | "timeZone"> = {
    organization: organization?.name ?? "",
    ...organization === null ? {} : { timeZone: organization.timeZone },
    organizationUrl: publicUrl === null || organization === null ? null : `${publicUrl}/o/${organization.slug}`
  }
  return place
})

/** Puts an event, with its chat message, into the outbox in the caller's transaction. */
export const publishEvent = Effect.fnUntraced(
  function*(
    organizationId: OrganizationId,
    event: OutboundEvent,
    names: Partial<Omit<EventNames, "organization" | "organizationUrl">>
  ) {
    const message = describeEvent(event, {
      brand: "",
      keywords: new Map(),
      comparedWith: null,
      quote: null,
      ...yield* readEventPlace(organizationId),
      ...names
    })
    yield* (yield* EventOutbox).put(organizationId, event, message)
  }
)
