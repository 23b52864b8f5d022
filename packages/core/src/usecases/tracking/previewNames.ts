import { Effect } from "effect"
import { BrandId, CompetitorId, type OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import {
  dropCompetitor,
  type Names,
  type NamesChange,
  putCompetitor,
  replaceBrand
} from "../../domain/tracking/namesChange.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { NotReady } from "../errors.ts"
import { previewRescore, type RescorePreview } from "../measuring/previewRescore.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { makeNextVersion } from "./editTrackedSet.ts"
import { type OfferedSpelling, offerSpellings } from "./offerSpellings.ts"

/** Number of completed scans that a preview measures again. */
const previewedScans = 3

/** The effects of a change of names. */
export interface NamesPreview {
  /** The current tracked set; null if nothing is tracked yet. */
  readonly before: TrackedSet | null
  /** The tracked set after the change; `before` itself if nothing would change. */
  readonly set: TrackedSet
  /** The results of the newest completed scans within the window, if measured with `set`. */
  readonly archive: RescorePreview
  /** Spellings of the changed name that do not count unless they are added as aliases. */
  readonly offers: ReadonlyArray<OfferedSpelling>
}

const nothing: RescorePreview = { platforms: [], scans: [], examples: [] }

const changeNames = Effect.fnUntraced(function*(current: Names | null, change: NamesChange) {
  if (change.kind === "brand") return replaceBrand(current, change.brand, yield* newId(BrandId))
  if (current === null) return yield* new NotReady({ missing: "brand" })
  return change.kind === "competitor"
    ? putCompetitor(current, change, yield* newId(CompetitorId))
    : dropCompetitor(current, change.id)
})

/** The changed entity in its new form. */
const findChanged = ({ brand, competitors }: TrackedSet, change: NamesChange) =>
  change.kind === "brand"
    ? brand
    : change.kind === "competitor"
    ? competitors.find(({ name }) => name === change.competitor.name)
    : undefined

/**
 * Previews the effect of a change of names on the archive: measures the answers of the newest scans with the changed
 * names and stores nothing. Fails as the change itself would: with Rejected (M11) or NotReady.
 */
export const previewNames = Effect.fn("previewNames")(
  function*(organizationId: OrganizationId, window: HistoryWindow, change: NamesChange) {
    const before = yield* (yield* TrackedSetStore).current(organizationId)
    const set = yield* makeNextVersion(before, yield* changeNames(before, change), yield* now)
    const scans = yield* (yield* ScanStore).list(organizationId, {
      limit: previewedScans,
      status: "completed",
      since: window.since
    })
    const oldest = scans.at(-1)
    const changed = findChanged(set, change)
    const preview: NamesPreview = {
      before,
      set,
      offers: changed === undefined ? [] : yield* offerSpellings(organizationId, window, set, changed),
      archive: set === before || oldest === undefined
        ? nothing
        : yield* previewRescore(organizationId, { only: null, since: oldest.startedAt, set }, () => {})
    }
    return preview
  }
)
