/** An experiment: the sealed plan, how far it is, and what it has shown. */
import type { SealHeader } from "../archive/Seal.ts"
import type { Scan } from "../scanning/Scan.ts"
import type { Break } from "../scoring/breaks.ts"
import type { ExperimentResult } from "./effect.ts"
import type { Plan } from "./Plan.ts"

/** `planned` until the day of the change, then `running`, and `ended` from the day after its last one. */
export type ExperimentState = "planned" | "running" | "ended" | "stopped"

/** A sealed plan. */
export interface Experiment {
  readonly plan: Plan
  readonly seal: SealHeader
  readonly state: ExperimentState
  /** When and why it was ended early; null otherwise. */
  readonly stopped: { readonly at: Date; readonly reason: string; readonly sequence: number } | null
}

/** An experiment with its scans. Nothing in it tells how the shares went before the experiment has ended. */
export interface ExperimentDetail extends Experiment {
  /** The scans that count so far, oldest first. */
  readonly before: ReadonlyArray<Scan>
  readonly after: ReadonlyArray<Scan>
  /** What will leave it without a verdict, as far as that is known by now. */
  readonly breaks: ReadonlyArray<Break>
  /** Null until it has ended, and of a stopped one. */
  readonly result: ExperimentResult | null
}
