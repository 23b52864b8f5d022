import { Cause, Clock, Effect, Layer, Schedule } from "effect"
import { PersistedQueue } from "effect/persistence"
import { SqlError } from "effect/sql"
import type { PlatformId } from "../../domain/Platform.ts"
import { JobQueue, Lane } from "../../ports/JobQueue.ts"
import { StoreError } from "../../ports/StoreError.ts"
import { guarded, guardedLayer, storeErrorOf } from "./sqlErrors.ts"

/** The handler's way to put a lane back; kept with the item as its last failure, so it says nothing of the lane. */
const staysOpen = { _tag: "LaneStaysOpen" } as const

/** A lane that worked for less than this found little that was due. */
const idleMs = 1000

/**
 * A lane comes again at once after it worked, and after a second when nothing was due. The queue keeps whole seconds,
 * and replays the schedule once for each attempt so far: it ends after its first step.
 */
const pauseAfter = (workedMs: () => number) =>
  Schedule.recurs(1).pipe(Schedule.addDelay(() => Effect.sync(() => workedMs() < idleMs ? "1 second" : 0)))

const toStoreError = (operation: string) => (error: unknown): StoreError => {
  const cause = error instanceof PersistedQueue.PersistedQueueError ? error.cause : undefined
  const found = Cause.isCause(cause)
    ? cause.reasons.map((reason) =>
      Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    ).find(SqlError.isSqlError)
    : undefined
  return found === undefined
    ? new StoreError({ reason: "internal", message: `${operation}: the queue refused it` })
    : storeErrorOf(operation, found)
}

const make = Effect.gen(function*() {
  const factory = yield* PersistedQueue.PersistedQueueFactory
  const queueOf = (platform: PlatformId, workedMs: () => number) =>
    factory.make({
      name: `cells/${platform}`,
      schema: Lane,
      maxAttempts: 2_147_483_647, // attempts are counted in cells; a lane ends when its cells have
      retrySchedule: pauseAfter(workedMs)
    })

  return JobQueue.of({
    offer: (lane) =>
      queueOf(lane.platform, () => 0).pipe(
        Effect.flatMap((queue) => queue.offer(lane, { id: `${lane.organizationId}/${lane.scanId}` })),
        Effect.mapError(toStoreError("offer lane")),
        Effect.asVoid
      ),

    take: <E, R>(platform: PlatformId, work: (lane: Lane) => Effect.Effect<"done" | "open", E, R>) =>
      Effect.gen(function*() {
        let workedMs = 0
        // What went wrong goes to the caller, never into the queue's table
        let outcome: Effect.Effect<void, E> = Effect.void
        const queue = yield* queueOf(platform, () => workedMs)
        const turn = Effect.fnUntraced(function*(lane: Lane) {
          const start = yield* Clock.currentTimeMillis
          const exit = yield* Effect.onExit(work(lane), () =>
            Effect.map(Clock.currentTimeMillis, (end) => {
              workedMs = end - start
            })).pipe(Effect.catchCause((cause) => {
              if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
              workedMs = 0 // trouble is not work: no lane may fail in a busy loop
              outcome = Effect.failCause(cause)
              return Effect.succeed("open" as const)
            }))
          return exit === "done" ? undefined : yield* Effect.fail(staysOpen)
        })
        yield* queue.take(turn).pipe(
          Effect.catchIf((error) => error === staysOpen, () => Effect.void),
          Effect.mapError(toStoreError("take lane")),
          guarded("take lane")
        )
        return yield* outcome
      })
  })
})

/**
 * Lanes in table `sov_queue`, which the queue itself makes and migrates when this layer is built. A lane is an item by
 * the id of its scan, so that it is offered once, also after it is done. A worker that dies loses its lanes to others
 * after 10 s.
 */
export const PgJobQueue = Layer.effect(JobQueue, make).pipe(
  Layer.provide(PersistedQueue.layer),
  Layer.provide(PersistedQueue.layerStoreSql({
    tableName: "sov_queue",
    pollInterval: "300 millis",
    lockRefreshInterval: "3 seconds",
    lockExpiration: "10 seconds"
  })),
  guardedLayer("open the queue")
)
