/**
 * Placement on the embedded home: the process that holds the data directory's worker lock runs all background tasks.
 */
import { Deferred, Effect, Exit, Layer, type Scope } from "effect"
import { type BackgroundTasks, Placement } from "../../../ports/Placement.ts"
import { StoreError, type StoreFailure } from "../../../ports/StoreError.ts"
import { EmbeddedError, type EmbeddedReason, WorkerLock } from "../../embedded/index.ts"
import { restartForever } from "../restartForever.ts"

/** How often a waiting process tries the lock, and so how late it may take over. */
const acquireInterval = "250 millis"
/** How often the holder checks that its lock is still held: somebody may remove the file. */
const checkInterval = "100 millis"
/**
 * Longer than `checkInterval`: after it, a process that ran under a lock file that was removed has stopped, unless the
 * machine stalls it. Leases in the database guard the work then.
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

/** The lock that makes a process the one that runs the tasks. */
type Lock = Pick<WorkerLock, "tryJoin" | "isHeld" | "leave" | "isNew">

const makeLockPlacement = (lock: Lock) => {
  /** Names that run here: a second `run` of a name in this process waits as one in another process does. */
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
   * Tries the lock once and, with it, runs the tasks until it is lost. `tried` is done with how the first try ended.
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
 * process takes over within 250 ms of its release, which the kernel does at kill -9.
 */
export const layerLockPlacement = (dataDir: string): Layer.Layer<Placement> =>
  Layer.sync(Placement, () => makeLockPlacement(new WorkerLock(dataDir)))

/** Placement for a database that no other process can open: all tasks run here. */
export const layerPlacementAlone: Layer.Layer<Placement> = Layer.sync(
  Placement,
  () => makeLockPlacement({ tryJoin: () => true, isHeld: () => true, leave: () => {}, isNew: false })
)
