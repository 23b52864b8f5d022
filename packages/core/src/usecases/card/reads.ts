import { Effect } from "effect"
import type { CardField } from "../../domain/card/BusinessCard.ts"
import { businessCardReport } from "../../domain/card/BusinessCardTrust.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { BusinessCardStore } from "../../ports/BusinessCardStore.ts"
import { now } from "../now.ts"

/** Filters and maximum length of an edit list. */
export interface CardChangeQuery {
  readonly limit: number
  readonly field?: CardField | undefined
  /** Only edits before this sequence number. */
  readonly before?: number | undefined
}

/** Edits of the business card within the window, newest first. */
export const listCardChanges = Effect.fn("listCardChanges")(
  function*(organizationId: OrganizationId, { since }: HistoryWindow, query: CardChangeQuery) {
    return yield* (yield* BusinessCardStore).history(organizationId, { ...query, since })
  }
)

/** Reads the business card with its present trust score. The trust score of an empty card is 0. */
export const readBusinessCard = Effect.fn("readBusinessCard")(function*(organizationId: OrganizationId) {
  const store = yield* BusinessCardStore
  const card = yield* store.current(organizationId)
  return businessCardReport(card, yield* store.attestation(organizationId), yield* now)
})
