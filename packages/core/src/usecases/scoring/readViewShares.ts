import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { describeSurface, type View } from "../../domain/platforms/surface.ts"
import { poolShares } from "../../domain/scoring/poolViews.ts"
import { capturedView, standardView } from "../../domain/tracking/ViewInput.ts"
import type { ScoredScan } from "../../ports/ScoreStore.ts"
import { Rejected } from "../errors.ts"
import { listViews } from "../tracking/editViews.ts"
import { hasSameVersions } from "./readHeadlines.ts"
import { readSurfaceLine } from "./readOrigins.ts"
import { readHeadlineHistory } from "./reads.ts"

/**
 * A view with its headline: its newest completed scan that asked everything, or else its newest one; null if that scan
 * asked the view in another form, or if no scan has completed.
 */
export interface ViewShare {
  /** Null for the standard view. */
  readonly view: View | null
  readonly newest: ScoredScan | null
  /** One line that says which answers `newest` measures (`describeSurface`). */
  readonly surfaceLine: string | null
}

/** The name of a view. */
export const nameOfView = (view: View | null): string => view?.name ?? standardView

const isSameView = (view: View | null, { scan }: ScoredScan): boolean =>
  JSON.stringify(scan.view ?? null) === JSON.stringify(view)

/**
 * Reads the newest share of each view, the standard view first and the view of captured answers last. The shares are
 * independent and never added up.
 */
export const readViewShares = Effect.fn("readViewShares")(
  function*(organizationId: OrganizationId, window: HistoryWindow) {
    const shares = yield* Effect.forEach(
      [null, ...yield* listViews(organizationId), capturedView],
      (view) =>
        Effect.gen(function*() {
          const { scans: [found] } = yield* readHeadlineHistory(organizationId, 1, window.since, null, view?.name)
          const newest = found !== undefined && isSameView(view, found) ? found : null
          const surfaceLine = newest === null ? null : yield* readSurfaceLine(organizationId, newest.scan)
          const share: ViewShare = { view, newest, surfaceLine }
          return share
        })
    )
    // Nobody creates the view of captured answers, so it is listed only once it has a scan
    return shares.filter(({ newest, view }) => view !== capturedView || newest !== null)
  }
)

/**
 * Combines these views into one number, with weights that the user chose. Fails with Rejected for a view without a
 * share, and for shares that must not be combined: of APIs and of apps, simulated and real, or measured with different
 * names or rules.
 */
export const poolViews = Effect.fnUntraced(
  function*(shares: ReadonlyArray<ViewShare>, weights: ReadonlyMap<string, number>) {
    const chosen = yield* Effect.forEach(weights, ([name, weight]) => {
      const newest = shares.find(({ view }) => nameOfView(view) === name)?.newest
      const sov = newest?.score.avgSov
      return newest == null || sov == null
        ? Effect.fail(new Rejected({ field: "weight", message: `the view ${JSON.stringify(name)} has no share yet` }))
        : weight > 0 && Number.isFinite(weight)
        ? Effect.succeed({ newest, weight, sov, interval: newest.score.uncertainty?.interval ?? null })
        : Effect.fail(new Rejected({ field: "weight", message: "a weight is a number above 0" }))
    })
    const [first] = chosen
    if (first === undefined) return yield* new Rejected({ field: "weight", message: "name a weight for each view" })
    const other = chosen.find(({ newest: { scan } }) =>
      (scan.surface === "app") !== (first.newest.scan.surface === "app") ||
      scan.simulated !== first.newest.scan.simulated
    )
    if (other !== undefined) {
      return yield* new Rejected({
        field: "weight",
        message: `${describeSurface(first.newest.scan)} and ${describeSurface(other.newest.scan)} never add up`
      })
    }
    if (chosen.some(({ newest }) => !hasSameVersions(newest.score, first.newest.score))) {
      return yield* new Rejected({
        field: "weight",
        message: "the views were measured with other names or rules: sov rescore measures them alike"
      })
    }
    return poolShares(chosen)
  }
)
