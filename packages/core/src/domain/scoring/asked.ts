/** The part of the configured platforms and tracked keywords that a scan asks. */
import type { PlatformId } from "../platforms/Platform.ts"
import type { Scan } from "../scanning/Scan.ts"
import { pluralized } from "../wording.ts"

/** Numbers of platforms and keywords: asked by a scan, and in total. */
export interface Asked {
  readonly platforms: number
  /** Null if there is no configuration. */
  readonly configuredPlatforms: number | null
  readonly keywords: number
  readonly trackedKeywords: number
}

/** A platform of the configuration, which this process may be unable to ask. */
export interface ConfiguredPlatform {
  readonly id: PlatformId
  readonly simulated: boolean
  /** The operator's name for the platform; absent if it has no name. */
  readonly label?: string
}

/** Number of active keywords, and how many of them a scan asks. */
export interface AskedKeywords {
  readonly active: number
  readonly asked: number
}

/**
 * Counts the keywords and platforms that a scan asks, out of those that existed at its start. Scans of earlier releases
 * did not record the totals, so they are compared with the current configuration (null if unknown) and with the
 * keywords in `now`. Simulated and real platforms are counted separately.
 */
export const summarizeAsked = (
  scan: AskingScan & Pick<Scan, "simulated">,
  configured: ReadonlyArray<ConfiguredPlatform> | null,
  now: AskedKeywords | null
): Asked => {
  const atStart = summarizeAskable(scan)
  if (atStart !== null) return atStart
  const alike = (configured ?? []).filter(({ simulated }) => simulated === scan.simulated).map(({ id }) => id)
  // A configuration of simulated platforms tells nothing about a real scan, and vice versa
  const known = alike.length > 0
  return {
    platforms: (known ? alike : scan.platforms).filter((id) => scan.platforms.includes(id)).length,
    configuredPlatforms: known ? alike.length : null,
    keywords: now?.asked ?? countAskedKeywords(scan),
    trackedKeywords: now?.active ?? countAskedKeywords(scan)
  }
}

/** Number of keywords that a scan asks, regardless of their current status. */
export const countAskedKeywords = (
  { cellCount, platforms, samples }: Pick<Scan, "cellCount" | "platforms" | "samples">
): number => Math.round(cellCount / (platforms.length * samples))

type AskingScan = Pick<Scan, "askable" | "cellCount" | "platforms" | "samples">

/** Counts what a scan asks out of what existed at its start; null if the scan did not record the totals. */
const summarizeAskable = (scan: AskingScan): Asked & { readonly configuredPlatforms: number } | null =>
  scan.askable === undefined ? null : {
    platforms: scan.platforms.length,
    configuredPlatforms: scan.askable.platforms,
    keywords: countAskedKeywords(scan),
    trackedKeywords: scan.askable.keywords
  }

/** Counts what a narrowed scan asks; null if the scan asks everything, or if that is unknown. */
export const findNarrowing = (scan: AskingScan): ReturnType<typeof summarizeAskable> => {
  const asked = summarizeAskable(scan)
  return asked === null || formatAsked(asked) === null ? null : asked
}

/** Whether a scan asked only some keywords or platforms; scans of earlier releases count as complete. */
export const isNarrowed = (scan: AskingScan): boolean => findNarrowing(scan) !== null

/**
 * Whether a scan may be compared with an earlier one: a scan that asked everything is not compared with a narrowed one.
 */
export const isCompared = (earlier: AskingScan, scan: AskingScan): boolean => isNarrowed(scan) || !isNarrowed(earlier)

/** "2 of 6 keywords", or null if `findNarrowing` finds nothing. */
export const formatNarrowing = (scan: AskingScan): string | null => {
  const asked = summarizeAskable(scan)
  return asked === null ? null : formatAsked(asked)
}

/** "1 of 3 configured platforms", or null if the scan asks all of them. */
export const formatAskedPlatforms = ({ configuredPlatforms, platforms }: Asked): string | null =>
  configuredPlatforms === null || platforms >= configuredPlatforms
    ? null
    : `${platforms} of ${pluralized(configuredPlatforms, "configured platform")}`

/** "1 of 3 configured platforms and 2 of 6 keywords", or null if the scan asks everything. */
export const formatAsked = (asked: Asked): string | null => {
  const { keywords, trackedKeywords } = asked
  const parts = [
    formatAskedPlatforms(asked),
    keywords >= trackedKeywords ? null : `${keywords} of ${pluralized(trackedKeywords, "keyword")}`
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join(" and ")
}
