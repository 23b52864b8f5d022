/** A signed-in browser. */
import { Duration, Schema } from "effect"
import { PersonId, SessionId } from "../ids.ts"
import { LinkPurpose } from "./LoginLink.ts"

/** How the person signed in: with a link of that purpose, or with an identity of OpenID Connect or of a proxy. */
export const SignInMethod = Schema.Literals([...LinkPurpose.literals, "oidc", "proxy"])
export type SignInMethod = typeof SignInMethod.Type

/** The stored and displayed data of a session; its token is never stored. */
export const Session = Schema.Struct({
  id: SessionId,
  personId: PersonId,
  method: SignInMethod,
  /** The person who created the link that began the session; null if only the person and the command knew that link. */
  madeBy: Schema.NullOr(PersonId),
  /** Others who may know that link, see `LoginLink`. */
  knownTo: Schema.Array(PersonId),
  /** The browser in words, such as "Firefox on Linux". */
  agent: Schema.String,
  createdAt: Schema.Date,
  /** The latest request, exact to a minute. */
  seenAt: Schema.Date,
  expiresAt: Schema.Date
})
export type Session = typeof Session.Type

/** Lifetime of a session after sign-in. */
export const sessionLifetime = Duration.days(30)
/** A session idle for this long ends early. */
export const maxSessionIdle = Duration.days(14)

/** Whether the session is valid at that time. */
export const isSessionLive = ({ expiresAt, seenAt }: Session, at: Date): boolean =>
  at < expiresAt && at.getTime() - seenAt.getTime() < Duration.toMillis(maxSessionIdle)
