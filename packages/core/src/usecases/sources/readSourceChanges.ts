import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { findSourceChanges } from "../../domain/sources/metrics.ts"
import { readSources, type SourceScope } from "./readSources.ts"

/**
 * The domains that the newest completed scan cites more or less often than the comparable scan before it, by more than
 * chance; null if there is no scan to compare with. Fails with NoCompletedScan if no scan has completed.
 */
export const readSourceChanges = Effect.fn("readSourceChanges")(
  function*(organizationId: OrganizationId, window: HistoryWindow, scope: Omit<SourceScope, "scans">) {
    const { rows, scans: [latest, before] } = yield* readSources(organizationId, window, { ...scope, scans: 2 })
    if (before === undefined) return null
    const changes = findSourceChanges(
      rows.filter(({ scanId }) => scanId === before.id),
      rows.filter(({ scanId }) => scanId === latest.id)
    )
    return { since: before, changes: changes.filter(({ beyondNoise }) => beyondNoise) }
  }
)
