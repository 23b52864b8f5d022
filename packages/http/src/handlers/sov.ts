import { listPlatforms } from "@sov/core/platforms"
import { askedShareJson, readVisibility, standingJson, summarizeAsked, summaryJson } from "@sov/core/scoring"
import { Effect } from "effect"
import { CurrentCaller } from "../contract/Authorization.ts"
import { NoCompletedScan } from "../contract/problems.ts"
import type { Summary } from "../contract/resources.ts"
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
