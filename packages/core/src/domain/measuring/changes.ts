/** Differences between two measurements of the same answers. */
import type { Reading } from "./Measurement.ts"

/**
 * How the measurement of one answer changed: the brand was `gained` or `lost`, other values changed (`otherwise`),
 * nothing changed (`none`), or this is the `first` measurement.
 */
export type ReadingChange = "gained" | "lost" | "otherwise" | "none" | "first"

/** Compares two measurements of one answer; `before` is null if it was never measured. */
export const classifyChange = (before: Reading | null, after: Reading): ReadingChange =>
  before === null
    ? "first"
    : before.brandMentioned !== after.brandMentioned
    ? (after.brandMentioned ? "gained" : "lost")
    : before.mentionCount === after.mentionCount && before.sentiment === after.sentiment &&
        before.sovScore === after.sovScore
    ? "none"
    : "otherwise"

/** The changes of many answers, added up. Answers that were never measured before count only in `first`. */
export interface ChangeTally {
  readonly answers: number
  readonly mentions: { readonly before: number; readonly after: number }
  /** Number of answers that name the brand. */
  readonly named: { readonly before: number; readonly after: number }
  readonly changes: { readonly [K in ReadingChange]: number }
}

/** The tally for zero answers. */
export const noChanges: ChangeTally = {
  answers: 0,
  mentions: { before: 0, after: 0 },
  named: { before: 0, after: 0 },
  changes: { gained: 0, lost: 0, otherwise: 0, none: 0, first: 0 }
}

const addToPair = (pair: ChangeTally["named"], before: number, after: number) => ({
  before: pair.before + before,
  after: pair.after + after
})

/** Adds one answer to the tally. */
export const addToTally = (tally: ChangeTally, before: Reading | null, after: Reading): ChangeTally => {
  const change = classifyChange(before, after)
  const changes = { ...tally.changes, [change]: tally.changes[change] + 1 }
  if (before === null) return { ...tally, changes }
  return {
    answers: tally.answers + 1,
    mentions: addToPair(tally.mentions, before.mentionCount, after.mentionCount),
    named: addToPair(tally.named, Number(before.brandMentioned), Number(after.brandMentioned)),
    changes
  }
}
