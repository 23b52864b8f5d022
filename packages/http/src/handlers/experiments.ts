import type { ExperimentId, KeywordId, NotFound } from "@sov/core/common"
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
import { InvalidRequest, NoBrand, NoCompletedScan, ResourceNotFound } from "../contract/problems.ts"
import { decodeJsonBody } from "./jsonBody.ts"
import { orUnavailable, respondJson } from "./respond.ts"

interface Named {
  readonly params: { readonly id: string }
}

const idOf = ({ params }: Named) => params.id.toLowerCase() as ExperimentId

const notFound = ({ message }: NotFound) => Effect.fail(new ResourceNotFound({ detail: message }))

const usualScans = 4

const isEmptyBody = new InvalidRequest({ errors: [{ path: ["body"], message: "must be an object" }] })

/** GET /api/v1/experiments */
export const getExperiments = Effect.fnUntraced(
  function*() {
    const { organization } = yield* CurrentCaller
    const experiments = (yield* listExperiments(organization.id)).map(experimentJson)
    return yield* respondJson({ experiments } satisfies typeof ExperimentList.Encoded, organization.id)
  },
  orUnavailable
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
  Effect.catchTag("NotFound", notFound),
  orUnavailable
)

const readPlan = decodeJsonBody(NewExperiment)

/** POST /api/v1/experiments: registers a plan. Sending the same plan again before its end draws no new halves. */
export const startExperiment = Effect.fnUntraced(
  function*() {
    const { organization: { id } } = yield* CurrentCaller
    const given = yield* readPlan
    if (given === null) return yield* isEmptyBody
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
    NotReady: () => Effect.fail(new NoBrand({})),
    NoCompletedScan: () => Effect.fail(new NoCompletedScan({})),
    Rejected: ({ field, message }) => Effect.fail(new InvalidRequest({ errors: [{ path: ["body", field], message }] }))
  }),
  orUnavailable
)

const readEnd = decodeJsonBody(EndExperiment)

/** POST /api/v1/experiments/{id}/end */
export const endExperiment = Effect.fnUntraced(
  function*(request: Named) {
    const { organization } = yield* CurrentCaller
    const given = yield* readEnd
    if (given === null) return yield* isEmptyBody
    const ended: typeof Experiment.Encoded = experimentJson(
      yield* stopExperiment(organization.id, idOf(request), given.reason)
    )
    return HttpServerResponse.jsonUnsafe(ended)
  },
  Effect.catchTags({
    NotFound: notFound,
    Rejected: ({ field, message }) => Effect.fail(new InvalidRequest({ errors: [{ path: ["body", field], message }] }))
  }),
  orUnavailable
)
