/** Someone who signs in to the dashboard. A person may be a member of several organizations, or of none. */
import { Schema } from "effect"
import { PersonId } from "../ids.ts"
import { EmailAddress } from "../mail/EmailAddress.ts"
import { Name, Organization } from "../organizations/Organization.ts"
import { Role } from "./Role.ts"

export const Person = Schema.Struct({
  id: PersonId,
  name: Name,
  /** Unique, ignoring case. Null for a person who signs in only with links from the command. */
  email: Schema.NullOr(EmailAddress),
  createdAt: Schema.Date,
  /** The latest sign-in; null for an invited person who has not signed in yet. */
  signedInAt: Schema.NullOr(Schema.Date),
  /** A disabled person cannot sign in and has no sessions. */
  disabledAt: Schema.NullOr(Schema.Date)
})
export type Person = typeof Person.Type

/** A person's role in one organization, with the name that the organization uses for them. */
export const Membership = Schema.Struct({ organization: Organization, role: Role, name: Name })
export type Membership = typeof Membership.Type

/**
 * A member of one organization: `person` contains the name that this organization uses, and the latest sign-in since
 * they became a member.
 */
export const Member = Schema.Struct({ person: Person, role: Role, createdAt: Schema.Date })
export type Member = typeof Member.Type

/**
 * How an issuer identifies a person: `issuer` is the URL of an OpenID Connect issuer or one of `ownIssuers`, `subject`
 * is the name that the issuer uses.
 */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

/** An identity by which a person signs in. */
export interface AttachedIdentity extends Identity {
  readonly createdAt: Date
}

/**
 * Issuers without a URL: the command on the machine that has the database, and a trusted proxy in front of the server.
 */
export const ownIssuers = { console: "console", proxy: "proxy" } as const

/** The identity with which an operator who has access to the database signs in: `sov dashboard`. */
export const consoleIdentity: Identity = { issuer: ownIssuers.console, subject: "operator" }
