import { Effect } from "effect"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"
import { NotFound } from "../errors.ts"

/** One archived answer with its newest measurement. Fails with NotFound, also for an answer of another organization. */
export const readAnswer = Effect.fn("readAnswer")(function*(organizationId: OrganizationId, id: AnswerId) {
  return (yield* (yield* ArchiveStore).find(organizationId, id)) ?? (yield* new NotFound({ what: "answer", id }))
})
