import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { Mailer } from "../../ports/Mailer.ts"
import { readRecipients } from "./readRecipients.ts"

/** Who gets the organization's alert e-mails, and whether this process has a mail server to send any. */
export const readMailSetup = Effect.fn("readMailSetup")(function*(organizationId: OrganizationId) {
  return { recipients: yield* readRecipients(organizationId), hasMailServer: (yield* Mailer) !== null }
})
