import type { OrganizationId } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { listPlatforms } from "@sov/core/platforms"
import {
  askedShareJson,
  evidenceJson,
  readEvidence,
  readSpotOdds,
  readSurfaceLine,
  readVisibility,
  readVoice,
  sentimentJson,
  spotCheckJson,
  spotScans,
  standingJson,
  summarizeAsked,
  summaryJson,
  surfaceJson,
  voiceJson
} from "@sov/core/scoring"
import { findScannedView } from "@sov/core/tracking"
import { Effect } from "effect"
import { CurrentCaller } from "../contract/Authorization.ts"
import type { Evidence } from "../contract/evidenceResource.ts"
import { ResourceNotFound } from "../contract/problems.ts"
import type { Definitions, Summary } from "../contract/resources.ts"
import type { SpotCheck } from "../contract/spotResource.ts"
import { orProblem, respondJson } from "./respond.ts"

/** The view that a query names; null for the standard view. */
const findNamed = (id: OrganizationId, { view }: { readonly view?: string }) =>
  view === undefined ?
    Effect.succeed(null) :
    Effect.catchTag(findScannedView(id, view), "NotFound", () =>
      Effect.fail(new ResourceNotFound({ detail: `There is no view ${JSON.stringify(view)}` })))

/** GET /api/v1/sov */
export const getSov = Effect.fnUntraced(
  function*({ query }: { readonly query: { readonly view?: string } }) {
    const { organization: { id } } = yield* CurrentCaller
    const { keywords, latest: { scan, score }, standing } = yield* readVisibility(id, yield* findNamed(id, query))
    const platforms = yield* listPlatforms()
    const summary: typeof Summary.Encoded = {
      ...summaryJson(scan, score),
      surface_line: yield* readSurfaceLine(id, scan),
      ...askedShareJson(summarizeAsked(scan, platforms, keywords), score),
      ...standingJson(score, standing, platforms)
    }
    return yield* respondJson(summary, id)
  },
  orProblem
)

/** GET /api/v1/sov/definitions */
export const getDefinitions = Effect.fnUntraced(
  function*({ query }: { readonly query: { readonly view?: string } }) {
    const { organization: { id } } = yield* CurrentCaller
    const { latest } = yield* readVisibility(id, yield* findNamed(id, query))
    const { completed_at, scan_id, simulated } = summaryJson(latest.scan, latest.score)
    const voice = yield* readVoice(id, latest)
    const found: typeof Definitions.Encoded = {
      scan_id,
      completed_at,
      definitions: voiceJson(voice),
      sentiment: sentimentJson(voice.sentiment),
      ...surfaceJson(latest.scan, yield* readSurfaceLine(id, latest.scan)),
      ...simulated === undefined ? {} : { simulated }
    }
    return yield* respondJson(found, id)
  },
  orProblem
)

/** GET /api/v1/sov/odds */
export const getOdds = Effect.fnUntraced(
  function*() {
    const { organization } = yield* CurrentCaller
    const found: typeof SpotCheck.Encoded = spotCheckJson(yield* readSpotOdds(organization.id, wholeHistory, spotScans))
    return yield* respondJson(found, organization.id)
  },
  orProblem
)

/** GET /api/v1/evidence */
export const getEvidence = Effect.fnUntraced(
  function*() {
    const { organization } = yield* CurrentCaller
    const { scan, ...evidence } = yield* readEvidence(organization.id, wholeHistory)
    const found: typeof Evidence.Encoded = evidenceJson(scan, evidence)
    return yield* respondJson(found, organization.id)
  },
  orProblem
)
