import { Deferred, type Duration, Effect, Exit, Fiber, Schedule, Scope, Stream } from "effect"
import type { WorkerId } from "../../domain/ids.ts"
import { type NewWork, parseNewWork } from "../../domain/workers/NewWork.ts"
import { AnswerPlatforms } from "../../ports/AnswerPlatform.ts"
import { ConfiguredJudge } from "../../ports/Judge.ts"
import { Notifications, workChannel } from "../../ports/Notifications.ts"
import { type BackgroundTasks, Placement } from "../../ports/Placement.ts"
import { RedirectResolver } from "../../ports/RedirectResolver.ts"
import { experimentKind } from "../experiments/experimentKind.ts"
import { makeDigestKind } from "../mail/digestKind.ts"
import { runMailWorker } from "../mail/mailWorker.ts"
import { judgeAnswers } from "../measuring/judgeAnswers.ts"
import { makePlatformWorker, runPlatformWorker, withSavedHealth } from "../platforms/platformWorker.ts"
import { CompletionTurns, makeCompletionTurns } from "../scanning/completeWhenDone.ts"
import { sweepKind } from "../scanning/sweepKind.ts"
import { makeScheduleKind } from "../schedules/scheduleKind.ts"
import { makeRedirectKind } from "../sources/redirectKind.ts"
import { runDeliveryWorker } from "../webhooks/deliveryWorker.ts"
import { registerWorker } from "./registerWorker.ts"
import { runKind } from "./runKind.ts"
import { makeUpkeepKind } from "./upkeepKind.ts"
import { WakeSignal } from "./WakeSignal.ts"

/** A running worker. */
export interface Worker {
  /** The worker's id in the registry. */
  readonly id: WorkerId
  /**
   * How far the registry's clock is ahead of this process's clock, in milliseconds; 0 if the round trip explains the
   * difference.
   */
  readonly clockAheadMs: number
  /**
   * Stops the worker: no further call begins, and calls in flight may finish within `grace` and are archived. Calls
   * that are still in flight then are aborted, and their cells stay open. A database that does not answer delays this
   * by at most three seconds.
   */
  readonly stop: (grace: Duration.Input) => Effect.Effect<void>
}

/**
 * Starts a worker for all organizations: running scans on all configured platforms, deliveries, queued e-mails,
 * schedules, and redirects to resolve. It works until it is stopped or its scope closes. Of all workers that share the
 * database, only one at a time works on each platform, one delivers, one sends e-mails, and one runs schedules, digests
 * and the ends of experiments; all must have the same platforms and judge (PlatformsDiffer). A worker that does not
 * stay (it leaves when its scan ends) runs schedules only while another one stays.
 */
export const startWorker = Effect.fn("startWorker")(function*({ stays = true }: { readonly stays?: boolean } = {}) {
  const platforms = yield* AnswerPlatforms
  const notifications = yield* Notifications
  const placement = yield* Placement
  const registration = yield* registerWorker({ fenced: !placement.exclusive, stays })
  const abort = yield* Deferred.make<void>()
  const judge = yield* ConfiguredJudge
  const newWork = new WakeSignal<NewWork>()

  yield* notifications.listen(workChannel).pipe(
    Stream.runForEach((payload) => Effect.sync(() => newWork.notify(parseNewWork(payload)))),
    Effect.retry(Schedule.spaced("1 second")),
    Effect.forkScoped
  )

  const taskScope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
  const platformTasks = [...platforms.all.values()].map((platform) => {
    const name = `platform/${platform.id}`
    const worker = makePlatformWorker({
      platform,
      judge,
      newWork,
      abort,
      assertLease: registration.assertLease(name)
    })
    // The judge comes first. It cannot starve the questions, whose answers are its work, but the questions could starve
    // the judge
    const work = judge?.platform === platform.id
      ? Effect.all([judgeAnswers(judge, worker), runPlatformWorker(worker)], {
        concurrency: "unbounded",
        discard: true
      })
      : runPlatformWorker(worker)
    return [name, registration.runExclusive(name, withSavedHealth(worker, work))] as const
  })
  const deliveries = runDeliveryWorker({ newWork, abort })
  const mail = runMailWorker({ newWork, abort })
  const engine = (task: string) => ({ newWork, abort, fence: registration.assertLease(task) })
  const schedules = Effect.all([
    runKind(makeScheduleKind(stays), engine("schedule")),
    runKind(makeDigestKind(stays), engine("schedule")),
    runKind(experimentKind, engine("schedule"))
  ], { concurrency: "unbounded", discard: true })
  const sweepForever = runKind(sweepKind, engine("sweeper"))
  const upkeep = runKind(makeUpkeepKind(), engine("upkeep"))
  const redirects = runKind(makeRedirectKind(), engine("redirects"))
  const resolvers = yield* RedirectResolver
  type Needs = Effect.Services<
    | typeof sweepForever
    | typeof deliveries
    | typeof mail
    | typeof schedules
    | typeof upkeep
    | typeof redirects
    | typeof platformTasks[number][1]
  >
  const tasks: BackgroundTasks<Needs> = {
    sweeper: registration.runExclusive("sweeper", sweepForever),
    deliveries: registration.runExclusive("deliveries", deliveries),
    mail: registration.runExclusive("mail", mail),
    schedule: registration.runExclusive("schedule", schedules),
    upkeep: registration.runExclusive("upkeep", upkeep),
    // All workers have the same platforms, and therefore the same names
    ...resolvers.size === 0 ? {} : { redirects: registration.runExclusive("redirects", redirects) },
    ...Object.fromEntries(platformTasks)
  }
  yield* placement.run(tasks).pipe(
    Effect.provideService(CompletionTurns, yield* Scope.provide(makeCompletionTurns, taskScope)),
    Scope.provide(taskScope)
  )

  const worker: Worker = {
    id: registration.id,
    clockAheadMs: registration.clockAheadMs,
    stop: (grace) =>
      Effect.gen(function*() {
        // Detached, because leaving the placement cannot be interrupted and waits for the database
        const closing = yield* Effect.forkDetach(Scope.close(taskScope, Exit.void))
        const aborting = Effect.sleep(grace).pipe(
          Effect.andThen(Deferred.succeed(abort, undefined)),
          Effect.andThen(Effect.sleep("3 seconds"))
        )
        yield* Effect.raceFirst(Fiber.join(closing), aborting)
      })
  }
  return worker
})
