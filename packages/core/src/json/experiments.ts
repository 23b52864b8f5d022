/** Experiments as clients see them. */
import { anchorFromSeal, formatAnchor } from "../domain/archive/ArchiveProblem.ts"
import { describeExperiment } from "../domain/experiments/describeExperiment.ts"
import type { ShownEffect } from "../domain/experiments/effect.ts"
import type { Experiment, ExperimentDetail } from "../domain/experiments/Experiment.ts"
import { planTimes } from "../domain/experiments/Plan.ts"
import { roundPoints } from "../domain/scoring/Score.ts"

/** A plan as it is sealed. */
export const experimentJson = ({ plan, seal, state, stopped }: Experiment) => ({
  id: plan.id,
  name: plan.name,
  change: plan.change,
  from: plan.from,
  until: plan.until,
  state,
  seal: formatAnchor(anchorFromSeal(seal)),
  sealed_at: seal.sealedAt.toISOString(),
  seed: plan.seed,
  power: {
    rise: plan.rise_tenths === null ? null : plan.rise_tenths / 10,
    probability: 0.8,
    topics: 2 * plan.pairs.length,
    scans_before: plan.scans_before,
    scans_after: plan.scans_after
  },
  stopped: stopped === null ? null : { at: stopped.at.toISOString(), reason: stopped.reason }
})

const intervalJson = (effect: ShownEffect | null) =>
  effect === null ? null : { low: roundPoints(effect.interval.low), high: roundPoints(effect.interval.high) }

const pointsJson = (effect: ShownEffect | null) => effect === null ? null : roundPoints(effect.points)

/** An experiment with its progress; verdict, effect and interval are null until it has ended. */
export const experimentDetailJson = (detail: ExperimentDetail) => {
  const { after, before, breaks, plan, result } = detail
  return {
    ...experimentJson(detail),
    pairs: plan.pairs,
    progress: { scans_before: before.length, scans_after: after.length },
    breaks,
    result_at: planTimes(plan).result.toISOString(),
    verdict: result?.verdict ?? null,
    sentence: describeExperiment(plan, result, detail.stopped),
    broken: result?.broken ?? null,
    effect: pointsJson(result?.effect ?? null),
    interval: intervalJson(result?.effect ?? null),
    placebo: result?.placebo == null
      ? null
      : { effect: pointsJson(result.placebo), interval: intervalJson(result.placebo) },
    platforms: (result?.platforms ?? []).map(({ effect, platform }) => ({
      platform,
      effect: pointsJson(effect),
      interval: intervalJson(effect)
    }))
  }
}
