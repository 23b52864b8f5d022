import { Effect } from "effect"
import { businessCardReport } from "../../domain/card/BusinessCardTrust.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { BusinessCardStore } from "../../ports/BusinessCardStore.ts"
import { now } from "../now.ts"

/** Reads the business card with its trust score as of now; an empty card has one too: 0. */
export const readBusinessCard = Effect.fn("readBusinessCard")(function*(organizationId: OrganizationId) {
  const store = yield* BusinessCardStore
  const card = yield* store.current(organizationId)
  return businessCardReport(card, yield* store.attestation(organizationId), yield* now)
})
