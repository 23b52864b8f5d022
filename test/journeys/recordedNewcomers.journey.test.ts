// Only with SOV_LONG_TESTS: needs recorded answers, which are not part of this project
/**
 * Rule `new_competitor` on real answers: how many names it tells where hardly anything changes (two engines, the same
 * questions three times within two days, the three runs as three scans in each of their six orders), and how soon it
 * tells one that the first scan does not name. Runs where `SOV_RECORDED_ANSWERS` names a folder with `data/`; prints
 * what docs/alerts.md says.
 */
import {
  type AlertMemory,
  type AlertRule,
  type ComparableScan,
  compileTerms,
  evaluateAlerts,
  groupIntoCells,
  type KeywordId,
  measureWithTerms,
  type PlatformId,
  type ScanId,
  toComparisonForm
} from "@sov/core"
import { describe, expect, it } from "vitest"
import { findAll } from "../domain/tracking/untracked/searchAll.ts"
import { marketAnswers, recorded, type Recording } from "../support/recordedMarkets.ts"

interface Cell {
  readonly platform: PlatformId
  readonly keywordId: KeywordId
}

/** A run of a market: its cells, the names that it suggests, and the cells that name each name of any run. */
interface Run {
  readonly scan: ComparableScan
  readonly keys: ReadonlySet<string>
  readonly suggested: ReadonlyArray<{ readonly name: string; readonly form: string; readonly share: number }>
  readonly cells: ReadonlyMap<string, ReadonlyArray<Cell>>
}

const cellOf = ({ platform, prompt }: Recording): Cell => ({ platform, keywordId: prompt as KeywordId })
const keyOf = ({ keywordId, platform }: Cell): string => `${platform} ${keywordId}`

/** The three runs. Nothing is tracked, so that every name may be new: the hardest case. */
const readRuns = (answers: ReadonlyArray<Recording>): ReadonlyArray<Run> => {
  const runs = [1, 2, 3].map((run) => answers.filter((one) => one.run === run))
  const found = runs.map((own) =>
    findAll(own.map(({ answer, id, platform, prompt }) => ({ id, platform, prompt, text: answer }))).suggestions
      .filter(({ cells, confidence, keywords }) => confidence >= 0.8 && cells >= 3 && keywords >= 2)
  )
  const names = [...new Map(found.flat().map(({ name }) => [toComparisonForm(name), name]))]
  const terms = names.map(([, name]) =>
    compileTerms({ name: "Nobody In Particular", aliases: [], domains: [] }, [{ name, aliases: [], domains: [] }])
  )
  return runs.map((own, n): Run => {
    const cells = groupIntoCells(
      own.map((one) => ({ ...cellOf(one), brandMentioned: false, competitorsMentioned: [] }))
    )
    return {
      scan: { scanId: `${n}` as ScanId, sov: 0, competitors: new Map(), cells },
      keys: new Set(cells.map(keyOf)),
      suggested: found[n]!.map(({ name, share }) => ({ name, form: toComparisonForm(name), share })),
      cells: new Map(names.map(([form], i) => [
        form,
        own.filter((one) => measureWithTerms(terms[i]!, one.answer, one.prompt).mentions.length > 0).map(cellOf)
      ]))
    }
  })
}

const nothing: AlertMemory = { sov_drop: null, new_mention: null, competitor_overtake: null, new_competitor: null }
const orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] as const

/** The names that each scan tells; the first one is taken not to name `planted`. */
const tell = (runs: ReadonlyArray<Run>, rule: AlertRule, planted: string | null) => {
  const settled = new Set<string>()
  let memory = nothing
  return runs.map((run, i) => {
    const { alerts, remember } = evaluateAlerts({
      rules: [rule],
      memory,
      scans: runs.slice(0, i + 1).map(({ scan }) => scan),
      competitorNames: new Map(),
      newMentions: [],
      untracked: {
        cells: run.keys,
        names: run.suggested.filter(({ form }) => planted === null || form === planted).map((one) => ({
          ...one,
          answers: [],
          cells: run.cells.get(one.form)!,
          earlier: runs.slice(0, i).toReversed().map(({ cells, scan }) => ({
            scanId: scan.scanId,
            cells: planted !== null && scan === runs[0]!.scan ? [] : cells.get(one.form)!
          }))
        }))
      },
      settledNames: settled,
      labels: {}
    })
    memory = { ...nothing, ...Object.fromEntries(remember.map((one) => [one.rule, one.memory])) }
    const told = alerts.flatMap((alert) => alert.rule === "new_competitor" ? alert.data.names : [])
    for (const { name } of told) settled.add(toComparisonForm(name))
    return told.map(({ name }) => toComparisonForm(name))
  })
}

const all = recorded === "" ? [] : marketAnswers()
const markets = [...Map.groupBy(all, ({ market }) => market).values()]
/** Alone, and six sets of five or six markets. */
const sizes = [
  { name: "markets of 8 cells", sets: () => markets },
  {
    name: "sets of 40 to 48 cells",
    sets: () => Array.from({ length: 6 }, (_, i) => markets.filter((_, n) => n % 6 === i).flat())
  }
]

describe.skipIf(recorded === "")("recorded runs", () => {
  it.each(sizes)(
    "hardly any name is announced without a change, and a new name is announced soon: $name",
    ({ name, sets }) => {
      const read = sets().map(readRuns)
      const counts = (["immediate", "confirmed"] as const).map((sensitivity) => {
        const rule: AlertRule = { rule: "new_competitor", enabled: true, threshold: null, sensitivity }
        let alerts = 0
        const planted = { of: 0, second: 0, third: 0 }
        for (const runs of read) {
          for (const order of orders) {
            const inOrder = order.map((n) => runs[n]!)
            alerts += tell(inOrder, rule, null).filter((names) => names.length > 0).length
            // Names in a quarter of the cells of each run
            for (const { form } of inOrder[1]!.suggested) {
              if (inOrder.some((run) => 4 * run.cells.get(form)!.length < run.keys.size)) continue
              const [, second, third] = tell(inOrder, rule, form)
              planted.of++
              if (second!.includes(form)) planted.second++
              else if (third!.includes(form)) planted.third++
            }
          }
        }
        const cases = read.length * orders.length
        console.log(name, sensitivity, `alerts in three scans: ${(alerts / cases).toFixed(3)}`, JSON.stringify(planted))
        return { alerts: alerts / cases, told: (planted.second + planted.third) / planted.of }
      })
      const [immediate, confirmed] = counts
      expect(immediate!.alerts).toBeLessThanOrEqual(0.5)
      expect(confirmed!.alerts).toBeLessThanOrEqual(0.1)
      expect(immediate!.told).toBeGreaterThanOrEqual(0.85)
      expect(confirmed!.told).toBeGreaterThanOrEqual(0.7)
    }
  )
})
