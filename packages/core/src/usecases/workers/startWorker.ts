import { Deferred, type Duration, Effect, Exit, Fiber, Schedule, Scope, Stream } from "effect"
import type { WorkerId } from "../../domain/ids.ts"
import { AnswerPlatforms } from "../../ports/AnswerPlatform.ts"
import { Notifications, workChannel } from "../../ports/Notifications.ts"
import { Placement, type StandingWork } from "../../ports/Placement.ts"
import { SentimentJudge } from "../../ports/SentimentJudge.ts"
import { workMail } from "../mail/workMail.ts"
import { judgeAnswers } from "../measuring/judgeAnswers.ts"
import { attend, makeWorkPlace, workPlatform } from "../platforms/workPlatform.ts"
import { sweepScans } from "../scanning/sweepScans.ts"
import { workSchedules } from "../schedules/runSchedules.ts"
import { workDeliveries } from "../webhooks/workDeliveries.ts"
import { Bell } from "./Bell.ts"
import { enterWorker } from "./enterWorker.ts"

/** A running worker. */
export interface Worker {
  /** As the registry has it. */
  readonly id: WorkerId
  /** How far the registry's clock is ahead of this process's, in milliseconds; 0 when the time it took explains it. */
  readonly clockAheadMs: number
  /**
   * Stops: nothing new is asked, calls in flight may finish within `grace` and are archived; what is still in flight
   * then is cut and stays open. A database that says nothing delays this by three seconds at most.
   */
  readonly stop: (grace: Duration.Input) => Effect.Effect<void>
}

const sweep = sweepScans().pipe(
  Effect.catchCause((cause) => Effect.logDebug("the sweep comes again", cause)),
  Effect.repeat(Schedule.spaced("2 seconds")),
  Effect.asVoid
)

/**
 * Starts working on every running scan of every organization, on all configured platforms, on every delivery, on every
 * queued e-mail and on every schedule, until stopped or its scope closes. Of all workers that share the database one at a
 * time works on each platform, one delivers, one sends e-mails and one runs schedules; all must have the same platforms
 * and judge (PlatformsDiffer). A worker that does not stay (it leaves with the scan it came for) runs schedules
 * only while one is there that does.
 */
export const startWorker = Effect.fn("startWorker")(function*({ stays = true }: { readonly stays?: boolean } = {}) {
  const platforms = yield* AnswerPlatforms
  const notifications = yield* Notifications
  const placement = yield* Placement
  const entered = yield* enterWorker({ fenced: !placement.exact, stays })
  const cut = yield* Deferred.make<void>()
  const judge = yield* SentimentJudge
  const news = new Bell()

  yield* notifications.listen(workChannel).pipe(
    Stream.runForEach(() => Effect.sync(news.ring)),
    Effect.retry(Schedule.spaced("1 second")),
    Effect.forkScoped
  )

  const standing = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
  const asking = [...platforms.all.values()].map((platform) => {
    const name = `platform/${platform.id}`
    const place = makeWorkPlace({ platform, judge, news, cut, present: entered.present(name) })
    // The judge first: it cannot starve the questions, whose answers are its work, but they could starve it
    const work = judge?.platform === platform.id
      ? Effect.all([judgeAnswers(judge, place), workPlatform(place)], { concurrency: "unbounded", discard: true })
      : workPlatform(place)
    return [name, entered.doing(name, attend(place, work))] as const
  })
  const delivering = workDeliveries({ news, cut })
  const mailing = workMail(news, cut)
  const scheduling = workSchedules({ news, stays })
  type Needs = Effect.Services<
    typeof sweep | typeof delivering | typeof mailing | typeof scheduling | typeof asking[number][1]
  >
  const work: StandingWork<Needs> = {
    sweeper: entered.doing("sweeper", sweep),
    deliveries: entered.doing("deliveries", delivering),
    mail: entered.doing("mail", mailing),
    schedule: entered.doing("schedule", scheduling),
    ...Object.fromEntries(asking)
  }
  yield* placement.keep(work).pipe(Scope.provide(standing))

  const worker: Worker = {
    id: entered.id,
    clockAheadMs: entered.clockAheadMs,
    stop: (grace) =>
      Effect.gen(function*() {
        // By itself: leaving the others cannot be interrupted, and waits for the database
        const closing = yield* Effect.forkDetach(Scope.close(standing, Exit.void))
        const cutting = Effect.sleep(grace).pipe(
          Effect.andThen(Deferred.succeed(cut, undefined)),
          Effect.andThen(Effect.sleep("3 seconds"))
        )
        yield* Effect.raceFirst(Fiber.join(closing), cutting)
      })
  }
  return worker
})
