import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { secretsMark } from "../../domain/webhooks/Webhook.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { NotFound } from "../errors.ts"

/** The mark of the secrets that an endpoint has now, see `secretsMark`. Fails with NotFound. */
export const readSecretsMark = Effect.fn("readSecretsMark")(function*(organizationId: OrganizationId, id: EndpointId) {
  const secrets = yield* (yield* EndpointStore).secrets(organizationId, id)
  return secrets === null ? yield* new NotFound({ what: "webhook", id }) : secretsMark(secrets)
})
