import { Effect } from "effect"
import type { CardField } from "../../domain/card/BusinessCard.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { BusinessCardStore } from "../../ports/BusinessCardStore.ts"

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
