import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { EmailAddress } from "../../domain/mail/EmailAddress.ts"
import { maxRecipients } from "../../domain/mail/Mail.ts"
import { MailStore } from "../../ports/MailStore.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { Rejected } from "../errors.ts"
import { now } from "../now.ts"

/**
 * Replaces the recipients of the organization's alert e-mails and returns the new ones, without flags. Fails with
 * Rejected for more than `maxRecipients`.
 */
export const setRecipients = Effect.fn("setRecipients")(
  function*(organizationId: OrganizationId, addresses: ReadonlyArray<EmailAddress>) {
    if (addresses.length > maxRecipients) {
      return yield* new Rejected({ field: "email", message: `at most ${maxRecipients} recipients` })
    }
    const store = yield* MailStore
    const organizations = yield* OrganizationStore
    const set = Effect.gen(function*() {
      // Without a lock, two concurrent calls would leave the recipients of both
      yield* organizations.lock(organizationId)
      const before = yield* store.listRecipients(organizationId)
      yield* store.setRecipients(organizationId, addresses, yield* now)
      return before.map(({ address }) => address)
    })
    yield* runActs(organizationId, set, (before) => [
      { action: "recipients.changed", subjectId: organizationId, detail: { addresses, before } }
    ])
    return yield* store.listRecipients(organizationId)
  }
)
