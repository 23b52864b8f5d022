/** Reads the tracked set from a file or options, for sov init and sov org create. */
import { describeJsonFault, parseJson } from "@sov/core/common"
import { TrackingFile } from "@sov/core/tracking"
import { Result, Schema } from "effect"
import { readFileSync } from "node:fs"
import { usageError } from "../CliError.ts"
import { describeFirstIssue } from "./decodeInput.ts"
import { makeUnreadableError } from "./unreadable.ts"

export interface TrackingOptions {
  readonly from?: string
  readonly brand?: string
  readonly alias?: ReadonlyArray<string>
  readonly domain?: ReadonlyArray<string>
  readonly competitor?: ReadonlyArray<string>
  readonly keyword?: ReadonlyArray<string>
}

const trackingFileHint = "docs/configuration.md shows such a file"

export const readTrackingFile = (file: string): unknown => {
  let text: string
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8")
  } catch (error) {
    throw makeUnreadableError(file, error, "--from takes a JSON file with brand, competitors and keywords")
  }
  return Result.getOrThrowWith(
    parseJson(text),
    (fault) => usageError(`${file}: ${describeJsonFault(fault)}`, trackingFileHint)
  )
}

export const makeTracking = (
  brand: string,
  options: TrackingOptions
): unknown => ({
  brand: { name: brand, aliases: options.alias ?? [], domains: options.domain ?? [] },
  competitors: (options.competitor ?? []).map((name) => ({ name })),
  keywords: (options.keyword ?? []).map((text) => ({ text }))
})

/** Decodes a tracked set from a file, or from options if no file is named. */
export const decodeTracking = (value: unknown, file?: string): TrackingFile =>
  Result.getOrThrowWith(
    Schema.decodeUnknownResult(TrackingFile)(value, { onExcessProperty: "error" }),
    (error) =>
      file === undefined
        ? usageError(describeFirstIssue(error))
        : usageError(`${file}: ${describeFirstIssue(error)}`, trackingFileHint)
  )

/**
 * The tracked set in the options; null if there are no such options. Throws a usage error if there are parts but no
 * brand.
 */
export const readTrackingOptions = (options: TrackingOptions): TrackingFile | null => {
  const { alias, brand, competitor, domain, from, keyword } = options
  const parts = [alias, domain, competitor, keyword].filter((part) => part !== undefined)
  if (from !== undefined) {
    if (brand !== undefined || parts.length > 0) throw usageError("--from names all that is tracked: give it alone")
    return decodeTracking(readTrackingFile(from), from)
  }
  if (brand !== undefined) return decodeTracking(makeTracking(brand, options))
  if (parts.length > 0) throw usageError("--alias, --domain, --competitor and --keyword need --brand NAME")
  return null
}
