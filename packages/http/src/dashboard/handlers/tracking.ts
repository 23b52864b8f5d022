import { readCompetitors } from "@sov/core/scoring"
import { type Keyword, keywordStatuses, readKeywords } from "@sov/core/tracking"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { showPage } from "../guard/Reply.ts"
import { trackingPage } from "../pages/tracking.ts"
import { emptyForm } from "./names.ts"

const countByStatus = (keywords: ReadonlyArray<Keyword>) => {
  const counts = { active: 0, paused: 0, archived: 0 }
  for (const { status } of keywords) counts[status]++
  return counts
}

/** GET /o/{slug}/settings/tracking */
export const showTracking = Effect.fnUntraced(function*({ frame, organization: { id }, window }: OrganizationRequest) {
  const found = yield* readCompetitors(id, window, 1).pipe(Effect.catchTag("NotReady", () => Effect.succeed(null)))
  return showPage(trackingPage(frame, {
    names: found?.trackedSet ?? null,
    measuredOtherwise: found?.measuredOtherwise ?? 0,
    keywords: countByStatus(yield* readKeywords(id, keywordStatuses)),
    form: yield* emptyForm
  }))
})
