import { Array, Deferred, Duration, Effect, Latch, Record, Result, Schedule } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { mailStaleAfter, maxMailTries } from "../../domain/Mail.ts"
import { Mailer, type MailSender } from "../../ports/Mailer.ts"
import { type ClaimedMail, MailStore } from "../../ports/MailStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { now } from "../now.ts"
import type { Bell } from "./Bell.ts"
import { makeTurns, type Turns } from "./turns.ts"
import { lookEveryMs } from "./workPlatform.ts"

/** E-mails on their way at once. */
const atOnce = 4

/**
 * Claims as many as go out at once. Organizations take turns, so that many e-mails of one hold back no other's; says
 * whether any were due.
 */
const claimInTurn = Effect.fnUntraced(function*(turns: Turns<OrganizationId>) {
  const mails = yield* MailStore
  const at = yield* now
  const waiting = yield* mails.waiting(at)
  turns.keep(waiting)
  if (waiting.length === 0) return { any: false, claimed: [] }
  const places = Array.groupBy(Array.makeBy(atOnce, () => turns.next(waiting)), (id) => id)
  const claimed = yield* Effect.forEach(Record.toEntries(places), ([id, { length }]) => mails.claim(id, at, length))
  return { any: true, claimed: claimed.flat() }
})

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
    Effect.as(Deferred.await(cut), null)
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
 * Sends the queued e-mails of every organization, for ever; one process at a time may do this. What the mail server
 * refuses for good is given up, and the recipient flagged if it has no such mailbox; everything else is tried again
 * (`mailPausesMs`). Rests where no mail server is configured. Interruption ends claiming; an e-mail on its way is
 * awaited, or broken off by `cut`.
 */
export const workMail = (news: Bell, cut: Deferred.Deferred<void>) =>
  Effect.scoped(Effect.gen(function*() {
    const mailer = yield* Mailer
    if (mailer === null) return yield* Effect.never
    const turns = makeTurns<OrganizationId>((id) => id, (id) => id)
    const awake = Latch.makeUnsafe(true)
    yield* news.hearing(() => awake.openUnsafe())
    const step = Effect.gen(function*() {
      awake.closeUnsafe()
      const { any, claimed } = yield* claimInTurn(turns)
      yield* Effect.forEach(claimed, (mail) =>
        sendOne(mailer, cut, mail).pipe(
          Effect.catchCause((cause) => Effect.logDebug("an e-mail is left for later", cause))
        ), { concurrency: "unbounded", discard: true })
      return any
    }).pipe(
      Effect.uninterruptible,
      Effect.catchCause((cause) => Effect.as(Effect.logDebug("e-mail pauses", cause), false))
    )
    const next = Effect.flatMap(step, (any) =>
      any ? Effect.void : Effect.raceFirst(awake.await, Effect.sleep(lookEveryMs)))
    return yield* Effect.forever(next)
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
