/**
 * Evaluates an organization's alert rules on a completed scan: the alerts to raise, and the memory for the next scan.
 */
import type { CompetitorId } from "../ids.ts"
import { cellKey, findCommonCells } from "../scoring/commonCells.ts"
import { roundHalfUp } from "../scoring/Score.ts"
import { type EventLabels, maxListedMentions } from "../webhooks/Event.ts"
import { type AlertRule, type DetectedAlert, isGatedRule } from "./AlertRule.ts"
import { type OvertakeState, stepOvertake } from "./competitorOvertake.ts"
import { areScansComparable, type ComparableScan, type Evidence, maxNoisePairs, minGateCells } from "./evidence.ts"
import {
  countKeywords,
  listPlatforms,
  type NewCompetitorState,
  stepNewCompetitor,
  type UntrackedNames
} from "./newCompetitor.ts"
import type { NewMention } from "./newMention.ts"
import { type SovDropState, stepSovDrop } from "./sovDrop.ts"

/** The memory of each rule between scans; null if the rule stores nothing about this scan. */
export interface AlertMemory {
  readonly sov_drop: SovDropState | null
  /** Empty, because the archive itself shows whether a mention is new. */
  readonly new_mention: Record<string, never> | null
  readonly competitor_overtake: OvertakeState | null
  readonly new_competitor: NewCompetitorState | null
}

/** The memory of one rule. */
export type RuleMemory = {
  readonly [R in keyof AlertMemory]: { readonly rule: R; readonly memory: AlertMemory[R] }
}[keyof AlertMemory]

export interface AlertInput {
  /** The enabled rules. */
  readonly rules: ReadonlyArray<AlertRule>
  readonly memory: AlertMemory
  /** The scans, oldest first; the last one has just completed. All are measured with the same names and rules. */
  readonly scans: ReadonlyArray<ComparableScan>
  readonly competitorNames: ReadonlyMap<CompetitorId, string>
  readonly newMentions: ReadonlyArray<NewMention>
  /** The untracked names in the last scan. */
  readonly untracked: UntrackedNames
  /** Comparison forms of names that raise no alert: tracked, ignored or reported before. */
  readonly settledNames: ReadonlySet<string>
  /** Labels for the events of the last scan. */
  readonly labels: Omit<EventLabels, "test">
}

/** Rounds a share for a payload to four decimals, the most that the text of an alert shows. */
const roundShare = (share: number): number => roundHalfUp(share, 4)

const toEvidenceData = ({ cellsMoved, confidence, confirmed, nCells, z }: Evidence) => ({
  confirmed,
  cells_moved: cellsMoved,
  n_cells: nCells,
  z,
  ...(confidence === "low" ? { confidence } : {})
})

type Step = { readonly remember: RuleMemory | null; readonly alerts: ReadonlyArray<DetectedAlert> }

/** The result of a rule without an earlier scan: it raises no alerts and leaves the memory unchanged. */
const emptyStep: Step = { remember: null, alerts: [] }

/** Selects the scan and up to 4 comparable scans before it. */
const selectComparedScans = ({ scans }: AlertInput): ReadonlyArray<ComparableScan> => {
  const current = scans.at(-1)!
  return scans.filter((scan) => areScansComparable(scan, current)).slice(-maxNoisePairs - 1)
}

const evaluateSovDrop = ({ sensitivity, threshold }: AlertRule, input: AlertInput): Step => {
  const scans = selectComparedScans(input)
  if (scans.length < 2) return emptyStep
  const { change, crossed, evidence, since, state } = stepSovDrop(threshold!, input.memory.sov_drop, scans)
  const remember: RuleMemory = { rule: "sov_drop", memory: state }
  if (!(sensitivity === "confirmed" ? evidence.confirmed : crossed)) return { remember, alerts: [] }
  const data = {
    scan_id: scans.at(-1)!.scanId,
    previous_scan_id: since.scanId,
    previous_sov: roundShare(change.before),
    current_sov: roundShare(change.after),
    drop: roundShare(change.before - change.after),
    threshold: threshold!,
    ...toEvidenceData(evidence),
    ...input.labels
  }
  return { remember, alerts: [{ rule: "sov_drop", event: "sov.dropped", data }] }
}

