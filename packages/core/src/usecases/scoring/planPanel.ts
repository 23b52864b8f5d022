import { Effect } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { findCommonCells } from "../../domain/scoring/commonCells.ts"
import {
  type CellNoise,
  estimateCellNoise,
  findDetectableChange,
  listPanelOptions,
  type PanelOption
} from "../../domain/scoring/panelPlan.ts"
import { AlertStore } from "../../ports/AlertStore.ts"
import { AnswerPlatforms } from "../../ports/AnswerPlatform.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { NoCompletedScan } from "../errors.ts"
import { estimateCost } from "../platforms/estimateCost.ts"
import { readHeadlines } from "./readHeadlines.ts"
import { isMeasuredAlike } from "./scansInTrend.ts"

/** Completed scans that the noise is estimated from. */
const maxScans = 9

/** What the newest scan's panel can show. */
export interface PanelReach {
  readonly keywords: number
  readonly platforms: number
  /** Answers of a cell, on average. */
  readonly samples: number
  readonly cells: number
  readonly noise: CellNoise
  /** The smallest change in points that it shows; null = not even 100. */
  readonly detectable: number | null
}

/**
 * Reads what the newest scored scan that the window shows can tell: the smallest change of the share of voice between two scans
 * like it that is seen with 80 % power at the 5 % level. The noise comes from it and up to eight scans before it that were
 * measured alike. Fails with NoCompletedScan before the first.
 */
const readPanelReach = Effect.fn("readPanelReach")(
  function*(organizationId: OrganizationId, window: HistoryWindow) {
    const [latest, ...earlier] = yield* (yield* ScoreStore).history(organizationId, maxScans, window.since)
    if (latest === undefined) return yield* new NoCompletedScan()
    const alike = [latest, ...earlier.filter((one) => isMeasuredAlike(one, latest))].toReversed()
    const ids = alike.map(({ scan }) => scan.id)
    const { cellsOf } = yield* readHeadlines(organizationId, ids, latest.score)
    const scans = ids.map(cellsOf)
    const pairs = scans.slice(1).map((after, i) => findCommonCells(scans[i]!, after))
    const cells = scans.at(-1)!
    const noise = estimateCellNoise(scans, pairs)
    const samples = cells.length === 0 ? 1 : cells.reduce((sum, { rows }) => sum + rows.length, 0) / cells.length
    const reach: PanelReach = {
      keywords: new Set(cells.map(({ keywordId }) => keywordId)).size,
      platforms: new Set(cells.map(({ platform }) => platform)).size,
      samples,
      cells: cells.length,
      noise,
      detectable: cells.length === 0 ? null : findDetectableChange(noise, samples, cells.length)
    }
    return reach
  }
)

/** A panel with what one scan of it is likely to cost; US dollars, null = not known. */
export interface PricedOption extends PanelOption {
  readonly costUsd: number | null
}

/** What a scan costs and which panels show a change. */
export interface PanelPlan extends PanelReach {
  /** Of a scan like the newest. */
  readonly costUsd: number | null
  /** The change that is asked for, in points. */
  readonly points: number
  readonly options: ReadonlyArray<PricedOption>
}

/** Reads what the present panel shows, and which panels show a change of `points`. Fails as `readPanelReach`. */
export const planPanel = Effect.fn("planPanel")(
  function*(organizationId: OrganizationId, window: HistoryWindow, points: number) {
    const reach = yield* readPanelReach(organizationId, window)
    const configured = [...(yield* AnswerPlatforms).all.values()]
    const real = configured.filter(({ simulated }) => !simulated)
    const costs = yield* estimateCost(configured, 1)
    const perQuestion = configured.length > 0 && real.length === 0
      ? 0
      : real.length === 0 || costs.some(({ costUsd }) => costUsd === null)
      ? null
      : costs.reduce((sum, { costUsd }) => sum + costUsd!, 0) / real.length
    const price = (questions: number) => perQuestion === null ? null : perQuestion * questions
    const platforms = Math.max(1, reach.platforms)
    const plan: PanelPlan = {
      ...reach,
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

/** An alert for which the panel is too small. */
export interface BlindAlert {
  /** The threshold of `sov_drop`, and how far the share of voice is above it, in points. */
  readonly threshold: number
  readonly distance: number
  /** The smallest change that the panel shows; null = not even 100. */
  readonly detectable: number | null
}

/**
 * Finds whether the enabled alert rule `sov_drop` asks for a change that the panel of the newest scan cannot show: a fall to
 * just below the threshold. Null when there is no such rule, the share is below it already, or the panel shows it, and for another
 * `scanId` than the newest scored scan's.
 */
export const findBlindAlert = Effect.fn("findBlindAlert")(
  function*(organizationId: OrganizationId, window: HistoryWindow, scanId?: ScanId) {
    const rules = yield* (yield* AlertStore).listRules(organizationId)
    const drop = rules.find(({ enabled, rule }) => enabled && rule === "sov_drop")
    if (drop === undefined || drop.threshold === null) return null
    const [latest] = yield* (yield* ScoreStore).history(organizationId, 1, window.since)
    if (latest === undefined || (scanId !== undefined && scanId !== latest.scan.id)) return null
    if (latest.score.avgSov === null || latest.score.avgSov < drop.threshold) return null
    const { detectable } = yield* readPanelReach(organizationId, window)
    const distance = latest.score.avgSov - drop.threshold
    const found: BlindAlert = { threshold: drop.threshold, distance, detectable }
    return detectable !== null && detectable <= distance ? null : found
  },
  Effect.catchTag("NoCompletedScan", () => Effect.succeed(null))
)
