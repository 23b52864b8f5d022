/**
 * Mailer passes e-mails to a mail server. By default no mail server is configured, and alerts are recorded but not
 * sent.
 */
import { Context, type Effect, Schema } from "effect"
import type { Mail } from "../domain/mail/Mail.ts"

/**
 * Why an e-mail was not sent. `recipient`: the mail server has no such mailbox (5xx) · `refused`: it refuses this
 * message permanently (5xx), for example because of its size, a policy or suspected spam · `deferred`: it refuses the
 * message for now (4xx) · `unreachable`: no connection, or the connection broke · `tls`: no trustworthy encryption ·
 * `login`: it rejects our credentials · `sender`: it refuses our sender address.
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

/** An e-mail was not sent. `message` is one line for the operator and contains no secret. */
export class MailError extends Schema.TaggedError<MailError>()("MailError", {
  reason: MailFailure,
  message: Schema.String
}) {}

/** A configured connection to a mail server. */
export interface MailSender {
  /**
   * Sends one e-mail to one address. The `Message-ID` is derived from its id, so it is the same on every attempt.
   * Interruption ends the conversation with the server.
   */
  readonly send: (mail: Mail) => Effect.Effect<void, MailError>
}

/** The configured sender; null if no mail server is configured. */
export const Mailer = Context.Reference<MailSender | null>("@sov/core/ports/Mailer", { defaultValue: () => null })
