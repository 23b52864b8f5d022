/** Rule `sov_drop`: the share of voice crossed a threshold downward (docs/alerts.md). */
import { scoreRow } from "../scoring/cells.ts"
import { findCommonCells } from "../scoring/commonCells.ts"
import { findTrend } from "../scoring/movements.ts"
import { z95OneSided } from "../scoring/studentT.ts"
import { type Change, measureChange } from "../scoring/trend.ts"
import { findCrossing, type GateState, stepGate } from "./crossing.ts"
import {
  type ComparableScan,
  countMovedCells,
  estimateScanNoise,
  type Evidence,
  isBelow,
  minGateCells
} from "./evidence.ts"

/** The memory of the gate. `armed`: it has not fired since the share of voice was last above the threshold. */
export interface SovDropState {
  readonly armed: boolean
}

/** The result of a scan for the rule. */
export interface SovDropStep {
  readonly state: SovDropState
  /** The scan that this one is compared with. */
  readonly since: ComparableScan
  /** The share of voice in both scans, over their common cells. */
  readonly change: Change
  /**
   * The literal condition: the earlier scan is at or above the threshold and this one is below, also over all its
   * cells.
   */
  readonly crossed: boolean
  readonly evidence: Evidence
}

/**
 * Runs one step of the rule. `scans` contains at least two scans, oldest first; the last scan has just completed and is
 * comparable with the others. `memory` is null if no memory is stored; the scan before then decides. The rule compares
 * the common cells of two scans. It raises no alert unless the whole score is below the threshold.
 *
 * The armed gate fires if this scan is below and either the fall is significant and reaches far below, or the last scan
 * is also below and the mean of both is clearly below. The gate is armed again when the share of voice is clearly
 * above. With fewer than 20 common cells it requires three scans in a row below. If only other questions move the score
 * below, the gate is disarmed without an alert.
 */
export const stepSovDrop = (
  threshold: number,
  memory: SovDropState | null,
  scans: ReadonlyArray<ComparableScan>
): SovDropStep => {
  const [last, current] = [scans.at(-2)!, scans.at(-1)!]
  const crossing = findCrossing(scans, {
    isGood: (scan) => !isBelow(scan.sov, threshold),
    crosses: (one, other) => {
      const { after, before } = measureChange(findCommonCells(one.cells, other.cells).cells, scoreRow)
      return !isBelow(before, threshold) && isBelow(after, threshold)
    }
  })
  const common = findCommonCells(crossing.since.cells, current.cells)
  const change = measureChange(common.cells, scoreRow)
  const compared = [...scans.slice(0, scans.indexOf(crossing.since) + 1), current].map(({ cells }) => cells)
  const trend = findTrend(compared, [...current.competitors.keys()])
  const isBelowNow = isBelow(change.after, threshold)
  const twice = crossing.position === "bad" && isBelow(change.before, threshold) && isBelowNow
  const enough = trend !== null && common.cells.length >= minGateCells
  const se = enough ? estimateScanNoise(scans) : 0
  const gateIf = (armed: boolean): GateState => armed ? "armed" : "disarmed"
  const { fires, next } = stepGate(
    memory && gateIf(memory.armed),
    gateIf(!isBelow(last.sov, threshold)),
    crossing,
    {
      beyondNoise: enough
        ? (isBelowNow && trend.direction === "down" && isBelow(change.after, threshold - z95OneSided * se)) ||
          (twice && isBelow((change.after + change.before) / 2, threshold - se))
        : twice && scans.length > 2 && isBelow(scans.at(-3)!.sov, threshold),
      recovered: !isBelow(current.sov, threshold + se)
    }
  )
  return {
    state: { armed: next === "armed" },
    since: crossing.since,
    change,
    crossed: crossing.position === "crossed",
    evidence: {
      confirmed: fires,
      confidence: enough ? "normal" : "low",
      cellsMoved: countMovedCells(common),
      nCells: common.cells.length,
      z: trend?.z ?? null
    }
  }
}
