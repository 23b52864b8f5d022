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
 * Sets who gets the organization's alert e-mails, in place of those before, and returns them; none of them is flagged
 * then. Fails with Rejected for more than `maxRecipients`.
 */
export const setRecipients = Effect.fn("setRecipients")(
  function*(organizationId: OrganizationId, addresses: ReadonlyArray<EmailAddress>) {
    if (addresses.length > maxRecipients) {
      return yield* new Rejected({ field: "email", message: `at most ${maxRecipients} recipients` })
    }
    const store = yield* MailStore
    const organizations = yield* OrganizationStore
    const set = Effect.gen(function*() {
      // Of two at once the second would leave the first one's recipients beside its own
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
