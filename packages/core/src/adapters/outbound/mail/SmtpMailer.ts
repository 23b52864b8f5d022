/** Sends e-mails over SMTP: one connection per e-mail, encrypted unless the server is on this machine. */
import { Effect, Layer, Redacted } from "effect"
import type { Mail } from "../../../domain/mail/Mail.ts"
import { oneLine } from "../../../domain/oneLine.ts"
import { Mailer, MailError, type MailFailure, type MailSender } from "../../../ports/Mailer.ts"
import { formatOneLine } from "../redact.ts"
import type { SmtpConfig } from "./smtpConfig.ts"

/** Time limit for a whole SMTP conversation. */
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

/** The mail library's error; `message` contains the server's reply. */
interface SmtpFailure {
  readonly message: string
  readonly code?: string
  readonly originalCode?: string
  readonly command?: string
  /** The server's reply, or one line of it. */
  readonly response?: string
  readonly responseCode?: number
}

const untrustedCertificateCode = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL/

/**
 * Reply codes that may refer to a mailbox (RFC 5321 §4.2.3), and the enhanced status that confirms this (RFC 3463:
 * X.1.X means addressing).
 */
const [mailboxCodes, addressingStatus] = [[550, 551, 553], /^5\.1\./]
/** Addressing statuses that concern the sender's address. */
const senderStatus = /^5\.1\.[78]$/

/**
 * Classifies a refused recipient. Without an enhanced status, the mailbox is at fault: relays and filters answer 5.7.x
 * or 554.
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
  // Any other permanent refusal, such as one in the greeting, is not about this e-mail
  return responseCode >= 500 && command === "DATA" ? "refused" : "unreachable"
}

const makeMessage = (
  { from }: SmtpConfig,
  { createdAt, html, id, sender, subject, text, to, unsubscribeUrl }: Mail,
  signal: AbortSignal
) => ({
  from: sender === undefined ? from : { name: oneLine(sender), address: from.address },
  // Passed as an object, because a string would be parsed and one address could become two
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
      // RFC 8058: mail programs post to the first https address without asking the user
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

/** Creates the sender. The mail library is loaded with the first e-mail, because most commands send none. */
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

/** The mailer for these settings; null without settings. */
export const layerSmtpMailer = (config: SmtpConfig | null): Layer.Layer<never> =>
  Layer.succeed(Mailer, config === null ? null : makeSmtpMailer(config))
