/** An experiment: its sealed plan, its progress, and its result. */
import type { SealHeader } from "../archive/Seal.ts"
import type { Scan } from "../scanning/Scan.ts"
import type { Break } from "../scoring/breaks.ts"
import type { ExperimentResult } from "./effect.ts"
import type { Plan } from "./Plan.ts"

/**
 * `planned` until the day of the change, then `running`; `ended` once the last day has passed and all scans that began
 * by then are over.
 */
export type ExperimentState = "planned" | "running" | "ended" | "stopped"

/** An experiment that was registered by sealing its plan. */
export interface Experiment {
  readonly plan: Plan
  readonly seal: SealHeader
  readonly state: ExperimentState
  /** When and why the experiment was ended early; null otherwise. */
  readonly stopped: { readonly at: Date; readonly reason: string; readonly sequence: number } | null
}

/** An experiment with its scans. Until it has ended, nothing in this object reveals how the shares developed. */
export interface ExperimentDetail extends Experiment {
  /** The counted scans before and after the change, oldest first. */
  readonly before: ReadonlyArray<Scan>
  readonly after: ReadonlyArray<Scan>
  /** Known breaks in the series; because of them the experiment will have no verdict. */
  readonly breaks: ReadonlyArray<Break>
  /** Null until the experiment has ended, and always for a stopped one. */
  readonly result: ExperimentResult | null
}
