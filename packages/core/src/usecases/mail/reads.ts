import { Duration, Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { Mailer } from "../../ports/Mailer.ts"
import { MailStore } from "../../ports/MailStore.ts"
import { now } from "../now.ts"

/** The state of all organizations' e-mails, with the failures of the last `within`. */
export const readMailQueue = Effect.fn("readMailQueue")(function*(within: Duration.Duration) {
  const since = new Date((yield* now).getTime() - Duration.toMillis(within))
  return yield* (yield* MailStore).queue(since)
})

/** The recipients of the organization's alert e-mails, and whether this process has a mail server. */
export const readMailSetup = Effect.fn("readMailSetup")(function*(organizationId: OrganizationId) {
  return { recipients: yield* readRecipients(organizationId), hasMailServer: (yield* Mailer) !== null }
})

/** The recipients of the organization's alert e-mails, sorted by address, including flagged ones, which get none. */
export const readRecipients = Effect.fn("readRecipients")(function*(organizationId: OrganizationId) {
  return yield* (yield* MailStore).listRecipients(organizationId)
})
