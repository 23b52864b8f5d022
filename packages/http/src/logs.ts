import { withoutCredentials } from "@sov/core"
import { Layer, Logger, References } from "effect"

/** One JSON object a line on stderr, without credentials that a library put into a message; `verbose` adds every request. */
export const layerLogs = (verbose: boolean): Layer.Layer<never> =>
  Layer.mergeAll(
    Logger.layer([Logger.withConsoleError(Logger.map(Logger.formatJson, withoutCredentials))]),
    Layer.succeed(References.MinimumLogLevel, verbose ? "Debug" : "Info")
  )
