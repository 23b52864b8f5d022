import { listPlatforms } from "@sov/core/platforms"
import { askedShareJson, readCurrentScore, summarizeAsked, summaryJson } from "@sov/core/scoring"
import { Effect } from "effect"
import { CurrentCaller } from "../contract/Authorization.ts"
import { NoCompletedScan } from "../contract/problems.ts"
import type { Summary } from "../contract/resources.ts"
import { orUnavailable, respondJson } from "./respond.ts"

/** GET /api/v1/sov */
export const getSov = Effect.fnUntraced(
  function*() {
    const { organization } = yield* CurrentCaller
    const { keywords, scan, score } = yield* readCurrentScore(organization.id)
    const asked = summarizeAsked(scan, yield* listPlatforms(), keywords)
    const summary: typeof Summary.Encoded = { ...summaryJson(scan, score), ...askedShareJson(asked, score) }
    return yield* respondJson(summary, organization.id)
  },
  Effect.catchTag("NoCompletedScan", () => Effect.fail(new NoCompletedScan({}))),
  orUnavailable
)
