import { Deferred, Duration, Effect, Latch, Result, Schedule } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { mailStaleAfter, maxMailTries } from "../../domain/mail/Mail.ts"
import { Mailer, type MailSender } from "../../ports/Mailer.ts"
import { type ClaimedMail, MailStore } from "../../ports/MailStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { now } from "../now.ts"
import { lookEveryMs } from "../platforms/workPlatform.ts"
import type { Bell } from "../workers/Bell.ts"
import { makeTurns } from "../workers/turns.ts"

/** E-mails on their way at once. */
const atOnce = 4

/**
 * Whether an organization with so many e-mails on their way may begin one more, of `onWay` in all: half of the places
 * that are free. One alone gets two, so that there is a place for who comes next.
 */
const mayBegin = (own: number, onWay: number): boolean => own < atOnce - onWay

/** Sends one and notes how it ended; what cannot be noted is tried again when its next try is due. */
const sendOne = Effect.fnUntraced(function*(mailer: MailSender, cut: Deferred.Deferred<void>, mail: ClaimedMail) {
  const mails = yield* MailStore
  const { run } = yield* Transaction
  const giveUp = (message: string) =>
    Effect.gen(function*() {
      yield* mails.failed(mail, message, yield* now)
      yield* Effect.logWarning(`an e-mail to ${mail.to} is given up: ${message}`)
    })
  const age = (yield* now).getTime() - mail.createdAt.getTime()
  if (mail.tries > maxMailTries) return yield* giveUp("its last try was cut off")
  if (age > Duration.toMillis(mailStaleAfter)) return yield* giveUp("nobody could send it for a day")
  const outcome = yield* Effect.raceFirst(
    Effect.result(Effect.interruptible(mailer.send(mail))),
    Effect.as(Effect.interruptible(Deferred.await(cut)), null)
  )
  if (outcome === null) return
  if (Result.isSuccess(outcome)) {
    const note = Effect.flatMap(now, (at) => mails.sent(mail, at))
    return yield* Effect.retry(note, { while: ({ retryable }) => retryable, schedule: Schedule.spaced(1000), times: 5 })
  }
  const { message, reason } = outcome.failure
  if (reason === "recipient") {
    yield* run(Effect.gen(function*() {
      yield* giveUp(message)
      yield* mails.flag(mail.organizationId, mail.to, message, yield* now)
    }))
  } else if (reason === "refused" || mail.tries === maxMailTries) yield* giveUp(message)
  else yield* mails.failed(mail, message, null)
})

/**
 * Sends the queued e-mails of every organization, for ever; one process at a time may do this. Organizations take turns
 * at each place that becomes free, and none takes all places (`mayBegin`): neither many nor slow e-mails of one hold back
 * another's. What the mail server refuses for good is given up, and the recipient flagged if it has no such mailbox;
 * everything else is tried again (`mailPausesMs`). Rests where no mail server is configured. Interruption ends claiming;
 * an e-mail on its way is awaited, or broken off by `cut`.
 */
export const workMail = (news: Bell, cut: Deferred.Deferred<void>) =>
  Effect.scoped(Effect.gen(function*() {
    const mailer = yield* Mailer
    if (mailer === null) return yield* Effect.never
    const mails = yield* MailStore
    const scope = yield* Effect.scope
    const turns = makeTurns<OrganizationId>((id) => id, (id) => id)
    const awake = Latch.makeUnsafe(true)
    /** Whose e-mails are on their way. */
    const onWay: Array<OrganizationId> = []
    yield* news.hearing(() => awake.openUnsafe())

    const send = (mail: ClaimedMail) =>
      sendOne(mailer, cut, mail).pipe(
        Effect.catchCause((cause) => Effect.logDebug("an e-mail is left for later", cause)),
        Effect.ensuring(Effect.sync(() => {
          onWay.splice(onWay.indexOf(mail.organizationId), 1)
          awake.openUnsafe()
        }))
      )
    const mayClaim = (id: OrganizationId) => mayBegin(onWay.filter((one) => one === id).length, onWay.length)

    const step = Effect.gen(function*() {
      awake.closeUnsafe()
      const at = yield* now
      let waiting = yield* mails.waiting(at)
      turns.keep(waiting)
      for (let may = waiting.filter(mayClaim); may.length > 0; may = waiting.filter(mayClaim)) {
        const next = turns.next(may)
        const [mail] = yield* mails.claim(next, at, 1)
        if (mail === undefined) waiting = waiting.filter((id) => id !== next)
        else {
          onWay.push(next)
          // Born uninterruptible: one that is interrupted before its first step would keep its place for ever
          yield* Effect.forkIn(send(mail), scope, { uninterruptible: true })
        }
      }
    }).pipe(
      Effect.uninterruptible,
      Effect.catchCause((cause) => Effect.logDebug("e-mail pauses", cause))
    )
    return yield* Effect.forever(
      Effect.andThen(step, Effect.raceFirst(awake.await, Effect.sleep(lookEveryMs)))
    )
  }))

/** Waits until every e-mail that is due has been tried, at most `limit`. For who ends after its work is done. */
export const awaitMail = Effect.fn("awaitMail")(function*(limit: Duration.Input) {
  if ((yield* Mailer) === null) return
  const mails = yield* MailStore
  const due = Effect.flatMap(now, (at) => mails.anyUntried(at))
  yield* Effect.repeat(due, { while: (found) => found, schedule: Schedule.spaced("100 millis") }).pipe(
    Effect.timeoutOption(limit)
  )
})
