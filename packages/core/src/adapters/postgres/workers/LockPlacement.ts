/**
 * Placement on the embedded home: the process that holds the data directory's worker lock runs all background tasks.
 */
import { Deferred, Effect, Exit, Layer, type Scope } from "effect"
import { type BackgroundTasks, Placement } from "../../../ports/Placement.ts"
import { StoreError, type StoreFailure } from "../../../ports/StoreError.ts"
import { EmbeddedError, type EmbeddedReason, WorkerLock } from "../../embedded/index.ts"
import { restartForever } from "../restartForever.ts"

/** How often a waiting process tries to take the lock, which is also its longest delay before it takes over. */
const acquireInterval = "250 millis"
/** How often the holder checks that it still has the lock, because somebody may remove the file. */
const checkInterval = "100 millis"
/**
 * Longer than `checkInterval`, so that a process whose lock file was removed has stopped by then. If the machine stalls
 * that process, leases in the database protect the work.
 */
const previousHolderWait = "250 millis"

const failures: { readonly [K in EmbeddedReason]?: StoreFailure } = {
  not_a_directory: "denied",
  not_writable: "denied",
  not_private: "denied",
  disk_full: "full"
}

const toStoreError = (thrown: unknown): StoreError =>
  thrown instanceof EmbeddedError
    ? new StoreError({ reason: failures[thrown.reason] ?? "unavailable", message: thrown.message })
    : new StoreError({ reason: "internal", message: "the worker lock failed", cause: thrown })

/** The lock that decides which process runs the tasks. */
type Lock = Pick<WorkerLock, "tryJoin" | "isHeld" | "leave" | "isNew">

const makeLockPlacement = (lock: Lock) => {
  /** Names of tasks that run here. A second `run` of the same name waits, as it would in another process. */
  const running = new Set<string>()

  const tryBeginTasks = (names: ReadonlyArray<string>) =>
    Effect.try({
      try: () => {
        if (names.some((name) => running.has(name)) || !lock.tryJoin()) return false
        for (const name of names) running.add(name)
        return true
      },
      catch: toStoreError
    })

  const endTasks = (names: ReadonlyArray<string>) =>
    Effect.sync(() => {
      for (const name of names) running.delete(name)
      lock.leave()
    })

  const awaitLockLoss = Effect.sleep(checkInterval).pipe(Effect.repeat({ while: () => lock.isHeld() }))

  /**
   * Tries the lock once and, if it gets the lock, runs the tasks until the lock is lost. `tried` completes with the
   * result of the first attempt.
   */
  const tryRunTasks = Effect.fnUntraced(
    function*<R>(tasks: BackgroundTasks<R>, tried: Deferred.Deferred<void, StoreError>) {
      const names = Object.keys(tasks)
      const acquire = Effect.suspend(() => tryBeginTasks(names)).pipe(
        Effect.onExit((exit) => Deferred.done(tried, Exit.asVoid(exit))),
        Effect.catch((error) => Effect.as(Effect.logDebug(error.message), false))
      )
      yield* Effect.acquireUseRelease(
        acquire,
        Effect.fnUntraced(function*(begun) {
          if (!begun) return yield* Effect.sleep(acquireInterval)
          if (lock.isNew) yield* Effect.sleep(previousHolderWait)
          yield* Effect.raceFirst(
            awaitLockLoss,
            Effect.forEach(Object.entries(tasks), ([name, task]) => restartForever(name, task), {
              concurrency: "unbounded",
              discard: true
            })
          )
        }),
        (begun) => begun ? endTasks(names) : Effect.void
      )
    }
  )

  return Placement.of({
    exclusive: true,
    run: <R>(tasks: BackgroundTasks<R>): Effect.Effect<void, StoreError, Exclude<R, Scope.Scope> | Scope.Scope> =>
      Effect.gen(function*() {
        const tried = yield* Deferred.make<void, StoreError>()
        yield* Effect.forkScoped(Effect.forever(tryRunTasks(tasks, tried)), { startImmediately: true })
        yield* Deferred.await(tried)
      })
  })
}

/**
 * Placement among the processes that share a data directory: all tasks run in the holder of `worker.lock`. Another
 * process takes over within 250 ms after the lock is released, which the kernel does even after kill -9.
 */
export const layerLockPlacement = (dataDir: string): Layer.Layer<Placement> =>
  Layer.sync(Placement, () => makeLockPlacement(new WorkerLock(dataDir)))

/** Placement for a database that no other process can open: all tasks run here. */
export const layerPlacementAlone: Layer.Layer<Placement> = Layer.sync(
  Placement,
  () => makeLockPlacement({ tryJoin: () => true, isHeld: () => true, leave: () => {}, isNew: false })
)
