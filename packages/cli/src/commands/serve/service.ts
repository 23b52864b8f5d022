/** What commands that run until they are stopped have in common: `sov serve` and `sov worker`. */
import { clockToleranceMs } from "@sov/core/workers"
import { layerLogs, layerTracing } from "@sov/http"
import { Effect, Layer } from "effect"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { version } from "../../version.ts"

/** Logs for programs on stderr, from `least` on, and traces where the environment configures them. */
export const layerService = (options: GlobalOptions, least: "Info" | "Warn" = "Info"): Layer.Layer<never> =>
  Layer.mergeAll(layerLogs(options.verbose === true, least), layerTracing(process.env, version()))

/** Warns of a clock that is not the database's: retries, schedules and budgets use the worker's clock. */
export const warnOfClock = (aheadMs: number): Effect.Effect<void> =>
  Math.abs(aheadMs) <= clockToleranceMs
    ? Effect.void
    : Effect.logWarning(
      `the clock of this machine is ${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${
        aheadMs > 0 ? "behind" : "ahead of"
      } the database's: synchronize both (NTP)`
    )
