import { Clock, Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { wholeHistory } from "../../domain/organizations/HistoryWindow.ts"
import { type GradeInputs, maxEvidenceScans } from "../../domain/scoring/evidenceGrade.ts"
import type { ScoredScan } from "../../ports/ScoreStore.ts"
import { formEvidence } from "./readEvidence.ts"
import { readRecentAnswers } from "./readRecentAnswers.ts"

/**
 * Caches evidence by scan and versions, because the answers behind a score stay the same; for a minute, because tags
 * may change.
 */
const known = new Map<string, { readonly readAt: number; readonly facts: GradeInputs }>()
const [maxKnown, keptMs] = [1_000, 60_000]

/** The evidence for this score, at most one minute old. Fails with NoCompletedScan. */
export const readGrade = Effect.fn("readGrade")(function*(organizationId: OrganizationId, { scan, score }: ScoredScan) {
  const key = [organizationId, scan.id, score.measureVersion, score.trackedSetVersion].join(" ")
  const at = yield* Clock.currentTimeMillis
  const found = known.get(key)
  if (found !== undefined && at - found.readAt < keptMs) return found.facts
  const { facts } = formEvidence(yield* readRecentAnswers(organizationId, wholeHistory, maxEvidenceScans), null)
  if (known.size >= maxKnown) known.clear()
  known.set(key, { readAt: at, facts })
  return facts
})
