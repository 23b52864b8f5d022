/** What commands that run until they are stopped have in common: `sov serve` and `sov worker`. */
import { layerLogs, layerTracing } from "@sov/http"
import { Duration, Layer } from "effect"
import type { GlobalOptions } from "./settings/GlobalOptions.ts"
import { version } from "./version.ts"

/** What a signal leaves to requests and calls in flight: a person waits for less than a supervisor does. */
export const graces = { SIGINT: Duration.seconds(10), SIGTERM: Duration.seconds(23) }

/** Logs for programs on stderr, and traces where the environment wants them. */
export const layerService = (options: GlobalOptions): Layer.Layer<never> =>
  Layer.mergeAll(layerLogs(options.verbose === true), layerTracing(process.env, version()))
