/** An experiment: the sealed plan, its progress, and its result. */
import type { SealHeader } from "../archive/Seal.ts"
import type { Scan } from "../scanning/Scan.ts"
import type { Break } from "../scoring/breaks.ts"
import type { ExperimentResult } from "./effect.ts"
import type { Plan } from "./Plan.ts"

/**
 * `planned` until the day of the change, then `running`, and `ended` once its last day and the scans that began until
 * then are over.
 */
export type ExperimentState = "planned" | "running" | "ended" | "stopped"

/** A sealed plan. */
export interface Experiment {
  readonly plan: Plan
  readonly seal: SealHeader
  readonly state: ExperimentState
  /** When and why the experiment was ended early; null otherwise. */
  readonly stopped: { readonly at: Date; readonly reason: string; readonly sequence: number } | null
}

/** An experiment with its scans. Before the experiment has ended, nothing in it reveals how the shares developed. */
export interface ExperimentDetail extends Experiment {
  /** The scans that count so far, oldest first. */
  readonly before: ReadonlyArray<Scan>
  readonly after: ReadonlyArray<Scan>
  /** Known breaks that will leave the experiment without a verdict. */
  readonly breaks: ReadonlyArray<Break>
  /** Null until the experiment has ended, and always for a stopped one. */
  readonly result: ExperimentResult | null
}
