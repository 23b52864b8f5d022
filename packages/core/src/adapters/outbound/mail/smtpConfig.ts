/** `SOV_SMTP_URL` and `SOV_MAIL_FROM`: the mail server to use and the sender's address. */
import { Redacted, Result, Schema } from "effect"
import { isLoopback } from "../../../domain/isLoopback.ts"
import { EmailAddress } from "../../../domain/mail/EmailAddress.ts"
import { type ConfigError, failConfig } from "../platforms/configFault.ts"

/** How to reach the mail server. */
export interface SmtpConfig {
  readonly host: string
  readonly port: number
  /**
   * `always`: TLS from the first byte (smtps) · `required`: STARTTLS or nothing · `offered`: STARTTLS if the server
   * supports it · `never`.
   */
  readonly tls: "always" | "required" | "offered" | "never"
  readonly login: { readonly user: string; readonly password: Redacted.Redacted } | null
  readonly from: { readonly name: string; readonly address: EmailAddress }
}

const smtpUrlExample = "Set it like smtp://user:password@mail.example:587 or smtps://user:password@mail.example:465."

const decodeUrlPart = (part: string): string | null => {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

const readFrom = (text: string): SmtpConfig["from"] | null => {
  const named = /^\s*(?:"([^"]*)"|([^"<>]*?))\s*<([^<>]*)>\s*$/.exec(text)
  const address = Schema.decodeUnknownResult(EmailAddress)(named?.[3] ?? text.trim())
  const name = (named?.[1] ?? named?.[2] ?? "").trim()
  return Result.isFailure(address) || /\p{Cc}/u.test(name) ? null : { name, address: address.success }
}

const readTls = (url: URL, host: string): Result.Result<SmtpConfig["tls"], ConfigError> => {
  const secure = url.protocol === "smtps:"
  const unknown = [...url.searchParams].some(([name, value]) => name !== "tls" || value !== "off")
  if (unknown) {
    return failConfig(
      "SOV_SMTP_URL",
      "has an unknown parameter",
      "The only one is ?tls=off, for a server on this machine."
    )
  }
  if (url.searchParams.has("tls")) {
    return isLoopback(host) && !secure
      ? Result.succeed("never")
      : failConfig("SOV_SMTP_URL", "?tls=off is for smtp:// to a server on this machine only", "Remove it.")
  }
  return Result.succeed(secure ? "always" : isLoopback(host) ? "offered" : "required")
}

/**
 * Reads the two settings. Null if neither is set. Errors name the setting and never show a value, which may contain a
 * password.
 */
export const readSmtpConfig = (
  env: Readonly<Record<string, string | undefined>>
): Result.Result<SmtpConfig | null, ConfigError> => {
  const [address = "", sender = ""] = [env["SOV_SMTP_URL"], env["SOV_MAIL_FROM"]]
  if (address === "" && sender === "") return Result.succeed(null)
  if (address === "") return failConfig("SOV_SMTP_URL", "is not set, but SOV_MAIL_FROM is", smtpUrlExample)
  const url = URL.parse(address)
  if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:") || url.hostname === "") {
    return failConfig("SOV_SMTP_URL", "is no smtp:// or smtps:// URL", smtpUrlExample)
  }
  if ((url.pathname !== "" && url.pathname !== "/") || url.hash !== "") {
    return failConfig("SOV_SMTP_URL", "has more than server and port", smtpUrlExample)
  }
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase()
  const tls = readTls(url, host)
  if (Result.isFailure(tls)) return Result.fail(tls.failure)
  const [user, password] = [decodeUrlPart(url.username), decodeUrlPart(url.password)]
  if (user === null || password === null || (user === "") !== (password === "")) {
    return failConfig("SOV_SMTP_URL", "has only half of user and password, or a bad % in them", smtpUrlExample)
  }
  const from = readFrom(sender)
  if (from === null) {
    return failConfig(
      "SOV_MAIL_FROM",
      sender === "" ? "is not set, but SOV_SMTP_URL is" : "is no address",
      "Set it like alerts@acme.example or \"Acme alerts <alerts@acme.example>\"."
    )
  }
  return Result.succeed({
    host,
    port: url.port === "" ? (tls.success === "always" ? 465 : isLoopback(host) ? 25 : 587) : Number(url.port),
    tls: tls.success,
    login: user === "" ? null : { user, password: Redacted.make(password) },
    from
  })
}
