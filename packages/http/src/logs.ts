import { Layer, Logger, References } from "effect"

/** Keys, bearer headers and passwords in addresses, wherever a library may have put one into a message. */
const secrets = /sov_(?:live|test)_\w+|(?<=bearer )\S+|(?<=:\/\/[^\s:/@]*:)[^\s/@]+(?=@)/gi

/** A line of the log without what must not be in it. */
const redacted = (line: string): string => line.replace(secrets, "[redacted]")

/** One JSON object a line on stderr; `verbose` adds every request. */
export const layerLogs = (verbose: boolean): Layer.Layer<never> =>
  Layer.mergeAll(
    Logger.layer([Logger.withConsoleError(Logger.map(Logger.formatJson, redacted))]),
    Layer.succeed(References.MinimumLogLevel, verbose ? "Debug" : "Info")
  )
