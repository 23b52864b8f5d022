/**
 * The events that an organization can subscribe to. This file has no imports, so that listing them does not load
 * Effect.
 */
export const eventNames = [
  "scan.completed",
  "sov.dropped",
  "mention.detected",
  "competitor.overtake",
  "archive.anchored",
  "competitor.suggested",
  "platform.changed",
  "scan.failed",
  "fact.contradicted",
  "experiment.ended"
] as const

/** The default events of an endpoint: the ones that interest the people who work for a brand. */
export const defaultEventNames = [
  "scan.completed",
  "sov.dropped",
  "mention.detected",
  "competitor.overtake"
] as const satisfies ReadonlyArray<(typeof eventNames)[number]>
