/**
 * How often alerts come where nothing changes, and how soon where something does: simulated histories of 30 scans,
 * compared with the table below, which was measured while the gate was chosen. `SOV_HISTORIES=200` measures as many
 * histories as the table; the suite takes fewer. The simulated market: five platforms, four rivals, mention
 * probabilities drawn from Beta(1, 1.5), answers independent.
 */
import {
  type AlertMemory,
  type AlertRule,
  type ComparableScan,
  type CompetitorId,
  evaluateAlerts,
  type KeywordId,
  type PlatformId,
  platformIds
} from "@sov/core"
import { describe, expect, it } from "vitest"
import { keywordId } from "../scoring/support.ts"
import { nobodyElse, nothingKnown, rivals, scanFrom } from "./support.ts"

const histories = Number(process.env["SOV_HISTORIES"] ?? 25)
const full = histories >= 200
const scansOfHistory = 30

type Draw = () => number

/** Draws from 0 to 1, the same for the same seed (Mulberry32). */
const draws = (seed: number): Draw => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const normal = (draw: Draw): number => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw())

/** Marsaglia & Tsang 2000, shape of 1 or more. */
const gamma = (draw: Draw, shape: number): number => {
  const d = shape - 1 / 3
  while (true) {
    const x = normal(draw)
    const v = (1 + x / Math.sqrt(9 * d)) ** 3
    if (v > 0 && Math.log(1 - draw()) < x * x / 2 + d - d * v + d * Math.log(v)) return d * v
  }
}

/** Beta(1, 1.5) */
const probability = (draw: Draw): number => {
  const x = gamma(draw, 1)
  return x / (x + gamma(draw, 1.5))
}

interface MarketCell {
  readonly platform: PlatformId
  readonly keywordId: KeywordId
  readonly brand: number
  readonly rivals: ReadonlyArray<number>
}

const market = (draw: Draw, keywords: number): ReadonlyArray<MarketCell> =>
  platformIds.flatMap((platform) =>
    Array.from({ length: keywords }, (_, k) => ({
      platform,
      keywordId: keywordId(k),
      brand: probability(draw),
      rivals: rivals.map(() => probability(draw))
    }))
  )

/** A scan in which the brand is named `factor` times as often. */
const scanIn = (draw: Draw, cells: ReadonlyArray<MarketCell>, factor = 1): ComparableScan =>
  scanFrom(cells.map((cell) => ({
    platform: cell.platform,
    keywordId: cell.keywordId,
    brandMentioned: draw() < cell.brand * factor,
    competitorsMentioned: rivals.filter((_, i) => draw() < cell.rivals[i]!)
  })))

/** The share of voice that scans vary around, exactly. */
const truthOf = (cells: ReadonlyArray<MarketCell>): number => {
  let total = 0
  for (const cell of cells) {
    let named = [1]
    for (const q of cell.rivals) {
      named = [...named, 0].map((p, n) => (p ?? 0) * (1 - q) + (named[n - 1] ?? 0) * q)
    }
    total += cell.brand * named.reduce((sum, p, n) => sum + p * 100 / (1 + n), 0)
  }
  return total / cells.length
}

/** In which of the scans the rule raises an alert, and about whom. */
const alertsOf = (rule: AlertRule, scans: ReadonlyArray<ComparableScan>) => {
  let memory: AlertMemory = nothingKnown
  return scans.flatMap((_, i) => {
    const { alerts, remember } = evaluateAlerts({
      rules: [rule],
      memory,
      scans: scans.slice(Math.max(0, i - 4), i + 1),
      competitorNames: new Map(),
      newMentions: [],
      ...nobodyElse,
      labels: { simulated: true }
    })
    memory = { ...nothingKnown, ...Object.fromEntries(remember.map((one) => [one.rule, one.memory])) }
    const about = (alert: typeof alerts[number]): CompetitorId | null =>
      alert.event === "competitor.overtake" ? alert.data.competitor_id : null
    return alerts.map((alert) => ({ scan: i, about: about(alert) }))
  })
}

