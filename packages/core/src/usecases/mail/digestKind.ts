/** Queues the weekly digests that are due: one per recipient and week, however many processes run. */
import { Effect } from "effect"
import { EventId, type OrganizationId } from "../../domain/ids.ts"
import { digestCron, renderDigest, weekOf } from "../../domain/mail/digest.ts"
import { dueRun } from "../../domain/schedules/Schedule.ts"
import { formatNewWork } from "../../domain/workers/NewWork.ts"
import { DigestStore } from "../../ports/DigestStore.ts"
import { Notifications, workChannel } from "../../ports/Notifications.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { lookAhead } from "../schedules/scheduleKind.ts"
import { makeErrandKind, runErrands } from "../workers/makeErrandKind.ts"
import { readDigest } from "./readDigest.ts"

/** Queues the organization's digest if it is still due, and schedules the next one, in one transaction. */
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
    if (queued > 0) yield* (yield* Notifications).send(workChannel, formatNewWork({ of: "mail" }))
  }))
})

/** Queues the weekly digests. A digest that could not be queued for a day is dropped. */
export const makeDigestKind = (stays: boolean) =>
  makeErrandKind({
    name: "the digest",
    of: "schedules",
    look: DigestStore.use(({ listDue }) => lookAhead(stays, listDue)),
    run: ({ organizationId }) => Effect.as(runDueDigest(organizationId), null),
    retryMs: 30_000
  })

/** Queues the digests of all organizations that are due now. */
export const runDigests = Effect.fn("runDigests")(() => runErrands(makeDigestKind(true)))
