import { Effect } from "effect"
import { type Letter, writeMail } from "../domain/alerts/writeMail.ts"
import { EventId, type OrganizationId } from "../domain/ids.ts"
import type { Mail } from "../domain/Mail.ts"
import { MailStore } from "../ports/MailStore.ts"
import { Notifications, workChannel } from "../ports/Notifications.ts"
import { newId } from "./newId.ts"

/** Queues an e-mail to each recipient of the organization and wakes who sends; joins the caller's transaction. */
export const queueMail = Effect.fn("queueMail")(function*(organizationId: OrganizationId, mail: Omit<Mail, "to">) {
  yield* (yield* MailStore).put(organizationId, mail)
  yield* (yield* Notifications).send(workChannel, "")
})

/** Queues an e-mail about something that is no alert, such as an endpoint that was disabled. */
export const tellRecipients = Effect.fn("tellRecipients")(
  function*(organizationId: OrganizationId, letter: Letter, at: Date) {
    yield* queueMail(organizationId, { ...writeMail(letter), id: yield* newId(EventId), createdAt: at })
  }
)
