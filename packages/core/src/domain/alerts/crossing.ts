/**
 * How a rule's bound is crossed, the same for `sov_drop` (bound: the threshold, bad side: below) and
 * `competitor_overtake` (bound: the brand's share, bad side: the competitor is ahead). docs/alerts.md describes both.
 */
import { askSameQuestions, type ComparableScan } from "./evidence.ts"

/** The bound of a rule. */
interface Bound {
  /** Whether the scan's whole score is on the good side. */
  readonly isGood: (scan: ComparableScan) => boolean
  /** Whether the share goes from the good side to the bad one, over the cells that both scans have. */
  readonly crosses: (before: ComparableScan, after: ComparableScan) => boolean
}

/**
 * Where a scan stands after the scans before it:
 * `good` its whole score is on the good side ·
 * `crossed` its whole score is on the bad side, and the common cells crossed from an earlier scan ·
 * `otherQuestions` its whole score is on the bad side, but no crossing is seen on the common cells: the scans asked
 * different questions ·
 * `bad` its whole score is on the bad side, and the crossing came with an earlier scan, or none was ever seen.
 */
type Position = "good" | "crossed" | "otherQuestions" | "bad"

interface Crossing {
  readonly position: Position
  /** The scan that this one is compared with. */
  readonly since: ComparableScan
  /** Whether the scan before this one is on the bad side because of other questions alone. */
  readonly lastByOtherQuestions: boolean
}

/**
 * The scan that a crossing is counted from: the last one on the good side. That is the scan before, or an earlier one
 * where only the choice of questions has taken the scores since to the bad side: none of them crosses from it on the
 * cells that both have. Where the current scan does not cross from it, one of the good scans just before it from which
 * it does: other questions have hidden the crossing in between. Null when the scan before is on the bad side and asked
 * the same as the current one, or when the crossing came with an earlier scan.
 */
const findScanBeforeCrossing = (
  scans: ReadonlyArray<ComparableScan>,
  { crosses, isGood }: Bound
): ComparableScan | null => {
  const current = scans.at(-1)!
  const earlier = scans.slice(0, -1)
  const from = earlier.findLastIndex(isGood)
  if (from < 0) return null
  const since = earlier.slice(from + 1)
  if (since.some((scan) => askSameQuestions(scan, current) || crosses(earlier[from]!, scan))) return null
  const goodOnes = earlier.slice(earlier.slice(0, from).findLastIndex((scan) => !isGood(scan)) + 1, from + 1)
  return goodOnes.findLast((scan) => crosses(scan, current)) ?? earlier[from]!
}

/** Where the last of at least two `scans` stands; oldest first, each comparable with the last. */
export const findCrossing = (scans: ReadonlyArray<ComparableScan>, bound: Bound): Crossing => {
  const [last, current] = [scans.at(-2)!, scans.at(-1)!]
  const from = findScanBeforeCrossing(scans, bound)
  const classifyPosition = (): Position => {
    if (bound.isGood(current)) return "good"
    if (from === null) return "bad"
    return bound.crosses(from, current) ? "crossed" : "otherQuestions"
  }
  return {
    position: classifyPosition(),
    since: from ?? last,
    lastByOtherQuestions: from !== null && !bound.isGood(last)
  }
}

/**
 * The noise gate of a rule: `armed` = it can fire · `disarmed` = the crossing is known; it is armed on the way back.
 */
export type GateState = "armed" | "disarmed"

/**
 * What a scan means for the gate:
 * `beyondNoise` the whole score is on the bad side, and noise is no good explanation ·
 * `otherQuestions` the whole score is on the bad side because of other questions alone ·
 * `recovered` the share is clearly on the good side ·
 * `inconclusive` none of these.
 */
type GateSignal = "beyondNoise" | "otherQuestions" | "recovered" | "inconclusive"

interface GateStep {
  readonly next: GateState
  /** Whether the gate confirms an alert. */
  readonly fires: boolean
}

const keepState = (state: GateState): GateStep => ({ next: state, fires: false })

/** Every step of the gate. It fires once a crossing; what other questions did disarms it and fires nothing. */
const gateSteps: { readonly [S in GateState]: { readonly [G in GateSignal]: GateStep } } = {
  armed: {
    beyondNoise: { next: "disarmed", fires: true },
    otherQuestions: { next: "disarmed", fires: false },
    recovered: keepState("armed"),
    inconclusive: keepState("armed")
  },
  disarmed: {
    beyondNoise: keepState("disarmed"),
    otherQuestions: keepState("disarmed"),
    recovered: { next: "armed", fires: false },
    inconclusive: keepState("disarmed")
  }
}

/** What a scan means for the gate. `beyondNoise` is about the common cells, `recovered` about the whole score. */
const toGateSignal = (
  { position }: Crossing,
  { beyondNoise, recovered }: { readonly beyondNoise: boolean; readonly recovered: boolean }
): GateSignal => {
  if (beyondNoise && position !== "good") return "beyondNoise"
  if (recovered) return "recovered"
  return position === "otherQuestions" ? "otherQuestions" : "inconclusive"
}

/**
 * One step of the gate. `remembered` null where nothing is kept: then the scan before decides. A gate that other
 * questions alone disarmed is armed again for a scan that is compared with one from before them.
 */
export const stepGate = (
  remembered: GateState | null,
  last: GateState,
  crossing: Crossing,
  evidence: { readonly beyondNoise: boolean; readonly recovered: boolean }
): GateStep => {
  const state = crossing.lastByOtherQuestions ? "armed" : remembered ?? last
  return gateSteps[state][toGateSignal(crossing, evidence)]
}
