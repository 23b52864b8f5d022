/** One-time links that sign a person in. */
import { Duration, Schema } from "effect"
import { PersonId } from "../ids.ts"

/**
 * `console`: created by the command · `mail`: requested at the sign-in page and sent by e-mail · `invitation`: created
 * by an owner.
 */
export const LinkPurpose = Schema.Literals(["console", "mail", "invitation"])
export type LinkPurpose = typeof LinkPurpose.Type

/** The stored data of a link; its token is never stored. */
export const LoginLink = Schema.Struct({
  personId: PersonId,
  purpose: LinkPurpose,
  /** The person who created the link; null for links of the command and links that were requested by e-mail. */
  madeBy: Schema.NullOr(PersonId),
  /**
   * Others who may know the link, besides the person and `madeBy`: the session that created it began with a link that
   * they knew, so one of them may have created it.
   */
  knownTo: Schema.Array(PersonId),
  createdAt: Schema.Date,
  expiresAt: Schema.Date,
  usedAt: Schema.NullOr(Schema.Date)
})
export type LoginLink = typeof LoginLink.Type

/** How long a link works. */
export const linkLifetimes: { readonly [purpose in LinkPurpose]: Duration.Duration } = {
  console: Duration.minutes(10),
  mail: Duration.minutes(15),
  invitation: Duration.days(7)
}

/** Maximum number of links that one person may request by e-mail within `mailedLinksWindow`. */
export const maxMailedLinks = 5
export const mailedLinksWindow = Duration.hours(1)

/** Whether the link still works at that time: neither used nor expired. */
export const isLinkUsable = ({ expiresAt, usedAt }: LoginLink, at: Date): boolean => usedAt === null && expiresAt > at
