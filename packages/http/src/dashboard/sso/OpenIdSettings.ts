import type { Redacted } from "effect"

/** The OpenID Connect issuer where people sign in, and this server's registration there. */
export interface OpenIdSettings {
  /** Its issuer identifier: an https URL; http on this machine only. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** Its display name, such as "Acme SSO". */
  readonly name: string
}
