/** How long rows beside the archive are kept. Answers, measurements, scores, seals and charges have no limit. */

/** What has a limit, in the order in which it is removed: events go after their deliveries. */
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

/** Days for which rows of each kind are kept after they have ended. */
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

/** Migration 65 refuses to remove a younger row of an append-only table. */
const guardedDays = 28
/** Of what names a removed recipient: with the day between two turns it is gone within 30 days. */
const removedRecipientDays = 29

/** The fewest days that can be set: a key has to outlive the requests that repeat it, for a day. */
export const leastRetention = (kind: RetainedKind): number => kind === "idempotency_keys" ? 1 : guardedDays + 1
export const mostRetention = 36_500

/** What ended before this moment goes. */
export interface RetentionCut {
  readonly before: Date
  /** Of what names a recipient who was removed. */
  readonly removedBefore: Date
  /** Of deliveries, which go before their events. */
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
