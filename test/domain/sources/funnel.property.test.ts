/** The funnel: each step is a part of the step before, and its intervals cover the rate of other questions. */
import { formFunnel, type FunnelRow, type FunnelStep, type KeywordId, platformIds, type ScanId } from "@sov/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { propertyRuns } from "../../support/propertyRuns.ts"
import { seededRandom } from "../../support/seededRandom.ts"
import { keywordId } from "../scoring/support.ts"

const rowOf = (more: Partial<FunnelRow>): FunnelRow => ({
  platform: "assistant_a",
  keywordId: keywordId(1),
  scanId: "s1" as ScanId,
  brandMentioned: false,
  competitorsMentioned: [],
  reports: true,
  unread: false,
  searched: true,
  cited: [],
  domains: new Set(),
  pages: new Set(),
  ownCited: false,
  ownRetrieved: false,
  ownTied: false,
  namedFirst: false,
  ...more
})

const anyRow = fc.record({
  platform: fc.constantFrom(...platformIds.slice(0, 3)),
  keywordId: fc.integer({ min: 1, max: 6 }).map((n): KeywordId => keywordId(n)),
  reports: fc.boolean(),
  ownRetrieved: fc.constantFrom(true, false, null),
  ownTied: fc.boolean(),
  brandMentioned: fc.boolean(),
  namedFirst: fc.boolean()
})

describe("the steps of the funnel", () => {
  it("no step has more answers, or a higher rate, than the step before it", () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 60 }), (rows) => {
        const { answers, namedOnly, steps } = formFunnel(rows.map(rowOf))
        for (const [i, { answers: some, interval, rate }] of steps.entries()) {
          expect(some).toBeLessThanOrEqual(steps[i - 1]?.answers ?? answers)
          expect(rate).toBeLessThanOrEqual((steps[i - 1]?.rate ?? 100) + 1e-9)
          if (interval !== null) expect(interval.low <= rate + 1e-9 && rate <= interval.high + 1e-9).toBe(true)
        }
        expect(namedOnly).toBeLessThanOrEqual(answers)
      }),
      { numRuns: propertyRuns(300) }
    )
  })

  it("a platform that does not show the pages it read has no first step, and one without sources has no steps", () => {
    const steps = (more: Partial<FunnelRow>) => formFunnel([rowOf(more)]).steps.map(({ step }) => step)
    expect(steps({})).toEqual(["retrieved", "cited", "named", "named_first"])
    expect(steps({ ownRetrieved: null, ownTied: true })).toEqual(["cited", "named", "named_first"])
    expect(steps({ reports: false })).toEqual([])
  })

  it("if some platforms show the pages they read, platforms that do not are not counted", () => {
    const funnel = formFunnel([
      rowOf({ ownRetrieved: true }),
      rowOf({ platform: "assistant_b", ownRetrieved: null, ownTied: true }),
      rowOf({ platform: "assistant_c", reports: false, brandMentioned: true })
    ])
    expect(funnel).toMatchObject({ platforms: ["assistant_a"], answers: 1, namedOnly: 0 })
  })
})

it("95 % intervals cover the rates of other questions in at least 93 % of simulated worlds, at every step", () => {
  const [questions, platforms, scans, worlds] = [24, 2, 3, propertyRuns(150)]
  const chance = (logit: number) => 1 / (1 + Math.exp(-logit))
  const answer = (random: () => number, own: ReadonlyArray<number>): Partial<FunnelRow> => {
    const ownRetrieved = random() < chance(own[0]!)
    const ownTied = ownRetrieved && random() < chance(own[1]!)
    const brandMentioned = random() < chance(own[2]! + Number(ownTied))
    return { ownRetrieved, ownTied, brandMentioned, namedFirst: brandMentioned && random() < 0.5 }
  }
  const draw = (seed: number, count: number, times: number): ReadonlyArray<FunnelStep> => {
    const random = seededRandom(seed)
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    const rows = Array.from({ length: count }, (_, k) => {
      const question = [-0.4 + normal(), 0.2 + normal(), 0.3 + normal()]
      return platformIds.slice(0, platforms).flatMap((platform, p) => {
        const cell = question.map((one) => one + 0.3 * p + 0.5 * normal())
        return Array.from(
          { length: times },
          () => rowOf({ platform, keywordId: keywordId(k + 1), ...answer(random, cell) })
        )
      })
    })
    return formFunnel(rows.flat()).steps
  }
  const truth = draw(7, 20_000, 1).map(({ rate }) => rate)
  const covered = truth.map(() => 0)
  for (let world = 0; world < worlds; world++) {
    for (const [i, { interval }] of draw(1000 + world, questions, scans).entries()) {
      if (interval!.low <= truth[i]! && truth[i]! <= interval!.high) covered[i]!++
    }
  }
  // Of a true 95 %, 93 % less two standard errors
  const least = 0.93 - 2 * Math.sqrt(0.95 * 0.05 / worlds)
  for (const count of covered) expect(count / worlds).toBeGreaterThanOrEqual(least)
})
