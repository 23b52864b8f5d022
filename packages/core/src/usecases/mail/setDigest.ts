import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { digestCron, type DigestSetting } from "../../domain/mail/digest.ts"
import { nextRuns } from "../../domain/schedules/Schedule.ts"
import { formatNewWork } from "../../domain/workers/NewWork.ts"
import { DigestStore } from "../../ports/DigestStore.ts"
import { Notifications, workChannel } from "../../ports/Notifications.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound } from "../errors.ts"
import { now } from "../now.ts"

const off: DigestSetting = { enabled: false, nextAt: null }

/** The weekly digest setting, with the time of the next digest. */
export const readDigestSetting = Effect.fn("readDigestSetting")(function*(organizationId: OrganizationId) {
  return (yield* (yield* DigestStore).find(organizationId)) ?? off
})

/**
 * Enables or disables the weekly digest and returns the setting. Enabling it again does not postpone the next digest.
 */
export const setDigest = Effect.fn("setDigest")(function*(organizationId: OrganizationId, enabled: boolean) {
  const organization = yield* (yield* OrganizationStore).find(organizationId)
  if (organization === null) return yield* new NotFound({ what: "organization", id: organizationId })
  const store = yield* DigestStore
  const set = Effect.gen(function*() {
    const before = (yield* store.lock(organizationId)) ?? off
    if (before.enabled === enabled) return { before, after: before }
    const next = nextRuns({ cron: digestCron, timeZone: organization.timeZone }, yield* now, 1)[0] ?? null
    const after: DigestSetting = enabled ? { enabled: next !== null, nextAt: next } : off
    yield* store.save(organizationId, after)
    yield* (yield* Notifications).send(workChannel, formatNewWork({ of: "schedules" }))
    return { before, after }
  })
  const { after } = yield* runActs(
    organizationId,
    set,
    ({ after, before }) =>
      after.enabled === before.enabled
        ? []
        : [{ action: "digest.changed", subjectId: organizationId, detail: { enabled: after.enabled } }]
  )
  return after
})
