import { Effect, Result } from "effect"
import { renderAlertMail } from "../../domain/alerts/alertMail.ts"
import { type Alert, type AlertRuleName, eventOfRule } from "../../domain/alerts/AlertRule.ts"
import { EventId, type OrganizationId } from "../../domain/ids.ts"
import { makeSampleEvent } from "../../domain/webhooks/sampleEvent.ts"
import { Mailer, type MailError, type MailSender } from "../../ports/Mailer.ts"
import { MailStore } from "../../ports/MailStore.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { Rejected } from "../errors.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"

/** How a test e-mail to one recipient ended. */
export interface TestMail {
  readonly id: EventId
  readonly to: string
  /** Null when the mail server took it. */
  readonly error: MailError | null
}

/**
 * Sends a sample of the rule's alert to every recipient now, also to flagged ones: their mailbox may exist again. It is
 * recorded before the first is sent, so a form that asks for it twice sends once; no webhook is called. `sender` null =
 * the one of this process; fails with Rejected where it has none.
 */
export const sendTestMail = Effect.fn("sendTestMail")(
  function*(organizationId: OrganizationId, rule: AlertRuleName, sender: MailSender | null = null) {
    const mailer = sender ?? (yield* Mailer)
    if (mailer === null) return yield* new Rejected({ field: "mail", message: "no mail server is configured" })
    const id = yield* newId(EventId)
    const createdAt = yield* now
    const { data, event } = makeSampleEvent(eventOfRule[rule], id, createdAt)
    const organization = yield* (yield* OrganizationStore).find(organizationId)
    const brand = (yield* (yield* TrackedSetStore).current(organizationId))?.brand.name ?? "Your brand"
    const names = { organization: organization?.name ?? "", brand, keywords: new Map(), comparedWith: null }
    const content = renderAlertMail({ id, rule, event, data, createdAt } as Alert, names)
    const recipients = yield* runActs(
      organizationId,
      (yield* MailStore).listRecipients(organizationId),
      ({ length }) =>
        length === 0 ? [] : [
          { action: "recipients.tested", subjectId: organizationId, detail: { rule, recipients: length } }
        ]
    )
    return yield* Effect.forEach(
      recipients,
      ({ address }) =>
        Effect.map(Effect.result(mailer.send({ ...content, id, to: address, createdAt })), (sent): TestMail => ({
          id,
          to: address,
          error: Result.isFailure(sent) ? sent.failure : null
        })),
      { concurrency: 4 }
    )
  }
)
