import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { MailStore } from "../../ports/MailStore.ts"

/** Who gets the organization's alert e-mails, by address; flagged ones get nothing. */
export const readRecipients = Effect.fn("readRecipients")(function*(organizationId: OrganizationId) {
  return yield* (yield* MailStore).listRecipients(organizationId)
})
