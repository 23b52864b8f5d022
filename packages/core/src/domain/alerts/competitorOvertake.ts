/** Rule `competitor_overtake`: a competitor pulled ahead of the brand (docs/alerts.md). */
import type { CompetitorId } from "../ids.ts"
import { cellMean, competitorShare, type ScoredCell, scoreRow, type Share, sum, weighCells } from "../scoring/cells.ts"
import { findCommonCells } from "../scoring/commonCells.ts"
import { z95OneSided } from "../scoring/studentT.ts"
import { type Change, measureChange } from "../scoring/trend.ts"
import { findCrossing, type GateState, stepGate } from "./crossing.ts"
import { type ComparableScan, type Evidence, isAhead, isBelow, minGateCells } from "./evidence.ts"

/** The memory of the noise gate: the competitors that it considers ahead. */
export interface OvertakeState {
  readonly ahead: ReadonlyArray<CompetitorId>
}

/** The result of a scan for the rule and one competitor. */
export interface Overtake {
  readonly competitorId: CompetitorId
  /** The scan that this one is compared with. */
  readonly since: ComparableScan
  /** The shares in both scans, over their common cells. */
  readonly brand: Change
  readonly competitor: Change
  /**
   * The literal condition: the competitor was not ahead in the earlier scan and is ahead in this one, also over all its
   * cells.
   */
  readonly crossed: boolean
  readonly evidence: Evidence
}

export interface OvertakeStep {
  readonly state: OvertakeState
  readonly competitors: ReadonlyArray<Overtake>
}

/** The lead of the competitor in an answer; negative if the brand leads. */
const makeLeadShare = (id: CompetitorId): Share => {
  const share = competitorShare(id)
  return (row) => share(row) - scoreRow(row)
}

/** The sign test of the competitor's lead, cell by cell. */
const testLead = (cells: ReadonlyArray<ScoredCell>, lead: Share) => {
  const weights = weighCells(cells)
  const leads = cells.map((cell, i) => weights[i]! * cellMean(cell, lead))
  const squares = sum(leads.map((d) => d ** 2))
  return {
    z: squares < 1e-18 ? 0 : sum(leads) / Math.sqrt(squares),
    uneven: leads.filter((d) => Math.abs(d) > 1e-9).length
  }
}

const stepCompetitor = (
  id: CompetitorId,
  memory: OvertakeState | null,
  scans: ReadonlyArray<ComparableScan>
): { readonly found: Overtake; readonly gate: GateState } => {
  const [last, current] = [scans.at(-2)!, scans.at(-1)!]
  const lead = makeLeadShare(id)
  const crossing = findCrossing(scans, {
    isGood: (scan) => !isAhead(scan, id),
    crosses: (one, other) => {
      const { after, before } = measureChange(findCommonCells(one.cells, other.cells).cells, lead)
      return !isBelow(0, before) && isBelow(0, after)
    }
  })
  const { cells } = findCommonCells(crossing.since.cells, current.cells)
  const { after, before } = measureChange(cells, lead)
  const enough = cells.length >= minGateCells
  const now = testLead(cells.map((cell) => cell.after), lead)
  const gateIf = (ahead: boolean): GateState => ahead ? "disarmed" : "armed"
  const { fires, next } = stepGate(
    memory && gateIf(memory.ahead.includes(id)),
    gateIf(isAhead(last, id)),
    crossing,
    enough
      ? {
        // If the competitor already led on these cells before, only the choice of questions has changed
        beyondNoise: now.z > z95OneSided && testLead(cells.map((cell) => cell.before), lead).z <= z95OneSided,
        recovered: testLead(current.cells, lead).z < -z95OneSided
      }
      : {
        beyondNoise: crossing.position === "bad" && isBelow(0, before) && isBelow(0, after) && scans.length > 2 &&
          isAhead(scans.at(-3)!, id),
        recovered: !isAhead(last, id) && !isAhead(current, id)
      }
  )
  return {
    gate: next,
    found: {
      competitorId: id,
      since: crossing.since,
      brand: measureChange(cells, scoreRow),
      competitor: measureChange(cells, competitorShare(id)),
      crossed: crossing.position === "crossed",
      evidence: {
        confirmed: fires,
        confidence: enough ? "normal" : "low",
        cellsMoved: now.uneven,
        nCells: cells.length,
        z: now.z
      }
    }
  }
}

/**
 * Runs one step of the rule for every competitor. `scans` has at least two scans, oldest first; the last scan has just
 * completed and is comparable with the others. `memory` is null if no memory is stored; the scan before then decides.
 * The rule compares the common cells of two scans. A competitor that is not ahead in the whole score raises no alert.
 *
 * The gate considers a competitor ahead from z > 1.645 until z < −1.645. With fewer than 20 cells it requires three
 * scans in a row. A competitor that is ahead only because of other questions counts as ahead, without an alert.
 */
export const stepOvertake = (memory: OvertakeState | null, scans: ReadonlyArray<ComparableScan>): OvertakeStep => {
  const steps = [...scans.at(-1)!.competitors.keys()].map((id) => stepCompetitor(id, memory, scans))
  return {
    state: { ahead: steps.filter(({ gate }) => gate === "disarmed").map(({ found }) => found.competitorId) },
    competitors: steps.map(({ found }) => found)
  }
}
