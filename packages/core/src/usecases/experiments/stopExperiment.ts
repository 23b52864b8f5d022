import { Effect, Schema } from "effect"
import { currentVersions } from "../../domain/archive/SealFacts.ts"
import { maxPlanText } from "../../domain/experiments/Plan.ts"
import type { ExperimentId, OrganizationId } from "../../domain/ids.ts"
import { Name } from "../../domain/organizations/Organization.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { Rejected } from "../errors.ts"
import { announceEnd } from "./announceEnd.ts"
import { findExperiment } from "./readExperiments.ts"
import { sealFacts } from "./startExperiment.ts"

const isName = Schema.is(Name)

/**
 * Ends an experiment early, for a reason that is sealed into the chain; it then never gets a result. Ending it again
 * for the same reason changes nothing. Fails with NotFound, and with Rejected if no reason is given or the experiment
 * has ended.
 */
export const stopExperiment = Effect.fn("stopExperiment")(
  function*(organizationId: OrganizationId, id: ExperimentId, why: string) {
    const reason = why.trim()
    if (!isName(reason) || reason.length > maxPlanText) {
      return yield* new Rejected({ field: "reason", message: `must be one line of at most ${maxPlanText} characters` })
    }
    const stop = Effect.gen(function*() {
      // If two calls are concurrent, the second one finds the experiment already stopped
      yield* (yield* OrganizationStore).lock(organizationId)
      const { plan, state, stopped } = yield* findExperiment(organizationId, id)
      if (stopped?.reason === reason) return null
      if (state === "stopped" || state === "ended") {
        return yield* new Rejected({ field: "experiment", message: `${plan.name} has ended already` })
      }
      const { sequence } = yield* sealFacts(organizationId, (set) => ({
        version: 4,
        stopped: { experiment: id, reason },
        ...currentVersions(set)
      })).pipe(
        // The plan has a seal that names a scan, so a scan has completed
        Effect.catchTag("NoCompletedScan", Effect.die)
      )
      yield* announceEnd(organizationId, { ...yield* findExperiment(organizationId, id), result: null })
      return { name: plan.name, sequence }
    })
    yield* runActs(organizationId, stop, (done) =>
      done === null ? [] : [{
        action: "experiment.stopped",
        subjectId: id,
        detail: { name: done.name, reason, seal: done.sequence }
      }])
    return yield* findExperiment(organizationId, id)
  }
)
