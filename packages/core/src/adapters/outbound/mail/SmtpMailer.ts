/** E-mails over SMTP: one conversation for each, encrypted unless the server is on this machine. */
import { Effect, Layer, Redacted } from "effect"
import type { Mail } from "../../../domain/mail/Mail.ts"
import { Mailer, MailError, type MailFailure, type MailSender } from "../../../ports/Mailer.ts"
import { formatOneLine } from "../redact.ts"
import type { SmtpConfig } from "./smtpConfig.ts"

/** One conversation from its first step to its last. */
const sendTimeout = "60 seconds"

const makeTransportOptions = ({ host, login, port, tls }: SmtpConfig) => ({
  host,
  port,
  secure: tls === "always",
  requireTLS: tls === "required",
  ignoreTLS: tls === "never",
  ...(login === null ? {} : { auth: { user: login.user, pass: Redacted.value(login.password) } }),
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 30_000,
  disableFileAccess: true,
  disableUrlAccess: true
})

/** What the library says of a failure; the server's words are in `message`. */
interface SmtpFailure {
  readonly message: string
  readonly code?: string
  readonly originalCode?: string
  readonly command?: string
  /** The server's answer, a line of it or all of them. */
  readonly response?: string
  readonly responseCode?: number
}

const untrustedCertificateCode = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL/

/**
 * Basic codes that may speak of a mailbox (RFC 5321 §4.2.3), and the detail that says so (RFC 3463: X.1.X is
 * addressing).
 */
const [mailboxCodes, addressingStatus] = [[550, 551, 553], /^5\.1\./]
/** Of addressing, what speaks of the address that we send from. */
const senderStatus = /^5\.1\.[78]$/

/**
 * What a refusal of the recipient is about. Without a detail it is the mailbox: relays and filters say 5.7.x, or 554.
 */
const classifyRecipientRefusal = (responseCode: number, response: string): MailFailure => {
  const detail = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})(?!\S)/.exec(response)?.[1]
  if (detail !== undefined && senderStatus.test(detail)) return "sender"
  return mailboxCodes.includes(responseCode) && (detail === undefined || addressingStatus.test(detail))
    ? "recipient"
    : "refused"
}

const classifyFailure = (failure: SmtpFailure): MailFailure => {
  const { code = "", command = "", originalCode = "", response = "", responseCode = 0 } = failure
  if (code === "ETLS" || untrustedCertificateCode.test(originalCode)) return "tls"
  if (responseCode >= 400 && responseCode < 500) return "deferred"
  if (code === "EAUTH" || code === "ENOAUTH") return "login"
  if (command === "MAIL FROM") return "sender"
  if (responseCode >= 500 && command === "RCPT TO") return classifyRecipientRefusal(responseCode, response)
  // Whatever else it refuses for good says nothing about the e-mail: its greeting, for instance
  return responseCode >= 500 && command === "DATA" ? "refused" : "unreachable"
}

const makeMessage = (
  { from }: SmtpConfig,
  { createdAt, html, id, subject, text, to, unsubscribeUrl }: Mail,
  signal: AbortSignal
) => ({
  from,
  // As an object: a string would be parsed, and one address could become two
  to: { name: "", address: to },
  subject,
  text,
  html,
  messageId: `<${id}@${from.address.split("@").at(-1)!}>`,
  date: createdAt,
  headers: {
    "Auto-Submitted": "auto-generated",
    ...unsubscribeUrl === undefined ? {} : { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }
  },
  list: {
    unsubscribe: [
      // RFC 8058: mail programs post to the first https address without asking anybody
      ...unsubscribeUrl === undefined ? [] : [[
        { url: unsubscribeUrl, comment: "" },
        { url: `mailto:${from.address}?subject=unsubscribe`, comment: "" }
      ]],
      ...unsubscribeUrl === undefined
        ? [{ url: `mailto:${from.address}?subject=unsubscribe`, comment: "stop the alerts" }]
        : []
    ]
  },
  disableFileAccess: true,
  disableUrlAccess: true,
  signal
})

/** Makes the sender. The mail library is loaded with the first e-mail: most commands send none. */
export const makeSmtpMailer = (config: SmtpConfig): MailSender => {
  const secret = config.login === null ? null : Redacted.value(config.login.password)
  return {
    send: (mail) =>
      Effect.tryPromise({
        try: async (signal) => {
          const { createTransport } = await import("nodemailer")
          await createTransport(makeTransportOptions(config)).sendMail(makeMessage(config, mail, signal))
        },
        catch: (thrown) => {
          const failure = thrown as SmtpFailure
          return new MailError({ reason: classifyFailure(failure), message: formatOneLine(failure.message, secret) })
        }
      }).pipe(
        Effect.timeoutOrElse({
          duration: sendTimeout,
          orElse: () => Effect.fail(new MailError({ reason: "unreachable", message: `no end within ${sendTimeout}` }))
        })
      )
  }
}

/** The sender that the settings describe, if they do. */
export const layerSmtpMailer = (config: SmtpConfig | null): Layer.Layer<never> =>
  Layer.succeed(Mailer, config === null ? null : makeSmtpMailer(config))
