import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { NoCompletedScan } from "../errors.ts"

/**
 * The most recent completed scan with its newest score, and of the keywords that are active now, how many it asked.
 * Fails with NoCompletedScan before the first.
 */
export const readCurrentScore = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const newest = yield* (yield* ScoreStore).newest(organizationId)
  if (newest === null) return yield* new NoCompletedScan()
  return { ...newest.latest, keywords: newest.keywords }
})

/** The newest `limit` completed scans that have a score, each with its newest one, the newest first. */
export const readScoreHistory = Effect.fn("readScoreHistory")(function*(organizationId: OrganizationId, limit: number) {
  return yield* (yield* ScoreStore).history(organizationId, limit)
})
