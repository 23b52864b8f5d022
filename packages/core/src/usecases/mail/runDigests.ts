/** Queues the weekly digests that are due: one for each recipient and week, however many processes try. */
import { Effect } from "effect"
import { EventId, type OrganizationId } from "../../domain/ids.ts"
import { digestCron, renderDigest, weekOf } from "../../domain/mail/digest.ts"
import { dueRun } from "../../domain/schedules/Schedule.ts"
import { DigestStore } from "../../ports/DigestStore.ts"
import { Notifications, workChannel } from "../../ports/Notifications.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { readDigest } from "./readDigest.ts"

/** Queues the organization's digest, if it still is due, and sets when the next one is, in one transaction. */
const runDueDigest = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const digests = yield* DigestStore
  const { run } = yield* Transaction
  yield* run(Effect.gen(function*() {
    const at = yield* now
    const setting = yield* digests.lock(organizationId)
    if (setting === null || setting.nextAt === null || setting.nextAt > at) return
    const { timeZone } = (yield* (yield* OrganizationStore).find(organizationId))!
    const due = dueRun({ cron: digestCron, timeZone }, setting.nextAt, at)
    yield* digests.save(organizationId, { enabled: due.nextAt !== null, nextAt: due.nextAt })
    if (due.tooLate) {
      return yield* Effect.logWarning(
        `the digest of organization ${organizationId} skips ${due.at.toISOString()}: no worker was there to send it in time`
      )
    }
    const content = renderDigest(yield* readDigest(organizationId, due.at))
    const mail = { ...content, id: yield* newId(EventId), createdAt: at }
    const queued = yield* digests.enqueue(organizationId, weekOf(due.at, timeZone), mail)
    if (queued > 0) yield* (yield* Notifications).send(workChannel, "")
  }))
})

/**
 * Queues every digest that is due, of all organizations, and returns when the next one is; null = none is to come. One that
 * fails is tried again with the next call. A digest that nobody could queue for a day is not sent any more.
 */
export const runDigests = Effect.fn("runDigests")(function*() {
  const digests = yield* DigestStore
  const at = yield* now
  for (const organizationId of yield* digests.listDue(at)) {
    yield* runDueDigest(organizationId).pipe(
      Effect.catchCause((cause) =>
        Effect.logWarning(`the digest of organization ${organizationId} cannot be made and is tried again`, cause)
      )
    )
  }
  return yield* digests.findNextAfter(at)
})
