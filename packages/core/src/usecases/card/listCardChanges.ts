import { Effect } from "effect"
import type { CardField } from "../../domain/card/BusinessCard.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { BusinessCardStore } from "../../ports/BusinessCardStore.ts"

/** Edits of the business card, the newest first: up to `limit`, of one field where one is given. */
export const listCardChanges = Effect.fn("listCardChanges")(
  function*(
    organizationId: OrganizationId,
    query: { readonly limit: number; readonly field?: CardField | undefined }
  ) {
    return yield* (yield* BusinessCardStore).history(organizationId, query)
  }
)
