/**
 * How many alerts real answers give where hardly anything changes: two engines, the same questions asked three times
 * within two days, the three runs as three scans, in each of their six orders. Runs where `SOV_RECORDED_ANSWERS` names
 * a folder with `data/`; prints the table of docs/alerts.md.
 */
import {
  type AlertMemory,
  type AlertRule,
  alertRuleNames,
  type AnswerId,
  averageCells,
  type ComparableScan,
  type CompetitorId,
  competitorShare,
  compileTerms,
  evaluateAlerts,
  groupIntoCells,
  type KeywordId,
  measureWithTerms,
  type NewMention,
  type ScanId,
  type ScoredCell,
  type ScoredRow,
  scoreRow
} from "@sov/core"
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, it } from "vitest"
import { marketAnswers, markets, recorded } from "../support/recordedMarkets.ts"

interface TrackingFile {
  readonly brand: { readonly name: string; readonly aliases: []; readonly domains: [] }
  readonly competitors: ReadonlyArray<{ readonly name: string; readonly aliases: []; readonly domains: [] }>
  readonly keywords: ReadonlyArray<{ readonly text: string }>
}

/** A brand with its competitors, and its scans. */
interface Tracked {
  readonly name: string
  readonly scans: ReadonlyArray<ComparableScan>
}

const scanOf = (
  cells: ReadonlyArray<ScoredCell>,
  competitors: ReadonlyArray<CompetitorId>,
  n: number
): ComparableScan => ({
  scanId: `${n}` as ScanId,
  sov: averageCells(cells, scoreRow)!,
  competitors: new Map(competitors.map((id) => [id, averageCells(cells, competitorShare(id))!])),
  cells
})

/** The four markets that have a tracking set: four questions on two platforms. */
const small = (): ReadonlyArray<Tracked> => {
  const answers = marketAnswers()
  const folder = join(recorded, "data/tracking")
  return readdirSync(folder).sort().map((file) => {
    const { brand, competitors, keywords } = JSON.parse(readFileSync(join(folder, file), "utf8")) as TrackingFile
    const terms = compileTerms(brand, competitors)
    const asked = new Set(keywords.map(({ text }) => text.trim()))
    const rows = answers.filter(({ prompt }) => asked.has(prompt.trim())).map((one) => {
      const { mentions } = measureWithTerms(terms, one.answer, one.prompt)
      const named = new Set(mentions.flatMap(({ entity }) => entity === "brand" ? [] : [`${entity}` as CompetitorId]))
      const row: ScoredRow = {
        platform: one.platform,
        keywordId: one.prompt as KeywordId,
        brandMentioned: mentions.some(({ entity }) => entity === "brand"),
        competitorsMentioned: [...named]
      }
      return { run: one.run, row }
    })
    const ids = competitors.map((_, i) => `${i}` as CompetitorId)
    const run = (n: number) => groupIntoCells(rows.filter((one) => one.run === n).map(({ row }) => row))
    return { name: basename(file, ".json"), scans: [1, 2, 3].map((n) => scanOf(run(n), ids, n)) }
  })
}

/** Five or six markets in one, 20 to 24 questions: each of its ten most named brands against the other nine. */
const large = (): ReadonlyArray<Tracked> =>
  markets().flatMap(({ brands, runs }, i) =>
    brands.map((brand) => {
      const seen = (row: ScoredRow): ScoredRow => ({
        ...row,
        brandMentioned: row.competitorsMentioned.includes(brand.id),
        competitorsMentioned: row.competitorsMentioned.filter((id) => id !== brand.id)
      })
      const others = brands.map(({ id }) => id).filter((id) => id !== brand.id)
      const scans = runs.map((cells, n) =>
        scanOf(groupIntoCells(cells.flatMap((cell) => cell.rows.map(seen))), others, n)
      )
      return { name: `set ${i + 1}`, scans }
    })
  )

const isNamed = (cell: ScoredCell): boolean => cell.rows.some((row) => row.brandMentioned)

