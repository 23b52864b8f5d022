import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { PersonStore } from "../../ports/PersonStore.ts"

/** The members of the organization, oldest first; one whose person has never signed in is invited only. */
export const listMembers = Effect.fn("listMembers")(function*(organizationId: OrganizationId) {
  return yield* (yield* PersonStore).listMembers(organizationId)
})