const sensitivities = ["immediate", "confirmed"] as const
/** Points that the threshold lies below the true share of voice. */
const distances = [0, 3, 8]

/**
 * Means over the histories: false alerts of 30 scans per distance, shares that fired within 1, 2, 3 scans of a fall.
 */
const measure = (keywords: number, sensitivity: typeof sensitivities[number]) => {
  const falseAlerts = distances.map(() => 0)
  const firedWithin = [0, 0, 0]
  let overtakes = 0
  for (let n = 0; n < histories; n++) {
    const draw = draws(n + 1)
    const cells = market(draw, keywords)
    const truth = truthOf(cells)
    const rule = { rule: "sov_drop", enabled: true, sensitivity } as const
    const quiet = Array.from({ length: scansOfHistory }, () => scanIn(draw, cells))
    distances.forEach((distance, i) => {
      falseAlerts[i]! += alertsOf({ ...rule, threshold: truth - distance }, quiet).length
    })
    overtakes += alertsOf({ rule: "competitor_overtake", enabled: true, threshold: null, sensitivity }, quiet)
      .filter(({ about }) => about === rivals[0]).length
    const before = Array.from({ length: 5 }, () => scanIn(draw, cells))
    const after = Array.from({ length: 3 }, () => scanIn(draw, cells, 0.4))
    const fired = alertsOf({ ...rule, threshold: 0.8 * truth }, [...before, ...after]).map(({ scan }) => scan - 5)
    for (let within = 0; within < 3; within++) {
      if (fired.some((scan) => scan >= 0 && scan <= within)) firedWithin[within]!++
    }
  }
  const mean = (total: number) => total / histories
  return { falseAlerts: falseAlerts.map(mean), firedWithin: firedWithin.map(mean), overtakes: mean(overtakes) }
}

/** Measured for `confirmed` over 200 histories: false alerts at 0, 3 and 8 points, fired within 1, 2, 3 scans. */
const table = {
  10: { falseAlerts: [1.3, 0.15, 0], firedWithin: [0.75, 0.97, 0.98] },
  20: { falseAlerts: [1.2, 0.03, 0], firedWithin: [0.96, 1, 1] }
} as const
/** Overtakes by a rival of the same strength in 30 scans of no change. */
const overtakesOfEquals = 0.35

describe.each([10, 20] as const)("%i keywords", (keywords) => {
  const [immediate, confirmed] = sensitivities.map((sensitivity) => measure(keywords, sensitivity))
  // A small seed may be off by a few alerts
  const slack = full ? 0 : 4 / histories

  it("confirmed alerts are false at most 1.25 × as often as the table states", () => {
    if (full) console.log(`${keywords} keywords, ${histories} histories`, JSON.stringify({ immediate, confirmed }))
    table[keywords].falseAlerts.forEach((expected, i) => {
      expect(confirmed!.falseAlerts[i]).toBeLessThanOrEqual(1.25 * expected + slack)
    })
    expect(confirmed!.overtakes).toBeLessThanOrEqual(1.25 * overtakesOfEquals + slack)
  })

  it("a confirmed alert reports a fall as soon as the table states, within 1.25 × its misses or 1 in 25 more", () => {
    table[keywords].firedWithin.forEach((expected, i) => {
      const missed = 1 - confirmed!.firedWithin[i]!
      expect(missed).toBeLessThanOrEqual(Math.max(1.25 * (1 - expected), 1 - expected + 0.04) + slack)
    })
  })

  it("immediate alerts are false several times as often", () => {
    expect(immediate!.falseAlerts[0]).toBeGreaterThan(4 * confirmed!.falseAlerts[0]!)
    expect(immediate!.overtakes).toBeGreaterThan(5 * confirmed!.overtakes)
  })
})
