/** How much of what is configured and tracked a scan asks. */
import type { PlatformId } from "../platforms/Platform.ts"
import type { Scan } from "../scanning/Scan.ts"
import { pluralized } from "../wording.ts"

/** Numbers of platforms and keywords: those that a scan asks, and all of them. */
export interface Asked {
  readonly platforms: number
  /** Null where no configuration says. */
  readonly configuredPlatforms: number | null
  readonly keywords: number
  readonly trackedKeywords: number
}

/** A platform of the configuration, whether or not it can be asked from here. */
export interface ConfiguredPlatform {
  readonly id: PlatformId
  readonly simulated: boolean
}

/** Keywords that are active now, and how many of them a scan asks. */
export interface AskedKeywords {
  readonly active: number
  readonly asked: number
}

/**
 * What of the keywords and platforms that were there at its start a scan asks. Where that is not known, as of scans of
 * earlier releases: what of the present configuration (null: not known) and of `now`, which others do without;
 * simulated and real platforms apart.
 */
export const summarizeAsked = (
  scan: AskingScan & Pick<Scan, "simulated">,
  configured: ReadonlyArray<ConfiguredPlatform> | null,
  now: AskedKeywords | null
): Asked => {
  const atStart = summarizeAskable(scan)
  if (atStart !== null) return atStart
  const alike = (configured ?? []).filter(({ simulated }) => simulated === scan.simulated).map(({ id }) => id)
  // A configuration of simulated platforms says nothing of a real scan, nor the other way round
  const known = alike.length > 0
  return {
    platforms: (known ? alike : scan.platforms).filter((id) => scan.platforms.includes(id)).length,
    configuredPlatforms: known ? alike.length : null,
    keywords: now?.asked ?? countAskedKeywords(scan),
    trackedKeywords: now?.active ?? countAskedKeywords(scan)
  }
}

/** How many keywords a scan asks, whatever their status is now. */
export const countAskedKeywords = (
  { cellCount, platforms, samples }: Pick<Scan, "cellCount" | "platforms" | "samples">
): number => Math.round(cellCount / (platforms.length * samples))

type AskingScan = Pick<Scan, "askable" | "cellCount" | "platforms" | "samples">

/** What of the keywords and platforms that were there at its start a scan asks; null where that is not known. */
const summarizeAskable = (scan: AskingScan): Asked & { readonly configuredPlatforms: number } | null =>
  scan.askable === undefined ? null : {
    platforms: scan.platforms.length,
    configuredPlatforms: scan.askable.platforms,
    keywords: countAskedKeywords(scan),
    trackedKeywords: scan.askable.keywords
  }

/** The same of a narrowed scan; null where it asks all, or that is not known. */
export const findNarrowing = (scan: AskingScan): ReturnType<typeof summarizeAskable> => {
  const asked = summarizeAskable(scan)
  return asked === null || formatAsked(asked) === null ? null : asked
}

/** "2 of 6 keywords", or null where `findNarrowing` finds nothing. */
export const formatNarrowing = (scan: AskingScan): string | null => {
  const asked = summarizeAskable(scan)
  return asked === null ? null : formatAsked(asked)
}

/** "1 of 3 configured platforms", or null when the scan asks all of them. */
export const formatAskedPlatforms = ({ configuredPlatforms, platforms }: Asked): string | null =>
  configuredPlatforms === null || platforms >= configuredPlatforms
    ? null
    : `${platforms} of ${pluralized(configuredPlatforms, "configured platform")}`

/** "1 of 3 configured platforms and 2 of 6 keywords", or null when the scan asks everything. */
export const formatAsked = (asked: Asked): string | null => {
  const { keywords, trackedKeywords } = asked
  const parts = [
    formatAskedPlatforms(asked),
    keywords >= trackedKeywords ? null : `${keywords} of ${pluralized(trackedKeywords, "keyword")}`
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join(" and ")
}
