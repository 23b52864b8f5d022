import { formatAsked } from "@sov/core/scoring"

/** How much a scan asked, in the JSON of lists of scans. */
export interface AskedJson {
  readonly platforms: number
  readonly configured_platforms: number | null
  readonly keywords: number
  readonly tracked_keywords: number
}

/** How much a scan asked, as text; null if it asked everything. */
export const askedText = (asked: AskedJson): string | null =>
  formatAsked({
    platforms: asked.platforms,
    configuredPlatforms: asked.configured_platforms,
    keywords: asked.keywords,
    trackedKeywords: asked.tracked_keywords
  })
