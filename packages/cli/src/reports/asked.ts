/** How much of what is configured and tracked a scan asks. */
import { counted } from "../render/counted.ts"

/** Numbers of platforms and keywords: those that a scan asks, and all of them. */
export interface Asked {
  readonly platforms: number
  /** Null where no configuration says. */
  readonly configuredPlatforms: number | null
  readonly keywords: number
  readonly trackedKeywords: number
}

/** "1 of 3 configured platforms", or null when the scan asks all of them. */
export const platformsText = ({ configuredPlatforms, platforms }: Asked): string | null =>
  configuredPlatforms === null || platforms >= configuredPlatforms
    ? null
    : `${platforms} of ${counted(configuredPlatforms, "configured platform")}`

/** "1 of 3 configured platforms and 2 of 6 keywords", or null when the scan asks everything. */
export const askedText = (asked: Asked): string | null => {
  const { keywords, trackedKeywords } = asked
  const parts = [
    platformsText(asked),
    keywords >= trackedKeywords ? null : `${keywords} of ${counted(trackedKeywords, "keyword")}`
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join(" and ")
}
