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

it("a change that does not open the gate by itself is marked when another name opens it, in both directions", () => {
  const random = makeRandom(2)
  const marked = new Map<string, number>()
  for (let world = 0; world < 400; world++) {
    const level = 0.2 + 0.6 * random()
    const moved = Math.min(1, Math.max(0, level + (random() < 0.5 ? -0.3 : 0.3)))
    const brand = [level, level, moved].map((one) => Array.from({ length: 40 }, () => random() < one))
    // The answers without the brand name nobody, or in the newest scan a competitor: the brand's shares stay the same
    const scansWith = (competitors: typeof rivals) =>
      brand.map((scan, s) =>
        groupIntoCells(scan.map((brandMentioned, n) => ({
          ...row(n >> 1, "", n % 2 === 0 ? "assistant_a" : "assistant_b"),
          brandMentioned,
          competitorsMentioned: brandMentioned || s < 2 ? [] : competitors
        })))
      )
    const [quiet, loud] = [scansWith([]), scansWith(rivals.slice(0, 1))].map((scans) => {
      const trend = findTrend(scans, rivals)!
      expect(trend).toEqual(findMovements(scans, rivals)!.trend)
      return trend
    })
    expect({ ...loud, direction: null }).toEqual({ ...quiet, direction: null })
    if (quiet!.direction !== loud!.direction) marked.set(loud!.direction, 1 + (marked.get(loud!.direction) ?? 0))
  }
  expect(marked.get("up")).toBeGreaterThan(0)
  expect(marked.get("down")).toBeGreaterThan(0)
  expect(marked.get("flat")).toBeUndefined()
})
