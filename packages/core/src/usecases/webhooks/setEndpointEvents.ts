import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import type { EventName } from "../../domain/webhooks/Event.ts"
import { hostOf } from "../../domain/webhooks/Webhook.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound } from "../errors.ts"

const sameEvents = (one: ReadonlyArray<EventName>, other: ReadonlyArray<EventName>): boolean =>
  one.toSorted().join() === other.toSorted().join()

/** Subscribes an endpoint to exactly these events and returns the endpoint. Fails with NotFound. */
export const setEndpointEvents = Effect.fn("setEndpointEvents")(
  function*(organizationId: OrganizationId, id: EndpointId, events: ReadonlyArray<EventName>) {
    const store = yield* EndpointStore
    const set = Effect.gen(function*() {
      const before = yield* store.find(organizationId, id)
      const changed = yield* store.setEvents(organizationId, id, [...new Set(events)])
      if (before === null || changed === null) return yield* new NotFound({ what: "webhook", id })
      return { changed, before: before.events }
    })
    const { changed } = yield* runActs(
      organizationId,
      set,
      ({ before, changed }) =>
        sameEvents(before, changed.events) ? [] : [{
          action: "endpoint.events_changed",
          subjectId: id,
          detail: { host: hostOf(changed), events: changed.events, before }
        }]
    )
    return changed
  }
)
