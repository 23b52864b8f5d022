import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { hostOf } from "../../domain/webhooks/Webhook.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound } from "../errors.ts"

/**
 * Makes the staged secret of an endpoint the only one that signs. Changes nothing if no secret is staged. Returns the
 * endpoint. Fails with NotFound.
 */
export const promoteSecret = Effect.fn("promoteSecret")(function*(organizationId: OrganizationId, id: EndpointId) {
  const store = yield* EndpointStore
  const promote = Effect.gen(function*() {
    const before = yield* store.find(organizationId, id)
    const promoted = yield* store.promote(organizationId, id)
    if (before === null || promoted === null) return yield* new NotFound({ what: "webhook", id })
    return { before, promoted }
  })
  const { promoted } = yield* runActs(organizationId, promote, ({ before, promoted }) =>
    before.stagedAt === null
      ? []
      : [{ action: "endpoint.secret_promoted", subjectId: id, detail: { host: hostOf(promoted) } }])
  return promoted
})
