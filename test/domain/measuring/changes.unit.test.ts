/** How two measurements of the same answers differ, counted. */
import { addToTally, classifyChange, noChanges, type Reading } from "@sov/core"
import { expect, it } from "vitest"

const reading = (mentionCount: number, fields: Partial<Reading> = {}): Reading => ({
  brandMentioned: mentionCount > 0,
  mentionCount,
  sentiment: mentionCount > 0 ? "neutral" : null,
  sovScore: mentionCount > 0 ? 50 : 0,
  ...fields
})

it.each([
  ["first", null, reading(1)],
  ["gained", reading(0), reading(2)],
  ["lost", reading(2), reading(0)],
  ["none", reading(2), reading(2)],
  ["none", reading(0), reading(0)],
  ["otherwise", reading(1), reading(2)],
  ["otherwise", reading(1), reading(1, { sentiment: "positive" })],
  ["otherwise", reading(1), reading(1, { sovScore: 100 })]
])(
  "the change between two measurements is classified as %s",
  (change, before, after) => expect(classifyChange(before, after)).toBe(change)
)

it("a tally adds answers up, and leaves unmeasured answers out of both sides", () => {
  const pairs = [[reading(0), reading(2)], [reading(3), reading(0)], [reading(1), reading(4)], [
    null,
    reading(9)
  ]] as const
  expect(pairs.reduce((tally, [before, after]) => addToTally(tally, before, after), noChanges)).toEqual({
    answers: 3,
    mentions: { before: 4, after: 6 },
    named: { before: 2, after: 2 },
    changes: { gained: 1, lost: 1, otherwise: 1, none: 0, first: 1 }
  })
})
