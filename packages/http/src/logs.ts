import { withoutCredentials } from "@sov/core"
import { Layer, Logger, References } from "effect"

/** Logs one JSON object a line on stderr, with credentials removed from messages; `verbose` adds every request. */
export const layerLogs = (verbose: boolean): Layer.Layer<never> =>
  Layer.mergeAll(
    Logger.layer([Logger.withConsoleError(Logger.map(Logger.formatJson, withoutCredentials))]),
    Layer.succeed(References.MinimumLogLevel, verbose ? "Debug" : "Info")
  )
