import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"

/** The newest `limit` completed scans that have a score, each with its newest one, the newest first. */
export const readScoreHistory = Effect.fn("readScoreHistory")(function*(organizationId: OrganizationId, limit: number) {
  return yield* (yield* ScoreStore).history(organizationId, limit)
})
