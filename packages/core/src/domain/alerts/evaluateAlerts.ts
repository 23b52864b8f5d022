/** What a completed scan means for an organization's alert rules: alerts to raise, and what to remember for the next. */
import { type AlertRule, type AlertRuleName, type DetectedAlert } from "../AlertRule.ts"
import { maxListedMentions } from "../Event.ts"
import type { CompetitorId } from "../ids.ts"
import { commonCells } from "../scoring/trend.ts"
import { type OvertakeState, stepOvertake } from "./competitorOvertake.ts"
import { enoughCells, type Evidence, type WatchedScan } from "./evidence.ts"
import type { NewMention } from "./newMention.ts"
import { type SovDropState, stepSovDrop } from "./sovDrop.ts"

/** What each rule remembers from scan to scan; null = nothing yet, or nothing that can be compared with this scan. */
export interface AlertMemory {
  readonly sov_drop: SovDropState | null
  /** Whether a mention is new is read from the archive. */
  readonly new_mention: Record<string, never> | null
  readonly competitor_overtake: OvertakeState | null
}

/** What one rule has to remember. */
export type RuleMemory = { readonly [R in AlertRuleName]: { readonly rule: R; readonly memory: AlertMemory[R] } }[
  AlertRuleName
]

export interface AlertInput {
  /** The enabled ones. */
  readonly rules: ReadonlyArray<AlertRule>
  readonly memory: AlertMemory
  /** Oldest first, the last one has just completed; all measured alike. Up to 5 are looked at. */
  readonly scans: ReadonlyArray<WatchedScan>
  readonly competitorNames: ReadonlyMap<CompetitorId, string>
  readonly newMentions: ReadonlyArray<NewMention>
  readonly simulated: boolean
}

const evidenceData = ({ cellsMoved, confidence, confirmed, nCells, z }: Evidence) => ({
  confirmed,
  cells_moved: cellsMoved,
  n_cells: nCells,
  z,
  ...(confidence === "low" ? { confidence } : {})
})

type Step = { readonly remember: RuleMemory; readonly alerts: ReadonlyArray<DetectedAlert> }

const label = ({ simulated }: AlertInput): { readonly simulated?: true } => (simulated ? { simulated } : {})

const sovDrop = ({ sensitivity, threshold }: AlertRule, input: AlertInput): Step => {
  const { crossed, evidence, state } = stepSovDrop(threshold!, input.memory.sov_drop, input.scans)
  const remember: RuleMemory = { rule: "sov_drop", memory: state }
  const [previous, current] = [input.scans.at(-2), input.scans.at(-1)!]
  if (previous === undefined || !(sensitivity === "confirmed" ? evidence.confirmed : crossed)) {
    return { remember, alerts: [] }
  }
  const data = {
    scan_id: current.scanId,
    previous_scan_id: previous.scanId,
    previous_sov: previous.sov,
    current_sov: current.sov,
    drop: previous.sov - current.sov,
    threshold: threshold!,
    ...evidenceData(evidence),
    ...label(input)
  }
  return { remember, alerts: [{ rule: "sov_drop", event: "sov.dropped", data }] }
}

const overtake = ({ sensitivity }: AlertRule, input: AlertInput): Step => {
  const { competitors, state } = stepOvertake(input.memory.competitor_overtake, input.scans)
  const remember: RuleMemory = { rule: "competitor_overtake", memory: state }
  const [previous, current] = [input.scans.at(-2), input.scans.at(-1)!]
  if (previous === undefined) return { remember, alerts: [] }
  const found = competitors.filter(({ crossed, evidence }) =>
    sensitivity === "confirmed" ? evidence.confirmed : crossed
  )
  const alerts = found.map(({ competitorId, evidence }): DetectedAlert => ({
    rule: "competitor_overtake",
    event: "competitor.overtake",
    data: {
      scan_id: current.scanId,
      competitor_id: competitorId,
      competitor_name: input.competitorNames.get(competitorId) ?? "",
      brand_sov: current.sov,
      competitor_sov: current.competitors.get(competitorId) ?? 0,
      previous_brand_sov: previous.sov,
      previous_competitor_sov: previous.competitors.get(competitorId) ?? 0,
      ...evidenceData(evidence),
      ...label(input)
    }
  }))
  return { remember, alerts }
}

const newMention = ({ sensitivity }: AlertRule, input: AlertInput): Step => {
  const remember: RuleMemory = { rule: "new_mention", memory: {} }
  const [previous, current] = [input.scans.at(-2), input.scans.at(-1)!]
  const found = input.newMentions.filter(({ first }) => first || sensitivity === "immediate")
  if (previous === undefined || found.length === 0) return { remember, alerts: [] }
  const nCells = commonCells(previous.cells, current.cells).cells.length
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
    ...evidenceData({
      confirmed: found.some(({ first }) => first),
      confidence: nCells >= enoughCells ? "normal" : "low",
      cellsMoved: found.length,
      nCells,
      z: null
    }),
    ...label(input)
  }
  return { remember, alerts: [{ rule: "new_mention", event: "mention.detected", data }] }
}

const steps = { sov_drop: sovDrop, new_mention: newMention, competitor_overtake: overtake }

/**
 * Evaluates each rule on the scan that has just completed. One alert per crossing: `immediate` compares with the scan
 * before alone, `confirmed` with what the gate remembers, which is kept either way. Without a scan before, nothing is
 * raised.
 */
export const evaluateAlerts = (input: AlertInput): {
  readonly alerts: ReadonlyArray<DetectedAlert>
  readonly remember: ReadonlyArray<RuleMemory>
} => {
  const found = input.rules.map((rule) => steps[rule.rule](rule, input))
  return { alerts: found.flatMap(({ alerts }) => alerts), remember: found.map(({ remember }) => remember) }
}
