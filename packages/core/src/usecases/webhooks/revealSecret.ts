import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { hostOf } from "../../domain/webhooks/Webhook.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound } from "../errors.ts"
import { requireSigned } from "./requireSigned.ts"
import { decryptSecrets } from "./webhookSecrets.ts"

/**
 * The secrets of an endpoint, for a receiver that has lost its copy: `next` is the staged secret, null if there is no
 * staged one. Each call is recorded. Fails with NotFound, with Rejected if requests are not signed, or with
 * KeysUnusable if the secrets cannot be decrypted; a failed call is not recorded.
 */
export const revealSecret = Effect.fn("revealSecret")(function*(organizationId: OrganizationId, id: EndpointId) {
  const store = yield* EndpointStore
  const reveal = Effect.gen(function*() {
    const [endpoint, encrypted] = [yield* store.find(organizationId, id), yield* store.secrets(organizationId, id)]
    if (endpoint === null || encrypted === null) return yield* new NotFound({ what: "webhook", id })
    yield* requireSigned(endpoint)
    return { endpoint, ...yield* decryptSecrets(organizationId, id, encrypted) }
  })
  return yield* runActs(organizationId, reveal, ({ endpoint }) => [
    { action: "endpoint.secret_revealed", subjectId: id, detail: { host: hostOf(endpoint) } }
  ])
})
