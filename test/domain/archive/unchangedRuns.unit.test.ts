// Only with SOV_LONG_TESTS: needs recorded answers, which are not part of this project
/** Re-runs of the recorded markets, between which nothing changed: hardly a cell is called changed. */
import { isBeyondNoise, measureDistance, type Samples, type ScoredCell } from "@sov/core"
import { expect, it } from "vitest"
import { markets, recorded } from "../../support/recordedMarkets.ts"

const namesOf = ({ rows }: ScoredCell): Samples => rows.map((row) => new Set<string>(row.competitorsMentioned))

const pairDistances = (before: ReadonlyArray<ScoredCell>, after: ReadonlyArray<ScoredCell>) =>
  after.flatMap((cell) => {
    const earlier = before.find(({ keywordId, platform }) => keywordId === cell.keywordId && platform === cell.platform)
    return earlier === undefined ? [] : [measureDistance(namesOf(earlier), namesOf(cell))]
  })

it.skipIf(recorded === "")("at most 5 % of the cells of unchanged runs are called changed", () => {
  const called = { earlier: 0, others: 0 }
  let cells = 0
  for (const { runs: [first, second, third] } of markets()) {
    const [then, now] = [pairDistances(first!, second!), pairDistances(second!, third!)]
    cells += now.length
    called.earlier += now.filter((distance) => isBeyondNoise(distance, then)).length
    called.others += now.filter((distance, i) => isBeyondNoise(distance, now.filter((_, other) => other !== i))).length
  }
  console.log(JSON.stringify({ cells, ...called }))
  expect(cells).toBeGreaterThan(200)
  expect(called.earlier / cells).toBeLessThanOrEqual(0.05)
  expect(called.others / cells).toBeLessThanOrEqual(0.05)
})
