import { findMovements, findTrend, groupIntoCells } from "@sov/core"
import { expect, it } from "vitest"
import { rivals, row } from "./support.ts"

/** Random numbers, the same in each run. */
const makeRandom = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32
  return seed / 2 ** 32
}

it("the trend found alone is the trend found with all other changes, also where these decide whether it is marked", () => {
  const random = makeRandom(1)
  const directions = new Set<string>()
  for (let world = 0; world < 400; world++) {
    const scanOf = (level: number) =>
      groupIntoCells(
        Array.from({ length: 40 }, (_, n) => ({
          ...row(n >> 1, "", n % 2 === 0 ? "assistant_a" : "assistant_b"),
          brandMentioned: random() < level,
          competitorsMentioned: rivals.filter(() => random() < 0.3)
        }))
      )
    const level = random()
    const scans = [scanOf(level), scanOf(level), scanOf(Math.min(1, level + 0.4 * random()))]
    const trend = findTrend(scans, rivals)
    expect(trend).toEqual(findMovements(scans, rivals)?.trend ?? null)
    directions.add(trend!.direction)
  }
  expect([...directions].toSorted()).toEqual(["flat", "up"])
})
