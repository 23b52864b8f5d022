/** Queues the weekly digests that are due: one for each recipient and week, however many processes try. */
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
    if (queued > 0) yield* (yield* Notifications).send(workChannel, formatNewWork({ of: "mail" }))
  }))
})

/** Digests that one call queues at most: whoever calls has other work between them. */
const maxDigests = 20
/** The wait after a digest that could not be made. */
const retryMs = 30_000
/**
 * When the digest of an organization is tried again that could not be made last time: a warning is logged once for
 * each.
 */
export type FailingDigests = Map<OrganizationId, Date>

/**
 * Queues digests that are due, of all organizations, the longest due first and at most `maxDigests`, and returns when
 * to call it again; null = none is to come. One that fails waits, and holds up no other. A digest that nobody could
 * queue for a day is not sent any more. Interruptible between two of them.
 */
export const runDigests = Effect.fn("runDigests")(function*(failing: FailingDigests = new Map()) {
  const digests = yield* DigestStore
  const at = yield* now
  const due = new Set(yield* digests.listDue(at))
  // Another process has made it, or it was switched off
  for (const organizationId of failing.keys()) if (!due.has(organizationId)) failing.delete(organizationId)
  const ready = [...due].filter((organizationId) => (failing.get(organizationId) ?? at) <= at)
  for (const organizationId of ready.slice(0, maxDigests)) {
    yield* Effect.interruptible(Effect.yieldNow)
    yield* runDueDigest(organizationId).pipe(
      Effect.andThen(Effect.sync(() => void failing.delete(organizationId))),
      Effect.catchCause((cause) => {
        const warned = failing.has(organizationId)
        failing.set(organizationId, new Date(at.getTime() + retryMs))
        const line = `the digest of organization ${organizationId} cannot be made and is tried again`
        return warned ? Effect.logDebug(line, cause) : Effect.logWarning(line, cause)
      })
    )
  }
  if (ready.length > maxDigests) return at
  const next = yield* digests.findNextAfter(at)
  const times = [...next === null ? [] : [next], ...failing.values()].map((time) => time.getTime())
  return times.length === 0 ? null : new Date(Math.min(...times))
})
