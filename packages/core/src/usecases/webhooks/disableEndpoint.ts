import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { hostOf } from "../../domain/webhooks/Webhook.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound } from "../errors.ts"
import { now } from "../now.ts"

/**
 * Disables an endpoint; its pending deliveries wait. A disabled endpoint keeps its time and reason. Returns the
 * endpoint. Fails with NotFound.
 */
export const disableEndpoint = Effect.fn("disableEndpoint")(function*(organizationId: OrganizationId, id: EndpointId) {
  const store = yield* EndpointStore
  const disable = Effect.gen(function*() {
    const before = yield* store.find(organizationId, id)
    const changed = yield* store.disable(organizationId, id, yield* now)
    if (before === null || changed === null) return yield* new NotFound({ what: "webhook", id })
    return { before, changed }
  })
  const { changed } = yield* runActs(organizationId, disable, ({ before, changed }) =>
    before.disabledReason !== null
      ? []
      : [{ action: "endpoint.disabled", subjectId: id, detail: { host: hostOf(changed) } }])
  return changed
})
