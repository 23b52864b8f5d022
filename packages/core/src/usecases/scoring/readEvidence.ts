import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { countEvidence, countKinds, maxEvidenceScans } from "../../domain/scoring/evidenceGrade.ts"
import { type GradedEvidence, planEvidence } from "../../domain/scoring/evidencePlan.ts"
import { readAnswerCost } from "../platforms/estimateCost.ts"
import { readRecentAnswers, type RecentAnswers } from "./readRecentAnswers.ts"
import { isInSeries } from "./scansInTrend.ts"

/** The evidence for the share of one scan. */
export interface ScanEvidence extends GradedEvidence {
  /** The headline scan. */
  readonly scan: Scan
}

/** Computes the evidence from these answers; `answerCostUsd` is the cost of an answer, null if unknown. */
export const formEvidence = (
  { branded, latest, scans, tags, topics }: RecentAnswers,
  answerCostUsd: number | null
): ScanEvidence => {
  const counted = scans
    .filter((one) => isInSeries(one, latest) && one.scan.startedAt <= latest.scan.startedAt)
    .map(({ rows, scan: { startedAt, surface } }) => ({ startedAt, surface, rows }))
  const kinds = countKinds(tags.map(({ keywords }) => keywords), counted[0]?.rows ?? [], branded)
  const facts = countEvidence(counted, branded, topics, kinds)
  return { scan: latest.scan, facts, next: planEvidence(facts, answerCostUsd) }
}

/**
 * Reads how reliable the current share is, and what it needs for the next grade at the prices of the configured
 * platforms. Fails with NoCompletedScan if the window contains no scan with a score.
 */
export const readEvidence = Effect.fn("readEvidence")(
  function*(organizationId: OrganizationId, window: HistoryWindow) {
    const recent = yield* readRecentAnswers(organizationId, window, maxEvidenceScans)
    return formEvidence(recent, yield* readAnswerCost)
  }
)
