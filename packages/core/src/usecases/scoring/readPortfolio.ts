import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { type HistoryWindow, isInWindow } from "../../domain/organizations/HistoryWindow.ts"
import { type ScoredScan, ScoreStore } from "../../ports/ScoreStore.ts"
import { type Movements, readMovements } from "./readMovements.ts"

/** The newest headline of one organization. */
export interface PortfolioEntry {
  readonly organizationId: OrganizationId
  /** The newest completed scan within the organization's window; null if there is no such scan. */
  readonly latest: ScoredScan | null
  /** Its change since the scan before it; null if there is no newest scan. */
  readonly movements: Movements | null
  /** Whether there is a scan older than the organization's window. */
  readonly outsideWindow: boolean
}

/** The newest headlines of several organizations, each within the window of its own plan, in the given order. */
export const readPortfolio = Effect.fn("readPortfolio")(
  function*(
    organizations: ReadonlyArray<{ readonly organizationId: OrganizationId; readonly window: HistoryWindow }>
  ) {
    const newest = yield* (yield* ScoreStore).newestOf(organizations.map(({ organizationId }) => organizationId))
    return yield* Effect.forEach(organizations, ({ organizationId, window }) => {
      const latest = newest.get(organizationId) ?? null
      return latest === null || !isInWindow(window, latest.scan.startedAt)
        ? Effect.succeed<PortfolioEntry>({
          organizationId,
          latest: null,
          movements: null,
          outsideWindow: latest !== null
        })
        : Effect.map(
          readMovements(organizationId, window, latest.scan, latest.score),
          (movements): PortfolioEntry => ({ organizationId, latest, movements, outsideWindow: false })
        )
    })
  }
)
