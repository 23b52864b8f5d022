import { Effect } from "effect"
import { createHash } from "node:crypto"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { NotFound } from "../errors.ts"

/**
 * A mark of the secrets of an endpoint, by which an editor finds out that somebody else has changed them: another one whenever
 * a secret was made, staged or promoted, or is stored in another form. It is a hash of what is stored, which is encrypted, so it
 * tells nothing of them. Fails with NotFound.
 */
export const readSecretsMark = Effect.fn("readSecretsMark")(function*(organizationId: OrganizationId, id: EndpointId) {
  const secrets = yield* (yield* EndpointStore).secrets(organizationId, id)
  if (secrets === null) return yield* new NotFound({ what: "webhook", id })
  return createHash("sha256").update(JSON.stringify([secrets.current, secrets.next])).digest("hex")
})
