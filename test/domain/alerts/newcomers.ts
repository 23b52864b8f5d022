/** Rule `new_competitor` over histories of scans, each written as the cells that name each untracked name. */
import {
  adaptMemory,
  type AlertRule,
  evaluateAlerts,
  findLastRemembered,
  groupIntoCells,
  type PlatformId,
  platformIds,
  type RuleMemory,
  type ScanId,
  type TrackedSet
} from "@sov/core"
import { keywordId } from "../scoring/support.ts"
import { nothingKnown } from "./support.ts"

/** Of each name the numbers of the cells that name it; cell n is question n / 5 on platform n % 5. */
export type Named = Readonly<Record<string, ReadonlyArray<number>>>

const cellOf = (n: number) => ({ platform: platformIds[n % 5]! as PlatformId, keywordId: keywordId(Math.floor(n / 5)) })

export const newCompetitor = (sensitivity: AlertRule["sensitivity"] = "immediate"): AlertRule => ({
  rule: "new_competitor",
  enabled: true,
  threshold: null,
  sensitivity
})

interface Course {
  readonly rule: AlertRule
  /** Cells of every scan, or of each. */
  readonly asked: ReadonlyArray<number> | ((scan: number) => ReadonlyArray<number>)
  /** Names that are not told, whatever happens. */
  readonly settled?: ReadonlyArray<string>
}

/** The alerts of each scan; a name that was told is not told again. */
export const newcomersOf = (history: ReadonlyArray<Named>, { asked, rule, settled = [] }: Course) => {
  const kept: Array<{ readonly memory: RuleMemory; readonly scanId: ScanId }> = []
  const settledNames = new Set(settled)
  const cellsOf = (scan: number) => typeof asked === "function" ? asked(scan) : asked
  const scans = history.map((_, i) => ({
    scanId: `scan-${i}` as ScanId,
    sov: 0,
    competitors: new Map(),
    cells: groupIntoCells(cellsOf(i).map((n) => ({ ...cellOf(n), brandMentioned: false, competitorsMentioned: [] })))
  }))
  return history.map((named, i) => {
    const window = scans.slice(Math.max(0, i - 12), i + 1)
    const current = scans[i]!
    const last = findLastRemembered(kept, window)
    const known = last && adaptMemory(last.remembered.memory, last.scan, null, {} as TrackedSet, null)
    const { alerts, remember } = evaluateAlerts({
      rules: [rule],
      memory: { ...nothingKnown, ...known },
      scans: window,
      competitorNames: new Map(),
      newMentions: [],
      untracked: {
        cells: new Set(cellsOf(i).map(cellOf).map(({ keywordId, platform }) => `${platform} ${keywordId}`)),
        names: Object.entries(named).map(([name, cells]) => ({
          name,
          form: name,
          share: cells.length,
          answers: [],
          cells: cells.map(cellOf),
          earlier: window.slice(0, -1).toReversed().map(({ scanId }) => ({
            scanId,
            cells: (history[Number(scanId.slice(5))]![name] ?? []).map(cellOf)
          }))
        }))
      },
      settledNames,
      labels: {}
    })
    kept.push(...remember.map((memory) => ({ memory, scanId: current.scanId })))
    return alerts.flatMap((alert) => {
      if (alert.rule !== "new_competitor") return []
      for (const { name } of alert.data.names) settledNames.add(name)
      return [alert.data]
    })
  })
}

/** The names that each scan tells. */
export const toldNames = (history: ReadonlyArray<Named>, course: Course): ReadonlyArray<ReadonlyArray<string>> =>
  newcomersOf(history, course).map((alerts) => alerts.flatMap(({ names }) => names.map(({ name }) => name)))

/** Whole numbers from 0. */
export const upTo = (end: number): ReadonlyArray<number> => Array.from({ length: end }, (_, n) => n)
