import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { wholeHistory } from "../../domain/organizations/HistoryWindow.ts"
import { readSourceHighlights } from "../sources/readSourceHighlights.ts"
import { hasSameVersions } from "./readHeadlines.ts"
import { readVisibility } from "./readVisibility.ts"

/** Reads until both are of one score: each further one takes a scan that completes, or is measured anew, in between. */
const maxReads = 3

/**
 * How visible the brand is now, and what the sources of the same scan say in short, by the same measurements. Fails
 * with NoCompletedScan before the first.
 */
export const readVisibilityWithSources = Effect.fn("readVisibilityWithSources")(
  function*(organizationId: OrganizationId) {
    const read = Effect.gen(function*() {
      const visibility = yield* readVisibility(organizationId)
      return { visibility, sources: yield* readSourceHighlights(organizationId, wholeHistory) }
    })
    return yield* Effect.repeat(read, {
      times: maxReads - 1,
      until: ({ sources, visibility: { latest } }) =>
        sources.scan.id === latest.scan.id && hasSameVersions(sources.versions, latest.score)
    })
  }
)
