/** Announces the results of experiments: each result once, however many processes run. */
import { Effect } from "effect"
import type { ExperimentId, OrganizationId } from "../../domain/ids.ts"
import { ExperimentEnds } from "../../ports/ExperimentEnds.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { now } from "../now.ts"
import { makeErrandKind, runErrands } from "../workers/makeErrandKind.ts"
import { announceEnd } from "./announceEnd.ts"
import { addResult, findExperiment } from "./readExperiments.ts"

const announceDue = Effect.fnUntraced(function*(organizationId: OrganizationId, id: ExperimentId) {
  const experiment = yield* findExperiment(organizationId, id)
  // Its last scans may still be running; the next look finds it again
  if (experiment.state !== "ended") return
  const detail = yield* addResult(organizationId, experiment)
  yield* (yield* Transaction).run(announceEnd(organizationId, detail))
})

/** The experiments that are over but have not been announced. */
export const experimentKind = makeErrandKind({
  name: "the end of an experiment",
  of: "any",
  look: Effect.gen(function*() {
    const due = yield* (yield* ExperimentEnds).listDue(yield* now)
    return due.map((one) => ({ ...one, id: one.experimentId }))
  }),
  run: ({ experimentId, organizationId }) => Effect.as(announceDue(organizationId, experimentId), null),
  retryMs: 30_000
})

/** Announces all experiments that are over now. */
export const announceExperiments = Effect.fn("announceExperiments")(() => runErrands(experimentKind))
