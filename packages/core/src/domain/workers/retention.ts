/**
 * Decides how long rows outside the archive are kept. Answers, measurements, scores, seals and charges have no limit.
 */

/** Kinds of rows with a limit, in the order in which they are removed: events are removed after their deliveries. */
export const retainedKinds = [
  "mail",
  "deliveries",
  "events",
  "alert_memory",
  "audit",
  "schedule_runs",
  "digests",
  "share_links",
  "idempotency_keys"
] as const
export type RetainedKind = typeof retainedKinds[number]

/** Number of days for which rows of each kind are kept after they have ended. */
export type Retention = { readonly [kind in RetainedKind]: number }

export const defaultRetention: Retention = {
  mail: 90,
  deliveries: 90,
  events: 90,
  alert_memory: 400,
  audit: 730,
  schedule_runs: 400,
  digests: 400,
  share_links: 90,
  idempotency_keys: 1
}

/** Migration 65 refuses to remove rows of append-only tables that are younger than this. */
const guardedDays = 28
/**
 * The limit for rows that name a removed recipient: with the day between two upkeep runs, they are removed within 30
 * days.
 */
const removedRecipientDays = 29

/**
 * Minimum number of days that can be set. Idempotency keys need one day, because they must outlive the requests that
 * repeat them.
 */
export const minRetention = (kind: RetainedKind): number => kind === "idempotency_keys" ? 1 : guardedDays + 1
export const maxRetention = 36_500

/** Rows that ended before these moments are removed. */
export interface RetentionCut {
  readonly before: Date
  /** The moment for rows that name a removed recipient. */
  readonly removedBefore: Date
  /** The moment for deliveries, which are removed before their events. */
  readonly deliveriesBefore: Date
}

export const cutOf = (kind: RetainedKind, retention: Retention, now: Date): RetentionCut => {
  const back = (days: number) => new Date(now.getTime() - days * 86_400_000)
  return {
    before: back(retention[kind]),
    removedBefore: back(Math.min(retention[kind], removedRecipientDays)),
    deliveriesBefore: back(retention.deliveries)
  }
}
