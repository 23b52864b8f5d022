import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { hostOf } from "../../domain/webhooks/Webhook.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound } from "../errors.ts"

/**
 * Enables an endpoint and clears its failures; its pending deliveries are sent. An enabled endpoint without failures
 * does not change, and nothing is recorded. Returns the endpoint. Fails with NotFound.
 */
export const enableEndpoint = Effect.fn("enableEndpoint")(function*(organizationId: OrganizationId, id: EndpointId) {
  const store = yield* EndpointStore
  const enable = Effect.gen(function*() {
    const before = yield* store.find(organizationId, id)
    const changed = yield* store.enable(organizationId, id)
    if (before === null || changed === null) return yield* new NotFound({ what: "webhook", id })
    return { before, changed }
  })
  const { changed } = yield* runActs(
    organizationId,
    enable,
    ({ before, changed }) =>
      before.disabledReason === null && before.failingSince === null
        ? []
        : [{ action: "endpoint.enabled", subjectId: id, detail: { host: hostOf(changed) } }]
  )
  return changed
})
