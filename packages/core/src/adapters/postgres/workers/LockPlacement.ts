/** Placement on the embedded home: whoever holds the data directory's worker lock does all of the standing work. */
import { Deferred, Effect, Exit, Layer, type Scope } from "effect"
import { Placement, type StandingWork } from "../../../ports/Placement.ts"
import { StoreError, type StoreFailure } from "../../../ports/StoreError.ts"
import { EmbeddedError, type EmbeddedReason, WorkerLock } from "../../embedded/index.ts"
import { beginAgain } from "../beginAgain.ts"

/** How often those who wait try the lock, and so how late they take over. */
const tryEvery = "250 millis"
/** How often the holder looks whether its lock still guards: somebody may remove the file. */
const lookEvery = "100 millis"
/** What outlasts a holder's look: the wait of who finds no lock file where somebody may work without. */
const outlast = "250 millis"

const failures: { readonly [K in EmbeddedReason]?: StoreFailure } = {
  not_a_directory: "denied",
  not_writable: "denied",
  disk_full: "full"
}

const storeError = (thrown: unknown): StoreError =>
  thrown instanceof EmbeddedError
    ? new StoreError({ reason: failures[thrown.reason] ?? "unavailable", message: thrown.message })
    : new StoreError({ reason: "internal", message: "the worker lock failed", cause: thrown })

/** What a process needs to be the one that works. */
type Lock = Pick<WorkerLock, "tryJoin" | "guards" | "leave" | "fresh">

const make = (lock: Lock) => {
  /** Names that run here: a second taker of a name in this process waits like one in another process. */
  const running = new Set<string>()

  const tryBegin = (names: ReadonlyArray<string>) =>
    Effect.try({
      try: () => {
        if (names.some((name) => running.has(name)) || !lock.tryJoin()) return false
        for (const name of names) running.add(name)
        return true
      },
      catch: storeError
    })

  const end = (names: ReadonlyArray<string>) =>
    Effect.sync(() => {
      for (const name of names) running.delete(name)
      lock.leave()
    })

  const lost = Effect.sleep(lookEvery).pipe(Effect.repeat({ while: () => lock.guards() }))

  /** Waits for the lock and works until it is lost; says first whether the lock can be tried at all. */
  const turn = Effect.fnUntraced(function*<R>(work: StandingWork<R>, tried: Deferred.Deferred<void, StoreError>) {
    const names = Object.keys(work)
    const waited = Effect.suspend(() => tryBegin(names)).pipe(
      Effect.onExit((exit) => Deferred.done(tried, Exit.asVoid(exit))),
      Effect.catch((error) => Effect.as(Effect.logDebug(error.message), false))
    )
    yield* Effect.acquireUseRelease(
      waited,
      Effect.fnUntraced(function*(begun) {
        if (!begun) return yield* Effect.sleep(tryEvery)
        if (lock.fresh) yield* Effect.sleep(outlast)
        yield* Effect.raceFirst(
          lost,
          Effect.forEach(Object.entries(work), ([name, effect]) => beginAgain(name, effect), {
            concurrency: "unbounded",
            discard: true
          })
        )
      }),
      (begun) => begun ? end(names) : Effect.void
    )
  })

  return Placement.of({
    exact: true,
    keep: <R>(work: StandingWork<R>): Effect.Effect<void, StoreError, Exclude<R, Scope.Scope> | Scope.Scope> =>
      Effect.gen(function*() {
        const tried = yield* Deferred.make<void, StoreError>()
        yield* Effect.forkScoped(Effect.forever(turn(work, tried)), { startImmediately: true })
        yield* Deferred.await(tried)
      })
  })
}

/**
 * Placement among the processes that share a data directory: all names run in the holder of `worker.lock`. Others take
 * over within 250 ms of its release, which the kernel does at kill -9.
 */
export const layerLockPlacement = (dataDir: string): Layer.Layer<Placement> =>
  Layer.sync(Placement, () => make(new WorkerLock(dataDir)))

/** Placement for a database that no other process can open: everything runs here, at once. */
export const layerPlacementAlone: Layer.Layer<Placement> = Layer.sync(
  Placement,
  () => make({ tryJoin: () => true, guards: () => true, leave: () => {}, fresh: false })
)
