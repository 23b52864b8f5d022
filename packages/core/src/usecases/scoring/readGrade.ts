import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { wholeHistory } from "../../domain/organizations/HistoryWindow.ts"
import { type GradeInputs, maxEvidenceScans } from "../../domain/scoring/evidenceGrade.ts"
import { type ScoredScan, ScoreStore } from "../../ports/ScoreStore.ts"
import { makeMemory } from "../makeMemory.ts"
import { formEvidence } from "./readEvidence.ts"
import { readRecentAnswers } from "./readRecentAnswers.ts"

/**
 * Caches evidence by scan and versions, because the answers behind a score stay the same; for a minute, because tags
 * may change.
 */
const memories = makeMemory<GradeInputs>(1_000)
const keptMs = 60_000

/** The evidence for this score, at most one minute old. Fails with NoCompletedScan. */
export const readGrade = Effect.fn("readGrade")(function*(organizationId: OrganizationId, { scan, score }: ScoredScan) {
  const key = [organizationId, scan.id, score.measureVersion, score.trackedSetVersion].join(" ")
  const answers = readRecentAnswers(organizationId, wholeHistory, maxEvidenceScans)
  const memory = memories.of(yield* ScoreStore)
  return yield* memory.recall(key, keptMs, Effect.map(answers, (recent) => formEvidence(recent, null).facts))
})
