/** Changes that the operator makes to an organization. Every server applies them from the next request on. */
import { Effect } from "effect"
import type { Act } from "../../domain/audit/AuditEntry.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { digestCron } from "../../domain/mail/digest.ts"
import { maxRequestRate, maxSuspensionReason, type Organization } from "../../domain/organizations/Organization.ts"
import { nextRuns, parseTimeZone } from "../../domain/schedules/Schedule.ts"
import { DigestStore } from "../../ports/DigestStore.ts"
import { type OrganizationLimits, OrganizationStore } from "../../ports/OrganizationStore.ts"
import { changeAndNotify } from "../access/keyCacheInvalidation.ts"
import { recordActs } from "../audit/recordActs.ts"
import { ChangedMeanwhile, NotFound, Rejected } from "../errors.ts"
import { now } from "../now.ts"

/**
 * Runs `change` in the caller's transaction, records its act unless it is null, and returns the changed organization.
 * Fails with NotFound.
 */
const editJoined = <E, R>(
  id: OrganizationId,
  change: (before: Organization) => Effect.Effect<Act | null, E, R>
) =>
  Effect.gen(function*() {
    const store = yield* OrganizationStore
    yield* store.lock(id)
    const missing = new NotFound({ what: "organization", id })
    const before = (yield* store.find(id)) ?? (yield* missing)
    const act = yield* change(before)
    if (act === null) return before
    yield* recordActs(id, [act])
    return (yield* store.find(id)) ?? (yield* missing)
  })

/** Like `editJoined`, in a separate transaction; every server is notified at its end. */
const edit = <E, R>(...args: Parameters<typeof editJoined<E, R>>) => changeAndNotify(editJoined(...args))

/**
 * Changes the name; the short name and the addresses with it stay the same. Fails with NotFound or OrganizationExists.
 */
export const renameOrganization = Effect.fn("renameOrganization")(function*(id: OrganizationId, name: string) {
  const store = yield* OrganizationStore
  return yield* edit(id, (before) =>
    before.name === name ? Effect.succeed(null) : Effect.as(store.rename(id, name), {
      action: "organization.renamed" as const,
      subjectId: id,
      detail: { name, before: before.name }
    }))
})

/**
 * Changes the time zone in which pages, e-mails and reports show times. The next weekly digest is due at its hour in
 * the new zone; a schedule keeps its own zone. Fails with NotFound, with Rejected for a text that names no zone, and
 * with ChangedMeanwhile if the present zone is not the expected one.
 */
export const setTimeZone = Effect.fn("setTimeZone")(function*(
  id: OrganizationId,
  text: string,
  isExpected: (before: string) => boolean = () => true
) {
  const timeZone = yield* Effect.mapError(
    Effect.fromResult(parseTimeZone(text)),
    ({ message }) => new Rejected({ field: "time_zone", message })
  )
  const [store, digests] = yield* Effect.all([OrganizationStore, DigestStore])
  return yield* edit(id, (before) =>
    before.timeZone === timeZone ? Effect.succeed(null) : Effect.gen(function*() {
      if (!isExpected(before.timeZone)) return yield* new ChangedMeanwhile()
      yield* store.setTimeZone(id, timeZone)
      const digest = yield* digests.lock(id)
      const next = nextRuns({ cron: digestCron, timeZone }, yield* now, 1)[0]
      if (digest?.enabled === true && next !== undefined) yield* digests.save(id, { enabled: true, nextAt: next })
      const detail = { time_zone: timeZone, before: before.timeZone }
      return { action: "organization.time_zone_changed" as const, subjectId: id, detail }
    }))
})

/**
 * Suspends the organization: it can still read data, but starts no scans, and open questions of running scans fail.
 * Suspending it again keeps the date and replaces the reason. Fails with NotFound, or with Rejected for a reason that
 * is too long.
 */
export const suspendOrganization = Effect.fn("suspendOrganization")(
  function*(id: OrganizationId, reason: string | null) {
    if (reason !== null && (reason.length > maxSuspensionReason || /[\p{Cc}\p{Cs}]/u.test(reason))) {
      const message = `the reason may have ${maxSuspensionReason} characters and no control characters`
      return yield* new Rejected({ field: "reason", message })
    }
    const store = yield* OrganizationStore
    const at = yield* now
    return yield* edit(id, ({ suspendedAt, suspendedFor }) =>
      suspendedAt !== null && suspendedFor === reason
        ? Effect.succeed(null)
        : Effect.as(store.setSuspension(id, { at: suspendedAt ?? at, reason }), {
          action: "organization.suspended" as const,
          subjectId: id,
          detail: { reason }
        }))
  }
)

/** Ends the suspension. Fails with NotFound. */
export const resumeOrganization = Effect.fn("resumeOrganization")(function*(id: OrganizationId) {
  const store = yield* OrganizationStore
  return yield* edit(
    id,
    ({ suspendedAt }) =>
      suspendedAt === null ? Effect.succeed(null) : Effect.as(store.setSuspension(id, null), {
        action: "organization.resumed" as const,
        subjectId: id,
        detail: {}
      })
  )
})

const limitsJson = ({ monthlyBudgetUsd, requestRate }: OrganizationLimits) => ({
  request_rate: requestRate,
  monthly_budget_usd: monthlyBudgetUsd
})

/** Like `setOrganizationLimits`, in the caller's transaction, for a new organization that no server has cached. */
export const setFirstLimits = Effect.fnUntraced(
  function*(id: OrganizationId, given: Partial<OrganizationLimits>) {
    const { monthlyBudgetUsd: budget = null, requestRate: rate = null } = given
    if (rate !== null && !(Number.isInteger(rate) && rate >= 1 && rate <= maxRequestRate)) {
      const message = `the limit must be a whole number from 1 to ${maxRequestRate}`
      return yield* new Rejected({ field: "requests_per_minute", message })
    }
    if (budget !== null && !(Number.isFinite(budget) && budget >= 0)) {
      const message = "the budget must be a number of US dollars, 0 or more"
      return yield* new Rejected({ field: "monthly_budget_usd", message })
    }
    const store = yield* OrganizationStore
    return yield* editJoined(id, (organization) => {
      const before = { requestRate: organization.requestRate, monthlyBudgetUsd: organization.monthlyBudgetUsd }
      const limits = { ...before, ...given }
      return limits.requestRate === before.requestRate && limits.monthlyBudgetUsd === before.monthlyBudgetUsd
        ? Effect.succeed(null)
        : Effect.as(store.setLimits(id, limits), {
          action: "limits.changed" as const,
          subjectId: id,
          detail: { ...limitsJson(limits), before: limitsJson(before) }
        })
    })
  }
)

/** Sets the given limits; null removes a limit. Fails with NotFound, or with Rejected for a limit out of range. */
export const setOrganizationLimits = Effect.fn("setOrganizationLimits")(
  function*(id: OrganizationId, given: Partial<OrganizationLimits>) {
    return yield* changeAndNotify(setFirstLimits(id, given))
  }
)
