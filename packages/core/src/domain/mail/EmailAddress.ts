/**
 * An e-mail address as sov accepts it: `local@host`, ASCII, without characters that could form a header or an SMTP
 * command.
 */
import { Schema } from "effect"

const local = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const host = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/

/** RFC 5321 §4.5.3.1, without the angle brackets of a path. */
export const maxEmailLength = 254

const isAddress = (text: string): boolean => {
  const at = text.lastIndexOf("@")
  const [name, domain] = [text.slice(0, at), text.slice(at + 1)]
  return at > 0 && text.length <= maxEmailLength && name.length <= 64 && local.test(name) && host.test(domain)
}

/**
 * RFC 5321 dot-string local part and host name; no quoted strings, no comments, no address literals, no display name.
 */
export const EmailAddress = Schema.String.check(
  Schema.makeFilter((text) => isAddress(text) ? true : "must be one bare address such as ops@acme.example")
).pipe(Schema.brand("EmailAddress"))
export type EmailAddress = typeof EmailAddress.Type
