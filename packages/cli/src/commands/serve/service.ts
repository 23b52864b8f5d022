/** Code shared by the commands that run until they are stopped: `sov serve` and `sov worker`. */
import { layerLogs, layerTracing } from "@sov/http"
import { Layer } from "effect"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { version } from "../../version.ts"

/** Writes logs for programs to stderr, from level `least` up; also writes traces if the environment configures them. */
export const layerService = (options: GlobalOptions, least: "Info" | "Warn" = "Info"): Layer.Layer<never> =>
  Layer.mergeAll(layerLogs(options.verbose === true, least), layerTracing(process.env, version()))
