import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { Scan, ScanStatus } from "../../domain/scanning/Scan.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { listScans } from "./listScans.ts"

/** A scan with its headline. */
export interface ScoredListing {
  readonly scan: Scan
  /** Share of voice, 0–100 and unrounded; null while the scan has no score, or no answer. */
  readonly avgSov: number | null
}

/** Scans of the organization with their share of voice, the newest first: up to `limit`, with this status where one is given. */
export const listScoredScans = Effect.fn("listScoredScans")(
  function*(organizationId: OrganizationId, query: { readonly limit: number; readonly status?: ScanStatus }) {
    const scans = yield* listScans(organizationId, query)
    const completed = scans.filter(({ status }) => status === "completed").map(({ id }) => id)
    const scores = completed.length === 0 ? [] : yield* (yield* ScoreStore).ofScans(organizationId, completed)
    const shares = new Map(scores.map(({ avgSov, scanId }) => [scanId, avgSov]))
    return scans.map((scan): ScoredListing => ({ scan, avgSov: shares.get(scan.id) ?? null }))
  }
)
