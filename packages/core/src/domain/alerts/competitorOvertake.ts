/** Rule `competitor_overtake`: a competitor pulled ahead of the brand (measuring.md, trend and alerts). */
import type { CompetitorId } from "../ids.ts"
import { cellMean, competitorShare, rowScore, type ScoredCell, sum, weightsOf } from "../scoring/cells.ts"
import { enoughCells, type Evidence, telling, type WatchedScan } from "./evidence.ts"

/** What the gate remembers: the competitors that are ahead for it. */
export interface OvertakeState {
  readonly ahead: ReadonlyArray<CompetitorId>
}

/** What a scan means for the rule and one competitor. */
export interface Overtake {
  readonly competitorId: CompetitorId
  /** The literal condition: not ahead in the last scan, ahead in this one. */
  readonly crossed: boolean
  readonly evidence: Evidence
}

export interface OvertakeStep {
  readonly state: OvertakeState
  readonly competitors: ReadonlyArray<Overtake>
}

const isAhead = (scan: WatchedScan, id: CompetitorId): boolean => (scan.competitors.get(id) ?? 0) > scan.sov

/** How far the competitor leads, cell by cell, tested by signs: positive when it is ahead. */
const lead = (cells: ReadonlyArray<ScoredCell>, id: CompetitorId) => {
  const weights = weightsOf(cells)
  const differences = cells.map((cell, i) =>
    weights[i]! * (cellMean(cell, competitorShare(id)) - cellMean(cell, rowScore))
  )
  const squares = sum(differences.map((d) => d ** 2))
  return {
    z: squares < 1e-18 ? 0 : sum(differences) / Math.sqrt(squares),
    uneven: differences.filter((d) => Math.abs(d) > 1e-9).length
  }
}

/**
 * One step of the rule for every competitor: `scans` oldest first, the last one has just completed; `state` null where
 * none is kept, then the scan before says it. The first scan ever only sets the state.
 *
 * For the gate a competitor is ahead from z > 1.645 on, and no more from z < −1.645 on. With fewer than 20 cells it asks
 * for two scans in a row.
 */
export const stepOvertake = (state: OvertakeState | null, scans: ReadonlyArray<WatchedScan>): OvertakeStep => {
  const current = scans.at(-1)!
  const previous = scans.at(-2) ?? current
  const ids = [...current.competitors.keys()]
  const before = new Set(state?.ahead ?? ids.filter((id) => isAhead(previous, id)))
  const after = new Set<CompetitorId>()
  const enough = current.cells.length >= enoughCells
  const competitors = ids.map((id): Overtake => {
    const { uneven, z } = lead(current.cells, id)
    const [wasAhead, ahead] = [isAhead(previous, id), isAhead(current, id)]
    const leads = enough ? z > telling : wasAhead && ahead
    const trails = enough ? z < -telling : !wasAhead && !ahead
    if (leads || (before.has(id) && !trails)) after.add(id)
    return {
      competitorId: id,
      crossed: !wasAhead && ahead,
      evidence: {
        confirmed: leads && !before.has(id),
        confidence: enough ? "normal" : "low",
        cellsMoved: uneven,
        nCells: current.cells.length,
        z
      }
    }
  })
  return { state: { ahead: [...after] }, competitors }
}
