import { withoutCredentials } from "@sov/core/common"
import { Layer, Logger, References } from "effect"

/**
 * Logs one JSON object per line on stderr, with credentials removed from messages; `verbose` adds every request.
 * `least` is the lowest level that is logged otherwise.
 */
export const layerLogs = (verbose: boolean, least: "Info" | "Warn" = "Info"): Layer.Layer<never> =>
  Layer.mergeAll(
    Logger.layer([Logger.withConsoleError(Logger.map(Logger.formatJson, withoutCredentials))]),
    Layer.succeed(References.MinimumLogLevel, verbose ? "Debug" : least)
  )
