/**
 * What a completed scan means for an organization's alert rules: alerts to raise, and what to remember for the next.
 */
import type { CompetitorId } from "../ids.ts"
import { findCommonCells } from "../scoring/commonCells.ts"
import { type EventLabels, maxListedMentions } from "../webhooks/Event.ts"
import { type AlertRule, type AlertRuleName, type DetectedAlert } from "./AlertRule.ts"
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

/** What each rule remembers from scan to scan; null = nothing yet, or nothing that counts for this scan. */
export interface AlertMemory {
  readonly sov_drop: SovDropState | null
  /** Whether a mention is new is read from the archive. */
  readonly new_mention: Record<string, never> | null
  readonly competitor_overtake: OvertakeState | null
  readonly new_competitor: NewCompetitorState | null
}

/** What one rule has to remember. */
export type RuleMemory = { readonly [R in AlertRuleName]: { readonly rule: R; readonly memory: AlertMemory[R] } }[
  AlertRuleName
]

export interface AlertInput {
  /** The enabled ones. */
  readonly rules: ReadonlyArray<AlertRule>
  readonly memory: AlertMemory
  /** Oldest first, the last one has just completed; all measured alike. */
  readonly scans: ReadonlyArray<ComparableScan>
  readonly competitorNames: ReadonlyMap<CompetitorId, string>
  readonly newMentions: ReadonlyArray<NewMention>
  /** What the last scan names beside what is tracked. */
  readonly untracked: UntrackedNames
  /** Comparison forms of names that are not to be told: tracked, ignored or told before. */
  readonly settledNames: ReadonlySet<string>
  /** Of the events of the last scan. */
  readonly labels: Pick<EventLabels, "simulated" | "asked">
}

const toEvidenceData = ({ cellsMoved, confidence, confirmed, nCells, z }: Evidence) => ({
  confirmed,
  cells_moved: cellsMoved,
  n_cells: nCells,
  z,
  ...(confidence === "low" ? { confidence } : {})
})

type Step = { readonly remember: RuleMemory | null; readonly alerts: ReadonlyArray<DetectedAlert> }

/** With nothing to compare with, nothing is raised and the memory stays as it was. */
const emptyStep: Step = { remember: null, alerts: [] }

/** The scan and up to 4 before it that it can be compared with. */
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
    previous_sov: change.before,
    current_sov: change.after,
    drop: change.before - change.after,
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
      brand_sov: brand.after,
      competitor_sov: competitor.after,
      previous_brand_sov: brand.before,
      previous_competitor_sov: competitor.before,
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
  // A mention is compared with earlier answers of its cell, in whichever scans they are
  const nCells = findCommonCells(input.scans.slice(0, -1).flatMap(({ cells }) => cells), current.cells).cells.length
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
      share,
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
 * Evaluates each rule on the scan that has just completed, on the cells (keyword on a platform) that it has in common
 * with an earlier one: the last that shares at least half of the cells of the larger of the two. One alert per
 * crossing: `immediate` compares the two alone, `confirmed` goes by what the gate remembers, which is kept either way.
 * Without such an earlier scan no drop, overtake or new competitor is raised, and what these rules remember stays as it
 * was.
 */
export const evaluateAlerts = (input: AlertInput): {
  readonly alerts: ReadonlyArray<DetectedAlert>
  readonly remember: ReadonlyArray<RuleMemory>
} => {
  const found = input.rules.map((rule) => ruleEvaluators[rule.rule](rule, input))
  return {
    alerts: found.flatMap(({ alerts }) => alerts),
    remember: found.flatMap(({ remember }) => remember === null ? [] : [remember])
  }
}
