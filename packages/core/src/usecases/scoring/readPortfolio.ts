import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { type HistoryWindow, isInWindow } from "../../domain/organizations/HistoryWindow.ts"
import { maxDetailScans } from "../../domain/scoring/scoreDetail.ts"
import { type ScoredScan, ScoreStore } from "../../ports/ScoreStore.ts"
import { makeComparison, type Movements, selectDetailScans } from "./readMovements.ts"
import { readScoreDetail } from "./readScoreDetail.ts"

/** The newest headline of one organization. */
export interface PortfolioEntry {
  readonly organizationId: OrganizationId
  /** The newest completed scan within the organization's window; null if there is no such scan. */
  readonly latest: ScoredScan | null
  /** Its change since the scan before it; null if there is no newest scan. */
  readonly movements: Pick<Movements, "comparison" | "previous"> | null
  /** Whether there is a scan older than the organization's window. */
  readonly outsideWindow: boolean
}

/** The newest headlines of several organizations, each within the window of its own plan, in the given order. */
export const readPortfolio = Effect.fn("readPortfolio")(
  function*(
    organizations: ReadonlyArray<{ readonly organizationId: OrganizationId; readonly window: HistoryWindow }>
  ) {
    const ids = organizations.map(({ organizationId }) => organizationId)
    const newest = yield* (yield* ScoreStore).newestOf(ids, maxDetailScans - 1)
    return yield* Effect.forEach(
      organizations,
      Effect.fnUntraced(function*({ organizationId, window }) {
        const found = newest.get(organizationId)
        if (found === undefined || !isInWindow(window, found.latest.scan.startedAt)) {
          const none: PortfolioEntry = {
            organizationId,
            latest: null,
            movements: null,
            outsideWindow: found !== undefined
          }
          return none
        }
        const { before, latest } = found
        const { previous, scans } = selectDetailScans(before, window, latest)
        const { change } = yield* readScoreDetail(organizationId, scans, latest.score)
        const comparison = makeComparison(change, previous, latest.scan)
        const entry: PortfolioEntry = {
          organizationId,
          latest,
          movements: { previous, comparison },
          outsideWindow: false
        }
        return entry
      })
    )
  }
)
