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
import { AlertStore } from "../../ports/AlertStore.ts"
import type { ScoredScan } from "../../ports/ScoreStore.ts"
import { NoCompletedScan } from "../errors.ts"
import { readAnswerCost } from "../platforms/estimateCost.ts"
import { readHeadlines } from "./readHeadlines.ts"
import { readHeadlineHistory } from "./reads.ts"
import { isInSeries } from "./scansInTrend.ts"

/** Scored scans that are looked through for those that were measured alike. */
const maxListedScans = 50

/**
 * Reads what the panel of the first of these scans can show, newest first, with the noise of those that were measured
 * like it.
 */
export const readReachOf = Effect.fnUntraced(
  function*(organizationId: OrganizationId, [latest, ...earlier]: readonly [ScoredScan, ...ReadonlyArray<ScoredScan>]) {
    const alike = [latest, ...earlier.filter((one) => isInSeries(one, latest))].slice(0, maxPlanScans)
    const ids = alike.map(({ scan }) => scan.id).toReversed()
    const { cellsOf } = yield* readHeadlines(organizationId, ids, latest.score)
    return findPanelReach(ids.map(cellsOf))
  }
)

/** A panel with what one scan of it is likely to cost; US dollars, null = not known. */
export interface PricedOption extends PanelOption {
  readonly costUsd: number | null
}

/** What a scan costs and which panels show a change. */
export interface PanelPlan extends PanelReach {
  /** The scan whose panel it is: the newest that asked everything; where none did, the newest. */
  readonly scan: Scan
  /** The newest scan, where that is another one. */
  readonly newer: Scan | null
  /** Of a scan like that one. */
  readonly costUsd: number | null
  /** The change that is asked for, in points. */
  readonly points: number
  readonly options: ReadonlyArray<PricedOption>
}

/**
 * Reads what the panel shows: the smallest change of the share of voice between two scans like the newest one that
 * asked everything, seen with 80 % power at the 5 % level; and which panels show a change of `points`. The noise comes
 * from that scan and up to eight before it that were measured alike. Fails with NoCompletedScan before the first that
 * the window shows.
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

/** The threshold of the alert rule `sov_drop`; null where it is off. */
export const findDropThreshold = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const rules = yield* (yield* AlertStore).listRules(organizationId)
  return rules.find(({ enabled, rule }) => enabled && rule === "sov_drop")?.threshold ?? null
})

/**
 * Finds whether the enabled alert rule `sov_drop` asks for a change that the panel of the newest scan cannot show: a
 * fall to just below the threshold. Null when there is no such rule, the share is below it already, or the panel shows
 * it, and for another `scanId` than the newest scored scan's.
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
