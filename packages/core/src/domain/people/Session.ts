/** A browser that is signed in. */
import { Duration, Schema } from "effect"
import { PersonId, SessionId } from "../ids.ts"
import { LinkPurpose } from "./LoginLink.ts"

/** How the person signed in: by a link of that purpose, or by an identity of OpenID Connect or of a proxy. */
export const SignInMethod = Schema.Literals([...LinkPurpose.literals, "oidc", "proxy"])
export type SignInMethod = typeof SignInMethod.Type

/** What is stored and shown of a session; its token is stored nowhere. */
export const Session = Schema.Struct({
  id: SessionId,
  personId: PersonId,
  method: SignInMethod,
  /** The person who made the link that began it; null where nobody but the person and the command knew that link. */
  madeBy: Schema.NullOr(PersonId),
  /** Who else may know that link: see `LoginLink`. */
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

/** Whether the session holds at that time. */
export const isSessionLive = ({ expiresAt, seenAt }: Session, at: Date): boolean =>
  at < expiresAt && at.getTime() - seenAt.getTime() < Duration.toMillis(maxSessionIdle)
