/** What commands that run until they are stopped have in common: `sov serve` and `sov worker`. */
import { layerLogs, layerTracing } from "@sov/http"
import { Layer } from "effect"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { version } from "../../version.ts"

/** Logs for programs on stderr, from `least` on, and traces where the environment configures them. */
export const layerService = (options: GlobalOptions, least: "Info" | "Warn" = "Info"): Layer.Layer<never> =>
  Layer.mergeAll(layerLogs(options.verbose === true, least), layerTracing(process.env, version()))
