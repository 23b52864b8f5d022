import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { NoCompletedScan } from "../errors.ts"

/** The most recent completed scan with its newest score. Fails with NoCompletedScan before the first. */
export const readCurrentScore = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const [latest] = yield* (yield* ScoreStore).history(organizationId, 1)
  return latest ?? (yield* new NoCompletedScan())
})
