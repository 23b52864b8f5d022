/** Shares of sentiment: counts, and how often their intervals hold the truth in simulated answers. */
import { estimateSentiments, type JudgedRow, type KeywordId, makeRandom } from "@sov/core"
import { expect, it } from "vitest"

const row = (topic: number, sentiment: JudgedRow["sentiment"], question = 0): JudgedRow => ({
  keywordId: `${topic} ${question}` as KeywordId,
  topic: String(topic),
  sentiment
})

it("an answer that is not judged counts in no share, and a single topic has no interval", () => {
  const found = estimateSentiments([row(0, "positive"), row(0, "negative"), row(0, null), row(1, null)])
  expect(found).toMatchObject({ named: 4, judged: 2 })
  expect(found.shares.map(({ answers, interval, value }) => [answers, value, interval])).toEqual([
    [1, 50, null],
    [0, 0, null],
    [1, 50, null]
  ])
  expect(estimateSentiments([]).shares[0]).toEqual({ sentiment: "positive", answers: 0, value: null, interval: null })
})

it("the interval of one answer with a sentiment is never narrower than that of zero answers", () => {
  for (const topics of [2, 3, 5, 10, 40]) {
    for (const answers of [1, 3, 10]) {
      const rows = (bad: number) =>
        Array.from({ length: topics * answers }, (_, i) => row(i % topics, i < bad ? "negative" : "positive"))
      const [none, one] = [0, 1].map((bad) => estimateSentiments(rows(bad)).shares[2]!.interval!)
      expect(one!.high - one!.low).toBeGreaterThanOrEqual(none!.high - none!.low)
      expect(one!.high).toBeGreaterThanOrEqual(none!.high)
    }
  }
})

/** Topics whose share of the sentiment is `share` on average: all alike (`spread` 0) to all or nothing (1). */
const simulate = (random: () => number, topics: number, share: number, spread: number) =>
  Array.from({ length: topics }, (_, topic) => {
    const own = random() < spread ? Number(random() < share) : share
    // How often a topic's answers name the brand differs, and tells nothing of its sentiment
    return Array.from(
      { length: 1 + Math.floor(random() * 8) },
      () => row(topic, random() < own ? "negative" : "positive")
    )
  }).flat()

it("the 95 % interval covers the true share in 95 of 100 simulated scans on average, and never in fewer than 90", () => {
  const random = makeRandom(4)
  const rounds = 250
  const coverage = [4, 8, 15, 30].flatMap((topics) =>
    [0.03, 0.1, 0.3, 0.6, 0.9].flatMap((share) =>
      [0, 0.3, 0.7].map((spread) => {
        const intervals = Array.from(
          { length: rounds },
          () => estimateSentiments(simulate(random, topics, share, spread)).shares[2]!.interval
        ).filter((interval) => interval !== null)
        const held = intervals.filter(({ high, low }) => low <= 100 * share && 100 * share <= high).length
        return { topics, share, spread, held: held / intervals.length }
      })
    )
  )
  const worst = coverage.toSorted((a, b) => a.held - b.held)
  expect(worst[0]!.held, JSON.stringify(worst.slice(0, 6))).toBeGreaterThanOrEqual(0.9)
  expect(coverage.reduce((total, { held }) => total + held, 0) / coverage.length).toBeGreaterThanOrEqual(0.95)
})