/** Cells that name the brand in the last scan and not before. With three scans each is a first mention, too. */
const newIn = (scans: ReadonlyArray<ComparableScan>): ReadonlyArray<NewMention> =>
  scans.at(-1)!.cells.filter(isNamed).flatMap(({ keywordId, platform }) => {
    const earlier = scans.slice(0, -1).flatMap(({ cells }) =>
      cells.filter((cell) => cell.keywordId === keywordId && cell.platform === platform)
    )
    return earlier.length === 0 || earlier.some(isNamed) ? [] : [{
      answerId: "answer" as AnswerId,
      platform,
      keywordId,
      mentionCount: 1,
      mentionPosition: 1,
      sentiment: null,
      first: true
    }]
  })

const nothing: AlertMemory = { sov_drop: null, new_mention: null, competitor_overtake: null, new_competitor: null }
const orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] as const

/** Events of a rule in the three scans, mean over their orders. */
const events = ({ scans }: Tracked, rule: AlertRule): number => {
  let total = 0
  for (const order of orders) {
    const inOrder = order.map((n) => scans[n]!)
    let memory = nothing
    for (let i = 0; i < inOrder.length; i++) {
      const seen = inOrder.slice(0, i + 1)
      const { alerts, remember } = evaluateAlerts({
        rules: [rule],
        memory,
        scans: seen,
        competitorNames: new Map(),
        newMentions: newIn(seen),
        untracked: { names: [], cells: new Set() },
        settledNames: new Set(),
        labels: {}
      })
      total += alerts.length
      memory = { ...nothing, ...Object.fromEntries(remember.map((one) => [one.rule, one.memory])) }
    }
  }
  return total / orders.length
}

// recordedNewcomers has `new_competitor`, which reads the texts
const columns = alertRuleNames.filter((rule) => rule !== "new_competitor").flatMap((rule) =>
  (["immediate", "confirmed"] as const).map((sensitivity) => ({ rule, sensitivity }))
)

/** A line a market: events of each rule, mean over its brands. The threshold is the brand's mean share of the three. */
const table = (all: ReadonlyArray<Tracked>) =>
  [...Map.groupBy(all, ({ name }) => name)].map(([name, brands]) => ({
    name,
    cells: brands[0]!.scans[0]!.cells.length,
    events: columns.map(({ rule, sensitivity }) => {
      const each = brands.map((tracked) => {
        const threshold = tracked.scans.reduce((sum, { sov }) => sum + sov, 0) / tracked.scans.length
        return events(tracked, {
          rule,
          enabled: true,
          sensitivity,
          threshold: rule === "sov_drop" ? threshold : null
        })
      })
      return each.reduce((sum, one) => sum + one, 0) / each.length
    })
  }))

describe.skipIf(recorded === "")("events per market in three recorded runs", () => {
  it("confirmed alerts never outnumber immediate ones, and are far fewer if there are enough cells", () => {
    const [few, many] = [table(small()), table(large())]
    const heads = columns.map(({ rule, sensitivity }) => `${rule} ${sensitivity}`)
    process.stdout.write(`${["market", "cells", ...heads].join(" | ")}\n`)
    for (const line of [...few, ...many]) {
      process.stdout.write(`${[line.name, line.cells, ...line.events.map((one) => one.toFixed(2))].join(" | ")}\n`)
    }
    expect(few.map(({ cells }) => cells)).toEqual([8, 8, 8, 8])
    expect(many.map(({ cells }) => cells).every((cells) => cells >= 40)).toBe(true)
    for (const { events } of [...few, ...many]) {
      for (const column of [0, 2, 4]) expect(events[column + 1]).toBeLessThanOrEqual(events[column]!)
    }
    const total = (column: number) => many.reduce((sum, { events }) => sum + events[column]!, 0)
    expect(total(0)).toBeGreaterThan(3 * total(1))
    expect(total(4)).toBeGreaterThan(3 * total(5))
  })
})
