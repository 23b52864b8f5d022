/** Someone who signs in to the dashboard. A person may be a member of several organizations, or of none any more. */
import { Schema } from "effect"
import { PersonId } from "../ids.ts"
import { EmailAddress } from "../mail/EmailAddress.ts"
import { Name, Organization } from "../organizations/Organization.ts"
import { Role } from "./Role.ts"

export const Person = Schema.Struct({
  id: PersonId,
  name: Name,
  /** Unique, whatever its case. Null for a person who signs in by links of the command only. */
  email: Schema.NullOr(EmailAddress),
  createdAt: Schema.Date,
  /** The latest sign-in; null for someone who was invited and has not signed in yet. */
  signedInAt: Schema.NullOr(Schema.Date),
  /** A disabled person cannot sign in and has no sessions. */
  disabledAt: Schema.NullOr(Schema.Date)
})
export type Person = typeof Person.Type

/** A person's place in one organization, with the name by which it knows them. */
export const Membership = Schema.Struct({ organization: Organization, role: Role, name: Name })
export type Membership = typeof Membership.Type

/**
 * A member of one organization, as that one knows them: `person` has the name that was given there, and the latest
 * sign-in since they became a member.
 */
export const Member = Schema.Struct({ person: Person, role: Role, createdAt: Schema.Date })
export type Member = typeof Member.Type

/**
 * How somebody outside names a person: `issuer` is the URL of an OpenID Connect issuer or one of `ownIssuers`,
 * `subject` the name that it gives.
 */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

/** An identity by which a person signs in. */
export interface AttachedIdentity extends Identity {
  readonly createdAt: Date
}

/** Issuers that are no URL: the command on the machine of the database, and a trusted proxy in front of the server. */
export const ownIssuers = { console: "console", proxy: "proxy" } as const

/** The person as whom an operator with the database signs in: `sov dashboard`. */
export const consoleIdentity: Identity = { issuer: ownIssuers.console, subject: "operator" }
