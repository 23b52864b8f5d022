import { Effect } from "effect"
import { EndpointId, type OrganizationId } from "../../domain/ids.ts"
import type { EventName } from "../../domain/webhooks/Event.ts"
import { type Endpoint, hostOf, maxEndpoints, type WebhookFormat } from "../../domain/webhooks/Webhook.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { WebhookSender } from "../../ports/WebhookSender.ts"
import { runActs } from "../audit/recordActs.ts"
import { Rejected } from "../errors.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { newWebhookSecret } from "./webhookSecrets.ts"

/**
 * Adds an endpoint that receives these events from now on. `secret` is shown only once and stored encrypted. Fails with
 * Rejected for a URL that can never be called (whether any other can be called is known only at delivery), and for more
 * than `maxEndpoints`. Posts in a chat's format are not signed; they have a secret only because every endpoint has one.
 */
export const addEndpoint = Effect.fn("addEndpoint")(
  function*(
    organizationId: OrganizationId,
    url: string,
    events: ReadonlyArray<EventName>,
    format: WebhookFormat = "json"
  ) {
    const refusal = (yield* WebhookSender).refusal(url)
    if (refusal !== null) return yield* new Rejected({ field: "url", message: `${url} cannot be called: ${refusal}` })
    const id = yield* newId(EndpointId)
    const { encrypted, secret } = yield* newWebhookSecret(organizationId, id)
    const endpoint: Endpoint = {
      id,
      url: new URL(url).href,
      format,
      events: [...new Set(events)],
      disabledReason: null,
      disabledAt: null,
      stagedAt: null,
      failingSince: null,
      lastFailureAt: null,
      lastSuccessAt: null,
      createdAt: yield* now
    }
    const store = yield* EndpointStore
    const add = Effect.gen(function*() {
      if (yield* store.insert(organizationId, endpoint, encrypted)) return
      return yield* new Rejected({
        field: "url",
        message: `there are ${maxEndpoints} webhooks already, and more are not allowed: sov webhook remove ID`
      })
    })
    yield* runActs(organizationId, add, () => [
      { action: "endpoint.added", subjectId: id, detail: { host: hostOf(endpoint), events: endpoint.events, format } }
    ])
    return { endpoint, secret }
  }
)
