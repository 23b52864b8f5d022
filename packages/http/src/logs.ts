import { withoutCredentials } from "@sov/core/common"
import { Layer, Logger, References } from "effect"

/**
 * Logs one JSON object per line on stderr and removes credentials from messages; `verbose` also logs every request.
 * Without `verbose`, `least` is the lowest level that is logged.
 */
export const layerLogs = (verbose: boolean, least: "Info" | "Warn" = "Info"): Layer.Layer<never> =>
  Layer.mergeAll(
    Logger.layer([Logger.withConsoleError(Logger.map(Logger.formatJson, withoutCredentials))]),
    Layer.succeed(References.MinimumLogLevel, verbose ? "Debug" : least)
  )
