import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { NoCompletedScan } from "../errors.ts"
import { makeMemory } from "../makeMemory.ts"
import { formEvidence, type ScanEvidence } from "./readEvidence.ts"
import { readRecentAnswers } from "./readRecentAnswers.ts"
import { formSpotCheck, type SpotCheck, spotScans } from "./readSpotOdds.ts"

/** How far the current share can be relied on: the odds of a spot check, and the evidence without prices. */
export interface Trust {
  readonly spot: SpotCheck
  readonly evidence: ScanEvidence
}

/** Keeps results for a minute, because tags may change; the intervals take most of the overview's processor time. */
const memories = makeMemory<Trust>(200)
const keptMs = 60_000
const hourMs = 3_600_000

/**
 * Forms the spot check and the evidence from the same answers, at most one minute old. Fails with NoCompletedScan if
 * the window contains no scan with a score.
 */
export const readTrust = Effect.fn("readTrust")(function*(organizationId: OrganizationId, window: HistoryWindow) {
  const store = yield* ScoreStore
  const latest = yield* store.headline(organizationId, window.since)
  if (latest === null) return yield* new NoCompletedScan()
  const { scan, score } = latest
  // The start of a plan's window moves with the clock
  const since = window.since === null ? null : Math.floor(window.since.getTime() / hourMs)
  const key = [organizationId, scan.id, score.measureVersion, score.trackedSetVersion, since].join(" ")
  const answers = readRecentAnswers(organizationId, window, spotScans)
  return yield* memories.of(store).recall(
    key,
    keptMs,
    Effect.map(answers, (recent) => ({ spot: formSpotCheck(recent), evidence: formEvidence(recent, null) }))
  )
})
