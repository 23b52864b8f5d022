import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { findSourceGaps, listCitedSites, summarizeSources } from "../../domain/sources/metrics.ts"
import { readSources } from "./readSources.ts"

/** Scans that gaps are pooled over. */
const gapScans = 4

/**
 * What the sources of the newest completed scan say in short, with the gaps that its comparable scans prove. Fails with
 * NoCompletedScan where the window shows none.
 */
export const readSourceHighlights = Effect.fn("readSourceHighlights")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow
) {
  const { rows, scans, set } = yield* readSources(organizationId, window, { scans: gapScans })
  const newest = rows.filter(({ scanId }) => scanId === scans[0].id)
  const sites = listCitedSites(newest, "domain")
  return {
    scan: scans[0],
    summary: summarizeSources(newest),
    domains: sites.filter(({ listed }) => listed),
    notListed: sites.filter(({ listed }) => !listed).length,
    gaps: findSourceGaps(rows).filter(({ proven }) => proven),
    competitors: set.competitors
  }
})
