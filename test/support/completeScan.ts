import { type OrganizationId, type ScanId, ScanStore, ScoreStore } from "@sov/core"
import { scoreOf } from "@sov/core/testing"
import { Effect } from "effect"

/** Marks a running scan as completed, with this score. */
export const completeScan = (organizationId: OrganizationId, scanId: ScanId, avgSov: number, when = new Date()) =>
  Effect.gen(function*() {
    yield* (yield* ScoreStore).insert(organizationId, scoreOf(scanId, { avgSov }), when)
    yield* (yield* ScanStore).end(organizationId, scanId, "completed", when)
  })