const evaluateOvertake = ({ sensitivity }: AlertRule, input: AlertInput): Step => {
  const scans = selectComparedScans(input)
  if (scans.length < 2) return emptyStep
  const { competitors, state } = stepOvertake(input.memory.competitor_overtake, scans)
  const found = competitors.filter(({ crossed, evidence }) =>
    sensitivity === "confirmed" ? evidence.confirmed : crossed
  )
  const alerts = found.map(({ brand, competitor, competitorId, evidence, since }): DetectedAlert => ({
    rule: "competitor_overtake",
    event: "competitor.overtake",
    data: {
      scan_id: scans.at(-1)!.scanId,
      previous_scan_id: since.scanId,
      competitor_id: competitorId,
      competitor_name: input.competitorNames.get(competitorId) ?? "",
      brand_sov: roundShare(brand.after),
      competitor_sov: roundShare(competitor.after),
      previous_brand_sov: roundShare(brand.before),
      previous_competitor_sov: roundShare(competitor.before),
      ...toEvidenceData(evidence),
      ...input.labels
    }
  }))
  return { remember: { rule: "competitor_overtake", memory: state }, alerts }
}

const evaluateNewMention = ({ sensitivity }: AlertRule, input: AlertInput): Step => {
  const remember: RuleMemory = { rule: "new_mention", memory: {} }
  const current = input.scans.at(-1)!
  const found = input.newMentions.filter(({ first }) => first || sensitivity === "immediate")
  if (input.scans.length < 2 || found.length === 0) return { remember, alerts: [] }
  // A mention is compared with the earlier answers of its cell in any scan
  const earlier = input.scans.slice(0, -1).flatMap(({ cells }) => findCommonCells(cells, current.cells).cells)
  const nCells = new Set(earlier.map(({ after }) => cellKey(after))).size
  const data = {
    scan_id: current.scanId,
    mentions_total: found.length,
    mentions: found.slice(0, maxListedMentions).map((mention) => ({
      archive_id: mention.answerId,
      platform: mention.platform,
      keyword_id: mention.keywordId,
      mention_count: mention.mentionCount,
      mention_position: mention.mentionPosition,
      sentiment: mention.sentiment
    })),
    ...toEvidenceData({
      confirmed: found.some(({ first }) => first),
      confidence: nCells >= minGateCells ? "normal" : "low",
      cellsMoved: found.length,
      nCells,
      z: null
    }),
    ...input.labels
  }
  return { remember, alerts: [{ rule: "new_mention", event: "mention.detected", data }] }
}

const evaluateNewCompetitor = ({ sensitivity }: AlertRule, input: AlertInput): Step => {
  const scans = selectComparedScans(input)
  if (scans.length < 2) return emptyStep
  const [current, previous] = [scans.at(-1)!, scans.at(-2)!]
  const { evidenceOf, names, state } = stepNewCompetitor(
    input.memory.new_competitor,
    findCommonCells(previous.cells, current.cells),
    previous.scanId,
    input.untracked,
    input.settledNames
  )
  const found = names.filter(({ confirmed }) => confirmed || sensitivity === "immediate")
  const remember: RuleMemory = { rule: "new_competitor", memory: state }
  if (found.length === 0) return { remember, alerts: [] }
  const data = {
    scan_id: current.scanId,
    previous_scan_id: previous.scanId,
    names: found.map(({ cells, confirmed, sighted: { answers, name, share } }) => ({
      name,
      cells: cells.length,
      keywords: countKeywords(cells),
      platforms: listPlatforms(cells),
      share: roundShare(share),
      archive_ids: answers,
      confirmed
    })),
    ...toEvidenceData(evidenceOf(found)),
    ...input.labels
  }
  return { remember, alerts: [{ rule: "new_competitor", event: "competitor.suggested", data }] }
}

const ruleEvaluators = {
  sov_drop: evaluateSovDrop,
  new_mention: evaluateNewMention,
  competitor_overtake: evaluateOvertake,
  new_competitor: evaluateNewCompetitor
}

/**
 * Evaluates each rule on the scan that has just completed. Compares the cells (keyword on a platform) that the scan has
 * in common with the last comparable scan, which shares at least half of the cells of the larger one. Each crossing
 * raises one alert: `immediate` compares only the two scans, `confirmed` uses the memory of the gate, which is updated
 * in both cases. Without a comparable scan, no drop, overtake or new competitor is raised, and the memory stays
 * unchanged. `platform_changed` and `fact_contradicted` compare no cells and are raised elsewhere.
 */
export const evaluateAlerts = (input: AlertInput): {
  readonly alerts: ReadonlyArray<DetectedAlert>
  readonly remember: ReadonlyArray<RuleMemory>
} => {
  const found = input.rules.flatMap((rule) => isGatedRule(rule.rule) ? [ruleEvaluators[rule.rule](rule, input)] : [])
  return {
    alerts: found.flatMap(({ alerts }) => alerts),
    remember: found.flatMap(({ remember }) => remember === null ? [] : [remember])
  }
}
