import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { type HistoryWindow, isInWindow } from "../../domain/organizations/HistoryWindow.ts"
import { type ScoredScan, ScoreStore } from "../../ports/ScoreStore.ts"

/** The newest headline of one organization. */
export interface PortfolioEntry {
  readonly organizationId: OrganizationId
  /** The newest completed scan that its window shows; null where there is none. */
  readonly latest: ScoredScan | null
  /** Whether there is one that is older than what its window shows. */
  readonly outsideWindow: boolean
}

/** The newest headlines of several organizations, each as far as its own plan shows, in the order given. */
export const readPortfolio = Effect.fn("readPortfolio")(
  function*(
    organizations: ReadonlyArray<{ readonly organizationId: OrganizationId; readonly window: HistoryWindow }>
  ) {
    const newest = yield* (yield* ScoreStore).newestOf(organizations.map(({ organizationId }) => organizationId))
    return organizations.map(({ organizationId, window }): PortfolioEntry => {
      const latest = newest.get(organizationId) ?? null
      const shown = latest !== null && isInWindow(window, latest.scan.startedAt)
      return { organizationId, latest: shown ? latest : null, outsideWindow: latest !== null && !shown }
    })
  }
)
