import { formatSigned } from "../scoring/describeTrend.ts"
import type { ExperimentResult } from "./effect.ts"
import type { Plan } from "./Plan.ts"

/**
 * The result of an experiment in one sentence; before its end, a sentence that says that there is no result yet.
 * `stopped` is its early end.
 */
export const describeExperiment = (
  { rise_tenths, until }: Pick<Plan, "rise_tenths" | "until">,
  result: ExperimentResult | null,
  stopped: { readonly reason: string } | null = null
): string => {
  if (stopped !== null) return `Ended early without a result: ${stopped.reason}`
  if (result === null) return `No result before ${until} is over.`
  const { broken, effect, verdict } = result
  if (effect === null) return `No verdict: ${broken ?? "there are too few answers"}.`
  const points = `${formatSigned(effect.points)} points`
  if (verdict === "rise") return `The treated topics gained ${points} against those held out.`
  if (verdict === "fall") return `The treated topics lost ${points.replace("-", "")} against those held out.`
  return `No effect is shown (${points}, within noise); a rise ${
    rise_tenths === null ? "would not have been seen" : `below ${rise_tenths / 10} points may have been missed`
  }.`
}
