import { Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { Scan } from "../domain/Scan.ts"
import type { Score } from "../domain/Score.ts"
import { ScoreStore } from "../ports/ScoreStore.ts"
import { NoCompletedScan } from "./errors.ts"
import { previousScan } from "./measureScan.ts"

/** A completed scan with its newest score. */
export interface ScoredScan {
  readonly scan: Scan
  readonly score: Score
}

/** How visible the brand is now, and was before. */
export interface Visibility {
  readonly latest: ScoredScan
  /** The completed scan before it, of its kind and measured with the same names and rules; null when there is none. */
  readonly previous: ScoredScan | null
}

const measuredAlike = (a: Score, b: Score): boolean =>
  a.measureVersion === b.measureVersion && a.trackedSetVersion === b.trackedSetVersion

/** The most recent completed scan and the one it may be compared with. Fails with NoCompletedScan before the first. */
export const readVisibility = Effect.fn("readVisibility")(function*(organizationId: OrganizationId) {
  const scores = yield* ScoreStore
  const [latest, second] = yield* scores.history(organizationId, 2)
  if (latest === undefined) return yield* new NoCompletedScan()
  const found: Visibility = { latest, previous: null }
  if (second === undefined) return found
  // Real and simulated scans may stand side by side
  const before = second.scan.simulated === latest.scan.simulated
    ? second.scan
    : yield* previousScan(organizationId, latest.scan)
  if (before === null) return found
  const score = before === second.scan && measuredAlike(second.score, latest.score)
    ? second.score
    : yield* scores.ofScan(organizationId, before.id, latest.score)
  return score === null ? found : { latest, previous: { scan: before, score } }
})
