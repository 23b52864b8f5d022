import { Deferred, Duration, Effect, Result, Schedule } from "effect"
import { withUnsubscribeLink } from "../../domain/mail/digest.ts"
import { maxMailAge, maxMailTries } from "../../domain/mail/Mail.ts"
import { makeUnsubscribeToken } from "../../domain/mail/unsubscribeToken.ts"
import { withBranding } from "../../domain/mail/withBranding.ts"
import { concerns, type NewWork } from "../../domain/workers/NewWork.ts"
import { BrandingStore } from "../../ports/BrandingStore.ts"
import { InstanceStore } from "../../ports/InstanceStore.ts"
import { Mailer, type MailSender } from "../../ports/Mailer.ts"
import { type ClaimedMail, MailStore } from "../../ports/MailStore.ts"
import { PublicUrl } from "../../ports/PublicUrl.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { now } from "../now.ts"
import { makeCountedSlots } from "../workers/countedSlots.ts"
import { type Kind, type Queue, runKind, type Slot } from "../workers/runKind.ts"
import type { WakeSignal } from "../workers/WakeSignal.ts"

/** Maximum number of e-mails that are sent concurrently. */
const maxConcurrentMails = 4

/**
 * Whether an organization that has `own` of the `all` e-mails in flight may send another one. It may have at most as
 * many as there are free slots, so a single organization uses two, and the next organization finds a free slot.
 */
const canStart = (own: number, all: number): boolean => own < maxConcurrentMails - all

/**
 * Adds the link that unsubscribes the recipient to a digest. If the dashboard has no public address, there is no link.
 */
const addUnsubscribeLink = Effect.fnUntraced(function*(mail: ClaimedMail) {
  const publicUrl = yield* PublicUrl
  if (publicUrl === null) return mail
  const key = yield* (yield* InstanceStore).firstCursorKey
  const url = `${publicUrl}/unsubscribe/${makeUnsubscribeToken(key, mail.organizationId, mail.to)}`
  return { ...withUnsubscribeLink(mail, url), unsubscribeUrl: url }
})

/**
 * Sends one e-mail and records the outcome. If the outcome cannot be recorded, the e-mail is sent again when its next
 * attempt is due.
 */
const sendClaimedMail = Effect.fnUntraced(
  function*(mailer: MailSender, abort: Deferred.Deferred<void>, mail: ClaimedMail) {
    const mails = yield* MailStore
    const { run } = yield* Transaction
    const giveUpMail = (message: string) =>
      Effect.gen(function*() {
        yield* mails.markFailed(mail, message, yield* now)
        yield* Effect.logWarning(`an e-mail to ${mail.to} is given up: ${message}`)
      })
    const age = (yield* now).getTime() - mail.createdAt.getTime()
    if (mail.tries > maxMailTries) return yield* giveUpMail("its last try was aborted")
    if (age > Duration.toMillis(maxMailAge)) return yield* giveUpMail("nobody could send it for a day")
    const branded = withBranding(mail, yield* (yield* BrandingStore).find(mail.organizationId))
    const outgoing = mail.digest ? yield* addUnsubscribeLink(branded) : branded
    const outcome = yield* Effect.raceFirst(
      Effect.result(Effect.interruptible(mailer.send(outgoing))),
      Effect.as(Effect.interruptible(Deferred.await(abort)), null)
    )
    if (outcome === null) return
    if (Result.isSuccess(outcome)) {
      const record = Effect.flatMap(now, (at) => mails.markSent(mail, at))
      return yield* Effect.retry(record, {
        while: ({ retryable }) => retryable,
        schedule: Schedule.spaced(1000),
        times: 5
      })
    }
    const { message, reason } = outcome.failure
    if (reason === "recipient") {
      yield* run(Effect.gen(function*() {
        yield* giveUpMail(message)
        yield* mails.flag(mail.organizationId, mail.to, message, yield* now)
      }))
    } else if (reason === "refused" || mail.tries === maxMailTries) yield* giveUpMail(message)
    else yield* mails.markFailed(mail, message, null)
  }
)

interface MailWorkerOptions {
  /** Notifies when there may be new e-mails. */
  readonly newWork: WakeSignal<NewWork>
  /** Completes when the process must end and e-mails in flight must be aborted. */
  readonly abort: Deferred.Deferred<void>
}

/**
 * Sends the queued e-mails of every organization until interrupted. An e-mail that the mail server refuses permanently
 * is dropped, and the recipient is flagged if the mailbox does not exist. Every other failure is retried
 * (`mailRetryDelaysMs`). Does nothing if no mail server is configured.
 */
export const runMailWorker = ({ abort, newWork }: MailWorkerOptions) =>
  Effect.gen(function*() {
    const mailer = yield* Mailer
    if (mailer === null) return yield* Effect.never
    const mails = yield* MailStore
    const kind: Kind<
      Queue,
      "all",
      { readonly id: string; readonly mail: ClaimedMail },
      Slot,
      StoreError,
      Effect.Services<ReturnType<typeof sendClaimedMail>>
    > = {
      name: "sending e-mails",
      told: (work) => concerns(work, "mail") ? "all" : null,
      nameOf: () => "all",
      keyOf: (all) => all,
      look: () =>
        Effect.gen(function*() {
          const at = yield* now
          return (yield* mails.listOrganizationsWithDueMail(at)).map((id) => ({ organizationId: id, id, dueAt: at }))
        }),
      slots: makeCountedSlots(({ all, own }) => canStart(own, all)),
      claimAtOnce: 1,
      claim: ([turn], at) =>
        Effect.map(
          mails.claim(turn!.queue.organizationId, at, turn!.slots.length),
          (found) => found.map((mail) => [turn!.queue.id, { id: `${mail.id} ${mail.to}`, mail }] as const)
        ),
      run: (_, { mail }) => Effect.as(sendClaimedMail(mailer, abort, mail), null)
    }
    return yield* runKind(kind, { newWork, abort, fence: Effect.void })
  })

/** Waits at most `limit` until every due e-mail has been tried, for commands that end once their work is done. */
export const awaitMail = Effect.fn("awaitMail")(function*(limit: Duration.Input) {
  if ((yield* Mailer) === null) return
  const mails = yield* MailStore
  const due = Effect.flatMap(now, (at) => mails.hasUnattempted(at))
  yield* Effect.repeat(due, { while: (found) => found, schedule: Schedule.spaced("100 millis") }).pipe(
    Effect.timeoutOption(limit)
  )
})
