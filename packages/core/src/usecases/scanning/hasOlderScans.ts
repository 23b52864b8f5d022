import { Effect } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { ScanStore } from "../../ports/ScanStore.ts"

/** Below every id: of the scans of one moment it comes last. */
const lowestId = "00000000-0000-0000-0000-000000000000" as ScanId

/** Whether the window keeps back scans, because they are older. */
export const hasOlderScans = Effect.fnUntraced(function*(organizationId: OrganizationId, { since }: HistoryWindow) {
  if (since === null) return false
  const older = yield* (yield* ScanStore).list(organizationId, { limit: 1, before: { startedAt: since, id: lowestId } })
  return older.length > 0
})
