/** Mailer hands e-mails to a mail server. None is configured by default: then alerts are recorded, and none is sent. */
import { Context, type Effect, Schema } from "effect"
import type { Mail } from "../domain/mail/Mail.ts"

/**
 * Why an e-mail was not sent. `recipient` the mail server has no such mailbox (5xx) · `refused` it refuses this message
 * for good (5xx): its size, a policy, what it takes for spam · `deferred` it refuses for now (4xx) · `unreachable` no
 * conversation, or it broke off · `tls` no trustworthy encryption · `login` it does not let us in · `sender` it refuses
 * the address that we send from.
 */
export const MailFailure = Schema.Literals([
  "recipient",
  "refused",
  "deferred",
  "unreachable",
  "tls",
  "login",
  "sender"
])
export type MailFailure = typeof MailFailure.Type

/** `message` is one line for the operator; it holds no secret. */
export class MailError extends Schema.TaggedError<MailError>()("MailError", {
  reason: MailFailure,
  message: Schema.String
}) {}

/** A configured way to a mail server. */
export interface MailSender {
  /**
   * Sends one e-mail to one address; `Message-ID` comes from its id, the same on every try. Interruption breaks the
   * conversation off.
   */
  readonly send: (mail: Mail) => Effect.Effect<void, MailError>
}

/** The configured way, null if absent. */
export const Mailer = Context.Reference<MailSender | null>("@sov/core/ports/Mailer", { defaultValue: () => null })
