/** The mail server for alert e-mails: `SOV_SMTP_URL` and `SOV_MAIL_FROM`. */
import type { MailSender } from "@sov/core/mail"
import { makeSmtpMailer, readSmtpConfig } from "@sov/core/outbound"
import { Result } from "effect"
import { CliError } from "../CliError.ts"
import { describeError } from "../describeError.ts"
import { exitCodes } from "../exitCodes.ts"

type Env = Readonly<Record<string, string | undefined>>

/** The fault in the settings; null if they are valid or not set. */
export const findMailFault = (env: Env): CliError | null =>
  Result.match(readSmtpConfig(env), { onFailure: describeError, onSuccess: () => null })

/** The sender for the mail server. Throws if the settings are invalid or missing. */
export const mailSender = (env: Env): MailSender => {
  const config = Result.getOrThrowWith(readSmtpConfig(env), describeError)
  if (config !== null) return makeSmtpMailer(config)
  throw new CliError(
    "no-mail-server",
    exitCodes.usage,
    "no mail server is configured",
    "set SOV_SMTP_URL (smtp://user:password@mail.example:587) and SOV_MAIL_FROM, in the environment or .env"
  )
}
