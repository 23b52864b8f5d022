import type { Redacted } from "effect"

/** The OpenID Connect issuer where people sign in, and this server's registration at it. */
export interface OpenIdSettings {
  /** The issuer identifier: an https URL; http is allowed only on this machine. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** The display name of the issuer, such as "Acme SSO". */
  readonly name: string
}
