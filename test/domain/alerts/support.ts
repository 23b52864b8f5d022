/** Scans as alert rules see them, written short. */
import {
  adaptMemory,
  type AlertMemory,
  type AlertRule,
  averageCells,
  type ComparableScan,
  type CompetitorId,
  competitorShare,
  evaluateAlerts,
  findLastRemembered,
  groupIntoCells,
  platformIds,
  type RuleMemory,
  type ScanId,
  type ScoredRow,
  scoreRow,
  type TrackedSet
} from "@sov/core"
import { keywordId } from "../scoring/support.ts"

export const globex = "globex" as string as CompetitorId
export const rivals: ReadonlyArray<CompetitorId> = [globex, ...["r2", "r3", "r4"].map((id) => id as CompetitorId)]

let scans = 0

/** A scan from the rows of its answers. */
export const scanFrom = (rows: ReadonlyArray<ScoredRow>): ComparableScan => {
  const cells = groupIntoCells(rows)
  return {
    scanId: `scan-${++scans}` as ScanId,
    sov: averageCells(cells, scoreRow)!,
    competitors: new Map(rivals.map((id) => [id, averageCells(cells, competitorShare(id))!])),
    cells
  }
}

/** The answers are named in an order that spreads over questions and platforms, as chance does. */
const rankOf = (n: number, answers: number): number => (n * 17) % answers

/** 50 answers of which those from `from` to before `to` name the brand. */
export const scanNaming = (from: number, to: number): ComparableScan =>
  scanFrom(Array.from({ length: 50 }, (_, n) => ({
    platform: platformIds[n % 5]!,
    keywordId: keywordId(Math.floor(n / 5)),
    brandMentioned: rankOf(n, 50) >= from && rankOf(n, 50) < to,
    competitorsMentioned: []
  })))

/**
 * Answers of one platform to `keywords` questions: the first `brand` name the brand alone, the next `rival` Globex
 * alone.
 */
export const scanOf = (brand: number, rival = 0, keywords = 50): ComparableScan =>
  scanFrom(Array.from({ length: keywords }, (_, n) => ({
    platform: platformIds[n % 5]!,
    keywordId: keywordId(Math.floor(n / 5)),
    brandMentioned: rankOf(n, keywords) < brand,
    competitorsMentioned: rankOf(n, keywords) >= brand && rankOf(n, keywords) < brand + rival ? [globex] : []
  })))

/**
 * A scan of one platform, a character a keyword: who its answer names (`b` brand, `g` Globex, `.` nobody); blank =
 * none.
 */
export const asked = (answers: string): ComparableScan =>
  scanFrom([...answers].flatMap((named, n) =>
    named === " " ? [] : [{
      platform: platformIds[0],
      keywordId: keywordId(n),
      brandMentioned: named === "b",
      competitorsMentioned: named === "g" ? [globex] : []
    }]
  ))

const names = new Map(rivals.map((id) => [id, `Name of ${id}`]))

export const drop = (threshold: number, sensitivity: AlertRule["sensitivity"] = "immediate"): AlertRule => ({
  rule: "sov_drop",
  enabled: true,
  threshold,
  sensitivity
})
export const overtaken = (sensitivity: AlertRule["sensitivity"] = "immediate"): AlertRule => ({
  rule: "competitor_overtake",
  enabled: true,
  threshold: null,
  sensitivity
})

export const nothingKnown: AlertMemory = {
  sov_drop: null,
  new_mention: null,
  competitor_overtake: null,
  new_competitor: null
}

/** No untracked names. */
export const nobodyElse = { untracked: { names: [], cells: new Set<string>() }, settledNames: new Set<string>() }

/** Runs the rule over a history and gives each scan's alerts. */
export const history = (rule: AlertRule, scans: ReadonlyArray<ComparableScan>) => {
  const kept: Array<{ readonly memory: RuleMemory; readonly scanId: ScanId }> = []
  return scans.map((current, i) => {
    const window = scans.slice(Math.max(0, i - 12), i + 1)
    const last = findLastRemembered(kept, window)
    const known = last && adaptMemory(last.remembered.memory, last.scan, null, {} as TrackedSet, rule.threshold)
    const { alerts, remember } = evaluateAlerts({
      rules: [rule],
      memory: { ...nothingKnown, ...known },
      scans: window,
      competitorNames: names,
      newMentions: [],
      ...nobodyElse,
      labels: {}
    })
    kept.push(...remember.map((memory) => ({ memory, scanId: current.scanId })))
    return alerts
  })
}

/** The numbers of the scans that raise an alert. */
export const raised = (rule: AlertRule, scans: ReadonlyArray<ComparableScan>) =>
  history(rule, scans).flatMap((alerts, i) => alerts.length > 0 ? [i] : [])
