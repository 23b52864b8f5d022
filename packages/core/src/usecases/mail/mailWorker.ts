import { Deferred, Duration, Effect, Result, Schedule } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { withUnsubscribeLink } from "../../domain/mail/digest.ts"
import { maxMailAge, maxMailTries } from "../../domain/mail/Mail.ts"
import { makeUnsubscribeToken } from "../../domain/mail/unsubscribeToken.ts"
import { concerns, type NewWork } from "../../domain/workers/NewWork.ts"
import { InstanceStore } from "../../ports/InstanceStore.ts"
import { Mailer, type MailSender } from "../../ports/Mailer.ts"
import { type ClaimedMail, MailStore } from "../../ports/MailStore.ts"
import { PublicUrl } from "../../ports/PublicUrl.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { now } from "../now.ts"
import { makeFairScheduler } from "../workers/makeFairScheduler.ts"
import { makePollLoop, pollIntervalMs } from "../workers/pollLoop.ts"
import type { WakeSignal } from "../workers/WakeSignal.ts"

/** E-mails that are sent at the same time. */
const maxConcurrentMails = 4

/**
 * Whether an organization with `own` of the `all` e-mails in flight may begin another one: it may have as many as there
 * are free slots. So an organization that is alone has two, and the next one finds a slot free.
 */
const canStart = (own: number, all: number): boolean => own < maxConcurrentMails - all

/** A digest with the link that ends it for its recipient; without a public address of the dashboard there is none. */
const addUnsubscribeLink = Effect.fnUntraced(function*(mail: ClaimedMail) {
  const publicUrl = yield* PublicUrl
  if (publicUrl === null) return mail
  const key = yield* (yield* InstanceStore).firstCursorKey
  const url = `${publicUrl}/unsubscribe/${makeUnsubscribeToken(key, mail.organizationId, mail.to)}`
  return { ...withUnsubscribeLink(mail, url), unsubscribeUrl: url }
})

/** Sends one and records how it ended; what cannot be recorded is tried again when its next try is due. */
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
    const outgoing = mail.digest ? yield* addUnsubscribeLink(mail) : mail
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
  /** Done when e-mails in flight must be aborted: the process has to end. */
  readonly abort: Deferred.Deferred<void>
}

/**
 * Sends the queued e-mails of every organization until interrupted; one process at a time may do this. Organizations
 * take turns for each slot that becomes free, and none takes all slots (`canStart`): neither many nor slow e-mails of
 * one hold back another's. What the mail server refuses for good is given up, and the recipient flagged if it has no
 * such mailbox; everything else is tried again (`mailRetryDelaysMs`). Does nothing where no mail server is configured.
 * Interruption ends claiming; e-mails in flight are awaited, or ended by `abort`.
 */
export const runMailWorker = ({ abort, newWork }: MailWorkerOptions) =>
  Effect.scoped(Effect.gen(function*() {
    const mailer = yield* Mailer
    if (mailer === null) return yield* Effect.never
    const mails = yield* MailStore
    const scope = yield* Effect.scope
    const scheduler = makeFairScheduler<OrganizationId>((id) => id, (id) => id)
    const loop = makePollLoop()
    /** The organization of each e-mail in flight. */
    const inFlight: Array<OrganizationId> = []
    yield* newWork.subscribe((work) => concerns(work, "mail") && loop.wake())

    const forkSend = (mail: ClaimedMail) =>
      sendClaimedMail(mailer, abort, mail).pipe(
        Effect.catchCause((cause) => Effect.logDebug("an e-mail failed unexpectedly and is sent later", cause)),
        Effect.ensuring(Effect.sync(() => {
          inFlight.splice(inFlight.indexOf(mail.organizationId), 1)
          loop.wake()
        }))
      )
    const canClaim = (id: OrganizationId) => canStart(inFlight.filter((one) => one === id).length, inFlight.length)

    const poll = Effect.fnUntraced(function*(nowMs: number) {
      const at = new Date(nowMs)
      let waiting = yield* mails.listOrganizationsWithDueMail(at)
      scheduler.retain(waiting)
      for (let ready = waiting.filter(canClaim); ready.length > 0; ready = waiting.filter(canClaim)) {
        const next = scheduler.next(ready)
        const [mail] = yield* mails.claim(next, at, 1)
        if (mail === undefined) waiting = waiting.filter((id) => id !== next)
        else {
          inFlight.push(next)
          // Forked uninterruptible: interrupted before its first step, it would never give its slot back
          yield* Effect.forkIn(forkSend(mail), scope, { uninterruptible: true })
        }
      }
      return pollIntervalMs
    }, Effect.uninterruptible)
    return yield* loop.run({ onFailure: "e-mail pauses", poll })
  }))

/** Waits until every e-mail that is due has been tried, at most `limit`: for commands that end with their work. */
export const awaitMail = Effect.fn("awaitMail")(function*(limit: Duration.Input) {
  if ((yield* Mailer) === null) return
  const mails = yield* MailStore
  const due = Effect.flatMap(now, (at) => mails.hasUnattempted(at))
  yield* Effect.repeat(due, { while: (found) => found, schedule: Schedule.spaced("100 millis") }).pipe(
    Effect.timeoutOption(limit)
  )
})
