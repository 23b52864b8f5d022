/** Helpers for tests of signing in: a mail server that keeps its mails, actors, and the actors in the audit log. */
import {
  actorOfPerson,
  AuditLog,
  type Browser,
  CurrentActor,
  type Mail,
  Mailer,
  MailError,
  type OrganizationId,
  type Person
} from "@sov/core"
import { Effect } from "effect"

/** A browser without a session. */
export const browser: Browser = { presented: null, userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" }
export const origin = "https://sov.example"

/** A mail server that refuses mails while `broken` is set. */
export const makeMailServer = () => {
  const server = { sent: Array<Mail>(), broken: false }
  const sender = {
    send: (mail: Mail) =>
      Effect.suspend(() => {
        if (server.broken) return Effect.fail(new MailError({ reason: "unreachable", message: "no conversation" }))
        server.sent.push(mail)
        return Effect.void
      })
  }
  return { server, withMail: Effect.provideService(Mailer, sender) }
}

/** Runs an effect with the person as its actor. */
export const as = (person: Person) => Effect.provideService(CurrentActor, actorOfPerson(person))

/** The token of the link that a text contains. */
export const tokenIn = (text: string): string => /\/login\/link\/([\w-]{43})(?![\w-])/.exec(text)?.[1] ?? "no link"

/** The actions in the audit log with their actors, oldest first. */
export const readActs = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const entries = yield* (yield* AuditLog).page(organizationId, {}, { limit: 99 })
  return entries.map(({ action, actor }) => `${actor.name}: ${action}`).toReversed()
})
