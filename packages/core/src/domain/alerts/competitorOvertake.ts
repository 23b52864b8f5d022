/** Rule `competitor_overtake`: a competitor pulled ahead of the brand (measuring.md, trend and alerts). */
import type { CompetitorId } from "../ids.ts"
import { cellMean, competitorShare, rowScore, type ScoredCell, type Share, sum, weightsOf } from "../scoring/cells.ts"
import { type Change, changeOver, commonCells } from "../scoring/trend.ts"
import { below, crossedFrom, enoughCells, type Evidence, isAhead, telling, type WatchedScan } from "./evidence.ts"

/** What the gate remembers: the competitors that are ahead for it. */
export interface OvertakeState {
  readonly ahead: ReadonlyArray<CompetitorId>
}

/** What a scan means for the rule and one competitor. */
export interface Overtake {
  readonly competitorId: CompetitorId
  /** The scan that this one is held against. */
  readonly since: WatchedScan
  /** The shares in the two, over the cells that both have. */
  readonly brand: Change
  readonly competitor: Change
  /** The literal condition: not ahead in that scan, ahead in this one, also with all its cells. */
  readonly crossed: boolean
  readonly evidence: Evidence
}

export interface OvertakeStep {
  readonly state: OvertakeState
  readonly competitors: ReadonlyArray<Overtake>
}

/** How far the competitor leads in an answer; negative when the brand does. */
const leadOf = (id: CompetitorId): Share => {
  const share = competitorShare(id)
  return (row) => share(row) - rowScore(row)
}

/** The lead, cell by cell, tested by signs. */
const testLead = (cells: ReadonlyArray<ScoredCell>, lead: Share) => {
  const weights = weightsOf(cells)
  const leads = cells.map((cell, i) => weights[i]! * cellMean(cell, lead))
  const squares = sum(leads.map((d) => d ** 2))
  return {
    z: squares < 1e-18 ? 0 : sum(leads) / Math.sqrt(squares),
    uneven: leads.filter((d) => Math.abs(d) > 1e-9).length
  }
}

const stepOne = (
  id: CompetitorId,
  state: OvertakeState | null,
  scans: ReadonlyArray<WatchedScan>
): { readonly found: Overtake; readonly ahead: boolean } => {
  const [last, current] = [scans.at(-2)!, scans.at(-1)!]
  const lead = leadOf(id)
  const crosses = (one: WatchedScan, other: WatchedScan): boolean => {
    const { after, before } = changeOver(commonCells(one.cells, other.cells).cells, lead)
    return !below(0, before) && below(0, after)
  }
  const behind = crossedFrom(scans, (scan) => !isAhead(scan, id), crosses)
  const since = behind ?? last
  const crossed = behind !== null && isAhead(current, id) && crosses(behind, current)
  const { cells } = commonCells(since.cells, current.cells)
  const { after, before } = changeOver(cells, lead)
  const enough = cells.length >= enoughCells
  const now = testLead(cells.map((cell) => cell.after), lead)
  const leads = enough
    // On these cells it led before: then only the choice of questions is new
    ? now.z > telling && testLead(cells.map((cell) => cell.before), lead).z <= telling
    : behind === null && below(0, before) && below(0, after)
  const trails = enough
    ? testLead(current.cells, lead).z < -telling
    : !isAhead(last, id) && !isAhead(current, id)
  // Else only other questions took it ahead in the last scan
  const was = (behind === null || !isAhead(last, id)) && (state?.ahead.includes(id) ?? isAhead(last, id))
  const confirmed = leads && !was && isAhead(current, id)
  const shifted = behind !== null && !crossed && isAhead(current, id)
  return {
    ahead: confirmed || (!trails && (was || shifted)),
    found: {
      competitorId: id,
      since,
      brand: changeOver(cells, rowScore),
      competitor: changeOver(cells, competitorShare(id)),
      crossed,
      evidence: {
        confirmed,
        confidence: enough ? "normal" : "low",
        cellsMoved: now.uneven,
        nCells: cells.length,
        z: now.z
      }
    }
  }
}

/**
 * One step of the rule for every competitor: at least two `scans`, oldest first, the last one has just completed, the
 * others are comparable with it; `state` null where none is kept, then the scan before says it. Everything is judged on
 * the cells that the two scans have in common; who is not ahead in the whole score raises nothing.
 *
 * For the gate a competitor is ahead from z > 1.645 on, and no more from z < −1.645 on. With fewer than 20 cells it asks
 * for two scans in a row. Whom only other questions put ahead is taken as ahead, and nothing is said.
 */
export const stepOvertake = (state: OvertakeState | null, scans: ReadonlyArray<WatchedScan>): OvertakeStep => {
  const steps = [...scans.at(-1)!.competitors.keys()].map((id) => stepOne(id, state, scans))
  return {
    state: { ahead: steps.filter(({ ahead }) => ahead).map(({ found }) => found.competitorId) },
    competitors: steps.map(({ found }) => found)
  }
}
