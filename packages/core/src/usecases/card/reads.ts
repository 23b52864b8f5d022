import { Effect } from "effect"
import type { CardField } from "../../domain/card/BusinessCard.ts"
import { businessCardReport } from "../../domain/card/BusinessCardTrust.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { BusinessCardStore } from "../../ports/BusinessCardStore.ts"
import { now } from "../now.ts"

/** Which edits, and how many at most. */
export interface CardChangeQuery {
  readonly limit: number
  readonly field?: CardField | undefined
  /** Those before the edit of this sequence only. */
  readonly before?: number | undefined
}

/** Edits of the business card that the window shows, the newest first. */
export const listCardChanges = Effect.fn("listCardChanges")(
  function*(organizationId: OrganizationId, { since }: HistoryWindow, query: CardChangeQuery) {
    return yield* (yield* BusinessCardStore).history(organizationId, { ...query, since })
  }
)

/** Reads the business card with its trust score as of now; an empty card has one too: 0. */
export const readBusinessCard = Effect.fn("readBusinessCard")(function*(organizationId: OrganizationId) {
  const store = yield* BusinessCardStore
  const card = yield* store.current(organizationId)
  return businessCardReport(card, yield* store.attestation(organizationId), yield* now)
})
