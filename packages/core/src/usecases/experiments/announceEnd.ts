import { Effect } from "effect"
import { anchorFromSeal, formatAnchor } from "../../domain/archive/ArchiveProblem.ts"
import { describeExperiment } from "../../domain/experiments/describeExperiment.ts"
import type { ExperimentDetail } from "../../domain/experiments/Experiment.ts"
import { EventId, type OrganizationId } from "../../domain/ids.ts"
import { roundPoints } from "../../domain/scoring/Score.ts"
import { ExperimentEnds } from "../../ports/ExperimentEnds.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { publishEvent } from "../webhooks/publishEvent.ts"

/** Publishes `experiment.ended` unless it was published already. Joins the caller's transaction. */
export const announceEnd = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  { plan, result, seal, stopped }: Pick<ExperimentDetail, "plan" | "result" | "seal" | "stopped">
) {
  if (!(yield* (yield* ExperimentEnds).take(organizationId, plan.id))) return
  const { change, from, id, name, simulated, until } = plan
  const effect = result?.effect ?? null
  yield* publishEvent(organizationId, {
    id: yield* newId(EventId),
    event: "experiment.ended",
    timestamp: yield* now,
    data: {
      experiment_id: id,
      name,
      change,
      from,
      until,
      seal: formatAnchor(anchorFromSeal(seal)),
      verdict: result?.verdict ?? null,
      sentence: describeExperiment(plan, result, stopped),
      effect: effect === null ? null : roundPoints(effect.points),
      interval: effect === null
        ? null
        : { low: roundPoints(effect.interval.low), high: roundPoints(effect.interval.high) },
      stopped: stopped === null ? null : { at: stopped.at.toISOString(), reason: stopped.reason },
      ...simulated ? { simulated: true } : {}
    }
  }, {})
})
