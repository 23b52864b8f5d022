import { readCurrentScore, summaryJson } from "@sov/core"
import { Effect } from "effect"
import { CurrentCaller } from "../contract/Authorization.ts"
import { NoCompletedScan } from "../contract/problems.ts"
import type { Summary } from "../contract/resources.ts"
import { orUnavailable, respondJson } from "./respond.ts"

/** GET /api/v1/sov */
export const getSov = Effect.fnUntraced(
  function*() {
    const { organization } = yield* CurrentCaller
    const { scan, score } = yield* readCurrentScore(organization.id)
    return yield* respondJson(summaryJson(scan, score) satisfies typeof Summary.Encoded, organization.id)
  },
  Effect.catchTag("NoCompletedScan", () => Effect.fail(new NoCompletedScan({}))),
  orUnavailable
)
