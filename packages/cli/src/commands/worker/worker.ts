/** sov worker: asks the platforms for every running scan, alongside other workers, until it is stopped. */
import { NotReady } from "@sov/core/common"
import { listPlatforms } from "@sov/core/platforms"
import { startWorker, stopGraceMs, ThisProcess } from "@sov/core/workers"
import { Deferred, Duration, Effect } from "effect"
import { describeError } from "../../describeError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { platformsLayer, readConfig, runCommand } from "../../runtime.ts"
import { locateDatabase, locationText } from "../../settings/databaseLocation.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { layerService } from "../serve/service.ts"

/** Fails, before a database is opened, when no platform is configured. */
const checkPlatformsConfigured = (options: GlobalOptions) =>
  Effect.try({ try: () => readConfig(options), catch: describeError }).pipe(
    Effect.filterOrFail(
      ({ platforms }) => Object.keys(platforms).length > 0,
      () => describeError(new NotReady({ missing: "platforms" }))
    )
  )

/** Runs `sov worker`. */
export const worker = (options: GlobalOptions & { readonly migrate?: boolean }) =>
  runCommand(
    options,
    { before: checkPlatformsConfigured(options), handlesStop: true, migrate: options.migrate },
    function*({ out, stopped }) {
      return yield* Effect.gen(function*() {
        const { host, pid, version } = yield* ThisProcess
        const platforms = (yield* listPlatforms()).map(({ id }) => id)
        const { id, stop } = yield* startWorker()
        out.result(
          { worker_id: id, host, pid, version, platforms },
          () =>
            `sov worker ${id} (process ${pid} on ${host}) takes part in asking ${platforms.join(", ")}; ` +
            `${locationText(locateDatabase(options))}`
        )
        const signal = yield* Deferred.await(stopped)
        const grace = stopGraceMs[signal]
        yield* Effect.logInfo(
          `stopping: answers in flight are awaited, at most ${Duration.format(Duration.millis(grace))}`
        )
        yield* stop(grace)
        yield* Effect.logInfo("stopped; running scans go on in other workers, or when one starts")
        return exitCodes.ok
      }).pipe(
        Effect.provide([platformsLayer(options), layerService(options)]),
        Effect.mapError(describeError)
      )
    }
  )
