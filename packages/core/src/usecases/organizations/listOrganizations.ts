import { Effect } from "effect"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"

/** All organizations of the database, the oldest first. Fails with StoreError only. */
export const listOrganizations = Effect.fn("listOrganizations")(function*() {
  return yield* (yield* OrganizationStore).list
})
