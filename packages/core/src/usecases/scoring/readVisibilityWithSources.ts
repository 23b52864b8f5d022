import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { wholeHistory } from "../../domain/organizations/HistoryWindow.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import {
  findKnownHighlights,
  isSameState,
  readHighlights,
  readSourceHighlights,
  type SourceHighlights
} from "../sources/readSourceHighlights.ts"
import { hasSameVersions } from "./readHeadlines.ts"
import { compareNewest, readVisibility, type Visibility } from "./readVisibility.ts"

interface VisibilityWithSources {
  readonly visibility: Visibility
  readonly sources: SourceHighlights
}

/**
 * Maximum number of reads until both belong to the same score. Each further read means that a scan completed, or was
 * measured again, between the two.
 */
const maxReads = 3

const areOfOneScore = ({ sources, visibility: { latest } }: VisibilityWithSources): boolean =>
  sources.scan.id === latest.scan.id && hasSameVersions(sources.versions, latest.score)

/** Reads with one statement if the sources have not changed since the last read; null if they have. */
const readByKnown = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const known = yield* findKnownHighlights(organizationId, wholeHistory)
  if (known === undefined) return null
  const scores = yield* ScoreStore
  const { newest, state } = yield* scores.newestWithSources(organizationId, known.scanIds, known.state)
  if (!isSameState(state, known.state)) return null
  const visibility = yield* compareNewest(organizationId, newest)
  const found: VisibilityWithSources = { visibility, sources: known.highlights }
  return areOfOneScore(found) ? found : null
})

const readBoth = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const visibility = yield* readVisibility(organizationId)
  const found: VisibilityWithSources = {
    visibility,
    sources: yield* readSourceHighlights(organizationId, wholeHistory)
  }
  return found
})

/**
 * The brand's current visibility, and a summary of the sources of the same scan, from the same measurements; of another
 * `view` than the standard one, if given. Fails with NoCompletedScan if no scan has completed.
 */
export const readVisibilityWithSources = Effect.fn("readVisibilityWithSources")(
  function*(organizationId: OrganizationId, view: string | null = null) {
    if (view !== null) {
      const visibility = yield* readVisibility(organizationId, view)
      const { scan, score } = visibility.latest
      const sources = yield* readHighlights(organizationId, { scans: [scan], versions: score })
      return { visibility, sources } satisfies VisibilityWithSources
    }
    return (yield* readByKnown(organizationId)) ??
      (yield* Effect.repeat(readBoth(organizationId), { times: maxReads - 1, until: areOfOneScore }))
  }
)
