import type { ExperimentId, KeywordId } from "@sov/core/common"
import {
  experimentDetailJson,
  experimentJson,
  listExperiments,
  readExperiment,
  startExperiment as start,
  stopExperiment
} from "@sov/core/experiments"
import { findTagged } from "@sov/core/tracking"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { CurrentCaller } from "../contract/Authorization.ts"
import {
  EndExperiment,
  type Experiment,
  type ExperimentDetail,
  type ExperimentList,
  NewExperiment
} from "../contract/experimentResources.ts"
import { NoBrand } from "../contract/problems.ts"
import { requireJsonBody } from "./jsonBody.ts"
import { orProblem, respondJson } from "./respond.ts"

interface Named {
  readonly params: { readonly id: string }
}

const idOf = ({ params }: Named) => params.id.toLowerCase() as ExperimentId

const usualScans = 4

/** GET /api/v1/experiments */
export const getExperiments = Effect.fnUntraced(
  function*() {
    const { organization } = yield* CurrentCaller
    const experiments = (yield* listExperiments(organization.id)).map(experimentJson)
    return yield* respondJson({ experiments } satisfies typeof ExperimentList.Encoded, organization.id)
  },
  orProblem
)

/** GET /api/v1/experiments/{id} */
export const getExperiment = Effect.fnUntraced(
  function*(request: Named) {
    const { organization } = yield* CurrentCaller
    const detail: typeof ExperimentDetail.Encoded = experimentDetailJson(
      yield* readExperiment(organization.id, idOf(request))
    )
    return yield* respondJson(detail, organization.id)
  },
  orProblem
)

const readPlan = requireJsonBody(NewExperiment)

/** POST /api/v1/experiments: registers a plan. Sending the same plan again before its end draws no new halves. */
export const startExperiment = Effect.fnUntraced(
  function*() {
    const { organization: { id } } = yield* CurrentCaller
    const given = yield* readPlan
    const { keyword_ids = [], scans = usualScans, tags = [], ...plan } = given
    const tagged = yield* Effect.forEach(tags, (one) => findTagged(id, one))
    const chosen = [...keyword_ids.map((one) => one.toLowerCase() as KeywordId), ...tagged.flat()]
    const keywordIds = keyword_ids.length + tags.length === 0 ? null : [...new Set(chosen)]
    const detail: typeof ExperimentDetail.Encoded = experimentDetailJson(
      yield* readExperiment(id, yield* start(id, { ...plan, keywordIds, scansAfter: scans }))
    )
    return HttpServerResponse.jsonUnsafe(detail, { status: 201 })
  },
  Effect.catchTags({
    // The experiment was sealed just before, so it exists
    NotFound: Effect.die,
    NotReady: () => Effect.fail(new NoBrand({}))
  }),
  orProblem
)

const readEnd = requireJsonBody(EndExperiment)

/** POST /api/v1/experiments/{id}/end */
export const endExperiment = Effect.fnUntraced(
  function*(request: Named) {
    const { organization } = yield* CurrentCaller
    const given = yield* readEnd
    const ended: typeof Experiment.Encoded = experimentJson(
      yield* stopExperiment(organization.id, idOf(request), given.reason)
    )
    return HttpServerResponse.jsonUnsafe(ended)
  },
  orProblem
)
