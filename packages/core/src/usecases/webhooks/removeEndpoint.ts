import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { hostOf } from "../../domain/webhooks/Webhook.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound } from "../errors.ts"

/** Removes an endpoint and the log of its deliveries. Fails with NotFound. */
export const removeEndpoint = Effect.fn("removeEndpoint")(function*(organizationId: OrganizationId, id: EndpointId) {
  const store = yield* EndpointStore
  const remove = Effect.gen(function*() {
    const known = yield* store.find(organizationId, id)
    const removed = yield* store.remove(organizationId, id)
    return known !== null && removed ? known : yield* new NotFound({ what: "webhook", id })
  })
  yield* runActs(organizationId, remove, (known) => [
    { action: "endpoint.removed", subjectId: id, detail: { host: hostOf(known) } }
  ])
})
