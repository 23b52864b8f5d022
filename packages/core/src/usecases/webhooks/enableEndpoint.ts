import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { hostOf } from "../../domain/webhooks/Webhook.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound } from "../errors.ts"

/**
 * Enables an endpoint and forgets its failures; its pending deliveries are sent. Returns it as it now is. Fails with
 * NotFound.
 */
export const enableEndpoint = Effect.fn("enableEndpoint")(function*(organizationId: OrganizationId, id: EndpointId) {
  const store = yield* EndpointStore
  const enable = Effect.gen(function*() {
    return (yield* store.enable(organizationId, id)) ?? (yield* new NotFound({ what: "webhook", id }))
  })
  return yield* runActs(organizationId, enable, (changed) => [
    { action: "endpoint.enabled", subjectId: id, detail: { host: hostOf(changed) } }
  ])
})
