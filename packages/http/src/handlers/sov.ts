import { wholeHistory } from "@sov/core/organizations"
import { listPlatforms } from "@sov/core/platforms"
import {
  askedShareJson,
  evidenceJson,
  readEvidence,
  readVisibility,
  readVoice,
  sentimentJson,
  standingJson,
  summarizeAsked,
  summaryJson,
  voiceJson
} from "@sov/core/scoring"
import { Effect } from "effect"
import { CurrentCaller } from "../contract/Authorization.ts"
import type { Evidence } from "../contract/evidenceResource.ts"
import { NoCompletedScan } from "../contract/problems.ts"
import type { Definitions, Summary } from "../contract/resources.ts"
import { orUnavailable, respondJson } from "./respond.ts"

/** GET /api/v1/sov */
export const getSov = Effect.fnUntraced(
  function*() {
    const { organization } = yield* CurrentCaller
    const { keywords, latest: { scan, score }, standing } = yield* readVisibility(organization.id)
    const platforms = yield* listPlatforms()
    const summary: typeof Summary.Encoded = {
      ...summaryJson(scan, score),
      ...askedShareJson(summarizeAsked(scan, platforms, keywords), score),
      ...standingJson(score, standing, platforms)
    }
    return yield* respondJson(summary, organization.id)
  },
  Effect.catchTag("NoCompletedScan", () => Effect.fail(new NoCompletedScan({}))),
  orUnavailable
)

/** GET /api/v1/sov/definitions */
export const getDefinitions = Effect.fnUntraced(
  function*() {
    const { organization } = yield* CurrentCaller
    const { latest } = yield* readVisibility(organization.id)
    const { completed_at, scan_id, simulated } = summaryJson(latest.scan, latest.score)
    const voice = yield* readVoice(organization.id, latest)
    const found: typeof Definitions.Encoded = {
      scan_id,
      completed_at,
      definitions: voiceJson(voice),
      sentiment: sentimentJson(voice.sentiment),
      ...simulated === undefined ? {} : { simulated }
    }
    return yield* respondJson(found, organization.id)
  },
  Effect.catchTag("NoCompletedScan", () => Effect.fail(new NoCompletedScan({}))),
  orUnavailable
)

/** GET /api/v1/evidence */
export const getEvidence = Effect.fnUntraced(
  function*() {
    const { organization } = yield* CurrentCaller
    const { scan, ...evidence } = yield* readEvidence(organization.id, wholeHistory)
    const found: typeof Evidence.Encoded = evidenceJson(scan, evidence)
    return yield* respondJson(found, organization.id)
  },
  Effect.catchTag("NoCompletedScan", () => Effect.fail(new NoCompletedScan({}))),
  orUnavailable
)
