/**
 * Detects that a share crosses a rule's bound, for `sov_drop` (bound: the threshold; bad side: below) and
 * `competitor_overtake` (bound: the brand's share; bad side: the competitor is ahead). docs/alerts.md describes both.
 */
import { askSameQuestions, type ComparableScan } from "./evidence.ts"

/** The bound of a rule. */
interface Bound {
  /** Whether the score over all cells of the scan is on the good side. */
  readonly isGood: (scan: ComparableScan) => boolean
  /** Whether the share crosses from the good side to the bad one, over the common cells of both scans. */
  readonly crosses: (before: ComparableScan, after: ComparableScan) => boolean
}

/**
 * Where the last scan is, compared with the scans before it. `good`: its whole score is on the good side · `crossed`:
 * its whole score is on the bad side, and the common cells crossed from an earlier scan · `otherQuestions`: its whole
 * score is on the bad side, but the common cells show no crossing, because the scans asked different questions · `bad`:
 * its whole score is on the bad side, and the crossing happened in an earlier scan or never.
 */
type Position = "good" | "crossed" | "otherQuestions" | "bad"

interface Crossing {
  readonly position: Position
  /** The scan that this one is compared with. */
  readonly since: ComparableScan
  /** Whether the scan before this one is on the bad side only because of other questions. */
  readonly lastByOtherQuestions: boolean
}

/**
 * Finds the scan that a crossing starts from, usually the last scan on the good side. This is the scan before, or an
 * earlier one if only the choice of questions moved the later scores to the bad side, so that none of them crosses on
 * the common cells. If the current scan does not cross from that scan, an earlier good scan from which it crosses is
 * used, because other questions hid the crossing. Null if the scan before is on the bad side and asked the same
 * questions, or if an earlier scan crossed.
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

/**
 * Finds the position of the last of at least two `scans`, which are sorted oldest first and comparable with the last.
 */
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
 * The state of a rule's noise gate. `armed`: it can fire · `disarmed`: the crossing is already known; a recovery arms
 * the gate again.
 */
export type GateState = "armed" | "disarmed"

/**
 * What a scan tells the gate. `beyondNoise`: the whole score is on the bad side, and noise does not explain it ·
 * `otherQuestions`: the whole score is on the bad side only because of other questions · `recovered`: the share is
 * clearly on the good side · `inconclusive`: anything else.
 */
type GateSignal = "beyondNoise" | "otherQuestions" | "recovered" | "inconclusive"

interface GateStep {
  readonly next: GateState
  /** Whether the gate confirms an alert in this step. */
  readonly fires: boolean
}

const keepState = (state: GateState): GateStep => ({ next: state, fires: false })

/**
 * The gate's next state for each state and signal. The gate fires once per crossing; other questions disarm it without
 * an alert.
 */
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

/** Classifies a scan for the gate: `beyondNoise` by the common cells, `recovered` by the whole score. */
const toGateSignal = (
  { position }: Crossing,
  { beyondNoise, recovered }: { readonly beyondNoise: boolean; readonly recovered: boolean }
): GateSignal => {
  if (beyondNoise && position !== "good") return "beyondNoise"
  if (recovered) return "recovered"
  return position === "otherQuestions" ? "otherQuestions" : "inconclusive"
}

/**
 * Runs one step of the gate. `remembered` is null if no state is stored; the scan before then decides. A gate that was
 * disarmed only by other questions is armed again if the scan is compared with an earlier scan.
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
