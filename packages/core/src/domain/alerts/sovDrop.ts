/** Rule `sov_drop`: the share of voice crossed a threshold downward (measuring.md, trend and alerts). */
import { rowScore } from "../scoring/cells.ts"
import { commonCells, pairedTrend } from "../scoring/trend.ts"
import { enoughCells, type Evidence, movedCells, scanNoise, telling, type WatchedScan } from "./evidence.ts"

/** What the gate remembers: `armed` = it has not fired since the share of voice was last above the threshold. */
export interface SovDropState {
  readonly armed: boolean
}

/** What a scan means for the rule. */
export interface SovDropStep {
  readonly state: SovDropState
  /** The literal condition: the last scan at or above the threshold, this one below. */
  readonly crossed: boolean
  readonly evidence: Evidence
}

/**
 * One step of the rule: `scans` oldest first, the last one has just completed; `state` null where none is kept, then the
 * scan before says it. The first scan ever only sets the state.
 *
 * The gate fires while armed when this scan is below and either the fall is no chance and far below, or this scan and the
 * last are below and their mean is clearly so. It is armed again once the share of voice is clearly above. With fewer than
 * 20 cells in common it asks for two scans in a row below.
 */
export const stepSovDrop = (
  threshold: number,
  state: SovDropState | null,
  scans: ReadonlyArray<WatchedScan>
): SovDropStep => {
  const current = scans.at(-1)!
  const previous = scans.at(-2)
  if (previous === undefined) {
    const evidence: Evidence = { confirmed: false, confidence: "low", cellsMoved: 0, nCells: 0, z: null }
    return { state: { armed: current.sov >= threshold }, crossed: false, evidence }
  }
  const common = commonCells(previous.cells, current.cells)
  const z = pairedTrend(common, rowScore)?.z ?? null
  const below = current.sov < threshold
  const twice = below && previous.sov < threshold
  const enough = z !== null && common.cells.length >= enoughCells
  const se = enough ? scanNoise(scans) : 0
  const convincing = enough
    ? (below && z <= -telling && current.sov < threshold - telling * se) ||
      (twice && (current.sov + previous.sov) / 2 < threshold - se)
    : twice
  const { armed } = state ?? { armed: previous.sov >= threshold }
  const confirmed = armed && convincing
  return {
    state: { armed: !confirmed && (armed || current.sov >= threshold + se) },
    crossed: previous.sov >= threshold && below,
    evidence: {
      confirmed,
      confidence: enough ? "normal" : "low",
      cellsMoved: movedCells(common),
      nCells: common.cells.length,
      z
    }
  }
}
