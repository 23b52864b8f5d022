import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { Mail } from "../../domain/mail/Mail.ts"
import { formatNewWork } from "../../domain/workers/NewWork.ts"
import { MailStore } from "../../ports/MailStore.ts"
import { Notifications, workChannel } from "../../ports/Notifications.ts"

/** Queues an e-mail to each recipient of the organization and wakes the mail worker; joins the caller's transaction. */
export const queueMail = Effect.fn("queueMail")(function*(organizationId: OrganizationId, mail: Omit<Mail, "to">) {
  yield* (yield* MailStore).enqueue(organizationId, mail)
  yield* (yield* Notifications).send(workChannel, formatNewWork({ of: "mail" }))
})
