import { Effect } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import {
  type BlindAlert,
  findPanelReach,
  judgeThreshold,
  listPanelOptions,
  maxPlanScans,
  type PanelOption,
  type PanelReach
} from "../../domain/scoring/panelPlan.ts"
import type { ScoredScan } from "../../ports/ScoreStore.ts"
import { readAlertRule } from "../alerts/reads.ts"
import { NoCompletedScan } from "../errors.ts"
import { readAnswerCost } from "../platforms/estimateCost.ts"
import { readHeadlines } from "./readHeadlines.ts"
import { readHeadlineHistory } from "./reads.ts"
import { isInSeries } from "./scansInTrend.ts"

/** Maximum number of scored scans that are searched for scans that were measured the same way. */
const maxListedScans = 50

/**
 * Reads what the panel of the first of these scans (newest first) can detect, based on the noise of the scans that were
 * measured the same way.
 */
const readReachOf = Effect.fnUntraced(
  function*(organizationId: OrganizationId, [latest, ...earlier]: readonly [ScoredScan, ...ReadonlyArray<ScoredScan>]) {
    const alike = [latest, ...earlier.filter((one) => isInSeries(one, latest))].slice(0, maxPlanScans)
    const ids = alike.map(({ scan }) => scan.id).toReversed()
    const { cellsOf } = yield* readHeadlines(organizationId, ids, latest.score)
    return findPanelReach(ids.map(cellsOf))
  }
)

/** A panel and the likely cost of one scan with it, in US dollars; null if unknown. */
export interface PricedOption extends PanelOption {
  readonly costUsd: number | null
}

/** The cost of a scan, and the panels that detect a change. */
export interface PanelPlan extends PanelReach {
  /** The scan whose panel is examined: the newest scan that asked everything; if no scan did, the newest scan. */
  readonly scan: Scan
  /** The newest scan, if it is a different one; otherwise null. */
  readonly newer: Scan | null
  /** The cost of another such scan. */
  readonly costUsd: number | null
  /** The change to detect, in points. */
  readonly points: number
  readonly options: ReadonlyArray<PricedOption>
}

/**
 * Reads the smallest change of the share of voice that two scans like the newest complete one can detect, with 80 %
 * power at the 5 % level, and the panels that detect a change of `points`. The noise comes from that scan and up to
 * eight earlier scans that were measured the same way. Fails with NoCompletedScan if the window contains no scan.
 */
export const planPanel = Effect.fn("planPanel")(
  function*(organizationId: OrganizationId, window: HistoryWindow, points: number) {
    const { newer, scans: [latest, ...earlier] } = yield* readHeadlineHistory(
      organizationId,
      maxListedScans,
      window.since
    )
    if (latest === undefined) return yield* new NoCompletedScan()
    const { scan } = latest
    const reach = yield* readReachOf(organizationId, [latest, ...earlier])
    const perQuestion = yield* readAnswerCost
    const price = (questions: number) => perQuestion === null ? null : perQuestion * questions
    const platforms = Math.max(1, reach.platforms)
    const plan: PanelPlan = {
      ...reach,
      scan,
      newer,
      costUsd: price(Math.round(reach.cells * reach.samples)),
      points,
      options: listPanelOptions(reach.noise, platforms, points).map((option) => ({
        ...option,
        costUsd: price(option.questions)
      }))
    }
    return plan
  }
)

/** The threshold of the alert rule `sov_drop`; null if the rule is off. */
export const findDropThreshold = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const { enabled, threshold } = yield* readAlertRule(organizationId, "sov_drop")
  return enabled ? threshold : null
})

/**
 * Checks whether the panel of the newest scan is too small for the enabled alert rule `sov_drop`, because it cannot
 * detect a fall to just below the threshold. Null if the rule is off, if the share is already below the threshold, if
 * the panel detects the fall, or if `scanId` is not the newest scored scan.
 */
export const findBlindAlert = Effect.fn("findBlindAlert")(
  function*(organizationId: OrganizationId, window: HistoryWindow, scanId?: ScanId) {
    const threshold = yield* findDropThreshold(organizationId)
    if (threshold === null) return null
    const { scans: [latest, ...earlier] } = yield* readHeadlineHistory(organizationId, maxListedScans, window.since)
    if (latest === undefined || (scanId !== undefined && scanId !== latest.scan.id)) return null
    const { avgSov } = latest.score
    if (avgSov === null || avgSov < threshold) return null
    const found: BlindAlert | null = judgeThreshold(
      threshold,
      avgSov,
      yield* readReachOf(organizationId, [latest, ...earlier])
    )
    return found
  }
)
