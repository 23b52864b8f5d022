import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { hostOf } from "../../domain/webhooks/Webhook.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound } from "../errors.ts"
import { now } from "../now.ts"
import { requireSigned } from "./requireSigned.ts"
import { newWebhookSecret } from "./webhookSecrets.ts"

/**
 * Stages a new secret for an endpoint, shown only once. Deliveries carry signatures under both secrets until it is
 * promoted, by hand or after 24 hours. `immediate` replaces the current secret at once, for one that leaked. Fails with
 * Rejected if requests are not signed.
 */
export const rotateSecret = Effect.fn("rotateSecret")(
  function*(organizationId: OrganizationId, id: EndpointId, immediate: boolean) {
    const store = yield* EndpointStore
    yield* requireSigned((yield* store.find(organizationId, id)) ?? (yield* new NotFound({ what: "webhook", id })))
    const { encrypted, secret } = yield* newWebhookSecret(organizationId, id)
    const rotate = Effect.gen(function*() {
      const endpoint = yield* immediate
        ? store.replaceSecret(organizationId, id, encrypted)
        : store.stage(organizationId, id, encrypted, yield* now)
      return endpoint ?? (yield* new NotFound({ what: "webhook", id }))
    })
    const endpoint = yield* runActs(organizationId, rotate, (found) => [
      { action: "endpoint.secret_rotated", subjectId: id, detail: { host: hostOf(found), immediate } }
    ])
    return { endpoint, secret }
  }
)
