import { Duration, Effect } from "effect"
import { EventId } from "../../domain/ids.ts"
import { mailedLinksWindow, maxMailedLinks } from "../../domain/people/LoginLink.ts"
import type { Person } from "../../domain/people/Person.ts"
import { formatLinkUrl, renderSignInMail } from "../../domain/people/signInMail.ts"
import { Mailer } from "../../ports/Mailer.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { makeLink } from "./makeLink.ts"

/** Creates a link for the person; null beyond `maxMailedLinks`. The lock makes the count exact. */
const makeCountedLink = Effect.fnUntraced(function*(person: Person) {
  const since = new Date((yield* now).getTime() - Duration.toMillis(mailedLinksWindow))
  yield* (yield* PersonStore).lock(person.id)
  const made = yield* (yield* SessionStore).countMailedLinks(person.id, since)
  return made >= maxMailedLinks ? null : yield* makeLink(person, "mail", null)
})

/**
 * E-mails a link that works for 15 minutes to a member with this address, at most five an hour. Returns the same in
 * every case, so that it does not reveal members; the caller replies before it returns, because sending takes time.
 * Sends directly to the mail server, because a queue would store the secret. Logs a failed e-mail. `origin` is the
 * origin of the server, without a trailing slash.
 */
export const requestLoginLink = Effect.fn("requestLoginLink")(function*(email: string, origin: string) {
  const mailer = yield* Mailer
  const people = yield* PersonStore
  if (mailer === null) return
  const person = yield* people.findByEmail(email)
  if (person === null || person.email === null || person.disabledAt !== null) return
  if ((yield* people.listMemberships(person.id)).length === 0) return
  const made = yield* (yield* Transaction).run(makeCountedLink(person))
  if (made === null) return
  const content = renderSignInMail({ url: formatLinkUrl(origin, made.token), until: made.link.expiresAt })
  yield* mailer.send({ ...content, id: yield* newId(EventId), to: person.email, createdAt: made.link.createdAt }).pipe(
    Effect.catch((error) => Effect.logWarning("a sign-in link was not mailed", error))
  )
})
