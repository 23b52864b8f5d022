/**
 * How often rule `new_competitor` tells names where nothing changes, and how soon one that is new. Simulated histories
 * of 30 scans with 10 questions on 5 platforms and 40 untracked names; each is named in a part of the cells that does
 * not change, from 1 in 500 to half of them (evenly drawn on a logarithmic scale), answers independent.
 * `SOV_HISTORIES=200` measures as many histories as docs/alerts.md shows; the suite takes fewer.
 */
import { falseAlarms } from "@sov/core"
import { describe, expect, it } from "vitest"
import { seededRandom } from "../../support/seededRandom.ts"
import { type Named, newCompetitor, toldNames, upTo } from "./newcomers.ts"

const histories = Number(process.env["SOV_HISTORIES"] ?? 6)
const full = histories >= 200
const cells = upTo(50)

const named = (draw: () => number, rate: number): ReadonlyArray<number> => cells.filter(() => draw() < rate)

const market = (draw: () => number, names: number): ReadonlyArray<number> =>
  Array.from({ length: names }, () => 0.002 * 250 ** draw())

const scanIn = (draw: () => number, rates: ReadonlyArray<number>): Named =>
  Object.fromEntries(rates.map((rate, n) => [`name-${n}`, named(draw, rate)]))

const sensitivities = ["immediate", "confirmed"] as const

describe.each(sensitivities)("%s", (sensitivity) => {
  const course = { rule: newCompetitor(sensitivity), asked: cells }

  it("the rule raises about as few alerts as the settings promise if nothing changes", () => {
    let alerts = 0
    for (let n = 0; n < histories; n++) {
      const draw = seededRandom(n + 1)
      const rates = market(draw, 40)
      const told = toldNames(upTo(30).map(() => scanIn(draw, rates)), course)
      alerts += told.filter((names) => names.length > 0).length
    }
    if (full) console.log(`${sensitivity}: ${alerts / histories} alerts in 30 scans`)
    const [{ [sensitivity]: expected }] = falseAlarms.new_competitor as unknown as [Record<typeof sensitivity, number>]
    expect(alerts / histories).toBeLessThanOrEqual(1.25 * expected + (full ? 0 : 4 / histories))
  })

  it("the rule reports a name within 3 scans after a fifth of the cells begin to name it", () => {
    const within = [0, 0, 0, 0]
    for (const rate of [0.1, 0.2, 0.4]) {
      within.fill(0)
      for (let n = 0; n < histories; n++) {
        const draw = seededRandom(1000 + n)
        const history = upTo(9).map((scan) => ({ planted: scan < 5 ? [] : named(draw, rate) }))
        const at = toldNames(history, course).findIndex((names) => names.length > 0) - 5
        within.forEach((_, scans) => {
          if (at >= 0 && at <= scans) within[scans]!++
        })
      }
      if (full) console.log(`${sensitivity}: named in ${rate} of the cells, told within 1, 2, 3, 4 scans`, within)
      if (rate === 0.2) expect(within[2]).toBe(histories)
    }
  })
})
