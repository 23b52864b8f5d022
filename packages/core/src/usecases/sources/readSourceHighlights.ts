import { Effect } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import type { Funnel } from "../../domain/sources/funnel.ts"
import {
  type CitedSite,
  findSourceGaps,
  listCitedSites,
  type SourceGap,
  type SourceSummary,
  summarizeSources
} from "../../domain/sources/metrics.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import type { MeasurementVersions } from "../../ports/MeasurementStore.ts"
import { type SourceState, SourceStore } from "../../ports/SourceStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { makeMemory } from "../makeMemory.ts"
import { readWholeFunnel } from "./readFunnel.ts"
import { listNewestScans, readSourcesOf } from "./readSources.ts"

/** Number of scans whose answers are combined for gaps and the funnel. */
const gapScans = 4

/** A summary of the sources of a scan. */
export interface SourceHighlights {
  readonly scan: Scan
  /** The versions with which its answers are measured. */
  readonly versions: MeasurementVersions
  readonly summary: SourceSummary
  /** The cited domains that are listed. */
  readonly domains: ReadonlyArray<CitedSite>
  readonly notListed: number
  /** The proven gaps. */
  readonly gaps: ReadonlyArray<SourceGap>
  readonly competitors: TrackedSet["competitors"]
  /** How far own pages get; null if no platform shows which pages it read. */
  readonly funnel: Funnel | null
}

/** Cached highlights, with the scans and the state from which they were read. */
export interface KnownHighlights {
  readonly scanIds: ReadonlyArray<ScanId>
  readonly state: SourceState
  readonly highlights: SourceHighlights
}

/** Caches by organization and window, because assistants repeat the same requests. */
const memories = makeMemory<KnownHighlights>(500)

const keyOf = (organizationId: OrganizationId, { since }: HistoryWindow): string =>
  `${organizationId} ${since?.getTime()}`

/** The last result of `readSourceHighlights` in this process; valid while the state of its scans is the same. */
export const findKnownHighlights = (organizationId: OrganizationId, window: HistoryWindow) =>
  Effect.map(TrackedSetStore, (sets) => memories.of(sets).find(keyOf(organizationId, window)))

/** Whether the sources are the same in both states of the same scans. */
export const isSameState = (a: SourceState, b: SourceState): boolean =>
  a.scores === b.scores && a.trackedSetVersion === b.trackedSetVersion && a.resolvedUrls === b.resolvedUrls &&
  a.derived === b.derived

/**
 * Reads the highlights for these scans, newest first: the summary covers the newest scan, gaps and funnel cover all of
 * them.
 */
export const readHighlights = Effect.fnUntraced(
  function*(organizationId: OrganizationId, newest: Effect.Success<ReturnType<typeof listNewestScans>>) {
    const report = yield* readSourcesOf(organizationId, newest, {})
    const { rows, set } = report
    const [scan] = newest.scans
    const own = rows.filter(({ scanId }) => scanId === scan.id)
    const sites = listCitedSites(own, "domain")
    const highlights: SourceHighlights = {
      scan,
      versions: newest.versions,
      summary: summarizeSources(own),
      domains: sites.filter(({ listed }) => listed),
      notListed: sites.filter(({ listed }) => !listed).length,
      gaps: findSourceGaps(rows).filter(({ proven }) => proven),
      competitors: set.competitors,
      funnel: readWholeFunnel(report)
    }
    return highlights
  }
)

/**
 * Reads a summary of the sources of the newest completed scan, with the gaps that it and the comparable scans prove.
 * Fails with NoCompletedScan if the window contains no such scan.
 */
export const readSourceHighlights = Effect.fn("readSourceHighlights")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow
) {
  const { stateOf } = yield* SourceStore
  const key = keyOf(organizationId, window)
  const memory = memories.of(yield* TrackedSetStore)
  const found = memory.find(key)
  if (found !== undefined && isSameState(found.state, yield* stateOf(organizationId, found.scanIds))) {
    return found.highlights
  }
  // Each count is read before the rows that it counts, so that rows added in between change the state
  const { scores } = yield* stateOf(organizationId, [])
  const newest = yield* listNewestScans(organizationId, window, gapScans)
  const scanIds = newest.scans.map(({ id }) => id)
  const state = { ...yield* stateOf(organizationId, scanIds), scores }
  const highlights = yield* readHighlights(organizationId, newest)
  memory.keep(key, { scanIds, state, highlights })
  return highlights
})
