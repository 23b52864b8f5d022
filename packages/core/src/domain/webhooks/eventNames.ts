/** The events that an organization can subscribe to. Without imports: what lists them need not load Effect. */
export const eventNames = [
  "scan.completed",
  "sov.dropped",
  "mention.detected",
  "competitor.overtake",
  "archive.anchored",
  "competitor.suggested",
  "platform.changed"
] as const
