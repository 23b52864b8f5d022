import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import type { EventName } from "../../domain/webhooks/Event.ts"
import { hostOf } from "../../domain/webhooks/Webhook.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound } from "../errors.ts"

/** Subscribes an endpoint to these events and to no others; returns it as it now is. Fails with NotFound. */
export const setEndpointEvents = Effect.fn("setEndpointEvents")(
  function*(organizationId: OrganizationId, id: EndpointId, events: ReadonlyArray<EventName>) {
    const store = yield* EndpointStore
    const set = Effect.gen(function*() {
      const changed = yield* store.setEvents(organizationId, id, [...new Set(events)])
      return changed ?? (yield* new NotFound({ what: "webhook", id }))
    })
    return yield* runActs(organizationId, set, (changed) => [
      { action: "endpoint.events_changed", subjectId: id, detail: { host: hostOf(changed), events: changed.events } }
    ])
  }
)
