import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import {
  type CitedSite,
  findSourceGaps,
  listCitedSites,
  type SourceGap,
  type SourceSummary,
  summarizeSources
} from "../../domain/sources/metrics.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { SourceStore } from "../../ports/SourceStore.ts"
import { listNewestScans, readSourcesOf } from "./readSources.ts"

/** Scans that gaps are pooled over. */
const gapScans = 4

/** What the sources of a scan say in short. */
export interface SourceHighlights {
  readonly scan: Scan
  readonly summary: SourceSummary
  /** Those that are listed. */
  readonly domains: ReadonlyArray<CitedSite>
  readonly notListed: number
  /** Those that are proven. */
  readonly gaps: ReadonlyArray<SourceGap>
  readonly competitors: TrackedSet["competitors"]
}

/** By organization, scans, versions, and the state of their sources: assistants ask for the same again and again. */
const known = new Map<string, SourceHighlights>()
const maxKnown = 500

/**
 * What the sources of the newest completed scan say in short, with the gaps that its comparable scans prove. Fails with
 * NoCompletedScan where the window shows none.
 */
export const readSourceHighlights = Effect.fn("readSourceHighlights")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow
) {
  const newest = yield* listNewestScans(organizationId, window, gapScans)
  const { scans, versions: { measureVersion, trackedSetVersion } } = newest
  const ids = scans.map(({ id }) => id)
  // Read first: what is added meanwhile is read again by the next one
  const state = yield* (yield* SourceStore).stateOf(organizationId, ids)
  const key = [organizationId, measureVersion, trackedSetVersion, ...ids, ...Object.values(state)].join(" ")
  const found = known.get(key)
  if (found !== undefined) return found
  const { rows, set } = yield* readSourcesOf(organizationId, newest, {})
  const own = rows.filter(({ scanId }) => scanId === scans[0].id)
  const sites = listCitedSites(own, "domain")
  const highlights: SourceHighlights = {
    scan: scans[0],
    summary: summarizeSources(own),
    domains: sites.filter(({ listed }) => listed),
    notListed: sites.filter(({ listed }) => !listed).length,
    gaps: findSourceGaps(rows).filter(({ proven }) => proven),
    competitors: set.competitors
  }
  if (known.size >= maxKnown) known.clear()
  known.set(key, highlights)
  return highlights
})
