import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"

/** Whether the organization has any archived answer. */
export const hasAnswers = Effect.fn("hasAnswers")(function*(organizationId: OrganizationId) {
  return (yield* (yield* ArchiveStore).oldest(organizationId)) !== null
})
