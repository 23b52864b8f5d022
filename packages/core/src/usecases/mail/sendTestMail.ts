import { Effect, Result } from "effect"
import { renderAlertMail } from "../../domain/alerts/alertMail.ts"
import { type Alert, type AlertRuleName, eventOfRule } from "../../domain/alerts/AlertRule.ts"
import { EventId, type OrganizationId } from "../../domain/ids.ts"
import { withBranding } from "../../domain/mail/withBranding.ts"
import { makeSampleEvent } from "../../domain/webhooks/sampleEvent.ts"
import { BrandingStore } from "../../ports/BrandingStore.ts"
import { Mailer, type MailError, type MailSender } from "../../ports/Mailer.ts"
import { MailStore } from "../../ports/MailStore.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { Rejected } from "../errors.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"

/** The result of a test e-mail to one recipient. */
export interface TestMail {
  readonly id: EventId
  readonly to: string
  /** Null if the mail server accepted the e-mail. */
  readonly error: MailError | null
}

/**
 * Sends a sample of the rule's alert to every recipient at once, including flagged ones, whose mailbox may exist again.
 * Calls no webhook. The act is recorded before the first e-mail is sent, so a form that is submitted twice sends only
 * once. `sender` null means the sender of this process; fails with Rejected if there is no sender.
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
    const content = withBranding(
      renderAlertMail({ id, rule, event, data, createdAt } as Alert, names),
      yield* (yield* BrandingStore).find(organizationId)
    )
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
