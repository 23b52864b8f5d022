/** E-mails to the recipients of an organization: their content, the number of attempts, and when they are given up. */
import { Duration, Schema } from "effect"
import type { EventId } from "../ids.ts"
import type { EmailAddress } from "./EmailAddress.ts"

/** The content of an e-mail, as plain text and as HTML. */
export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * One e-mail to one recipient. If an alert caused it, `id` is the alert's id; `id` and `to` together identify the
 * e-mail.
 */
export interface Mail extends MailContent {
  readonly id: EventId
  readonly to: EmailAddress
  readonly createdAt: Date
  /** Display name of the sender, if it is not the server's. */
  readonly sender?: string
  /** A POST to this URL unsubscribes the recipient (RFC 8058); only digests have one. */
  readonly unsubscribeUrl?: string
}

/**
 * `queued`: waiting to be sent · `sent`: the mail server accepted it · `failed`: given up · `dropped`: not sent,
 * because its recipient had been removed or flagged.
 */
export const MailState = Schema.Literals(["queued", "sent", "failed", "dropped"])
export type MailState = typeof MailState.Type

/** An address that receives the organization's alerts. */
export interface Recipient {
  readonly address: EmailAddress
  /** When and why the address stopped receiving e-mails: the mail server has no such mailbox. */
  readonly flagged: { readonly at: Date; readonly reason: string } | null
  /** When the recipient unsubscribed from digests; null if they did not. Alerts are still sent. */
  readonly digestOffAt: Date | null
}

/** Maximum number of recipients of one organization. */
export const maxRecipients = 20

/** Pauses in milliseconds after attempts that failed temporarily: 1 and 5 minutes, half an hour, 2 and 6 hours. */
export const mailRetryDelaysMs: ReadonlyArray<number> = [1, 5, 30, 120, 360].map((minutes) => minutes * 60_000)

/** Maximum number of attempts to send one e-mail. */
export const maxMailTries = mailRetryDelaysMs.length + 1

/** An e-mail that could not be sent within this time is given up, because its content is out of date. */
export const maxMailAge = Duration.hours(24)
