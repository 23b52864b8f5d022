import { Effect } from "effect"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"
import { NotFound } from "../errors.ts"

/**
 * The adapter that asked for an archived answer, and the model that gave it as the provider named it. Fails with
 * NotFound.
 */
export const readAnswerOrigin = Effect.fn("readAnswerOrigin")(function*(organizationId: OrganizationId, id: AnswerId) {
  const origin = yield* (yield* ArchiveStore).origin(organizationId, id)
  return origin ?? (yield* new NotFound({ what: "answer", id }))
})
