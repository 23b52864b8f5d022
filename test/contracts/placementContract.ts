import type { Placement, StoreError } from "@sov/core"
import { type Cause, Clock, Deferred, Effect, Exit, Scope } from "effect"
import assert from "node:assert/strict"

/** Two placements of one database, as two processes have them. */
export type Members<E> = Effect.Effect<readonly [Placement["Service"], Placement["Service"]], E, Scope.Scope>

/** Longer than a task ever takes to move between two members that are alive, on a busy machine too. */
const maxTakeover = "2 minutes"

/** What happened to one task, in order: `start x` and `stop x` of member x, and each overlap. */
const makeTaskLog = () => {
  const lines: Array<string> = []
  let running: string | undefined
  const waiters = new Set<() => void>()
  const write = (line: string) => {
    lines.push(line)
    for (const wake of waiters) wake()
  }
  const until = (condition: () => boolean) =>
    Effect.callback<void>((resume) => {
      const wake = () => {
        if (!condition()) return
        waiters.delete(wake)
        resume(Effect.void)
      }
      waiters.add(wake)
      wake()
    }).pipe(Effect.timeout(maxTakeover))
  return {
    lines,
    until,
    holder: () => running,
    /** Runs until it is interrupted, and then `stopMs` longer. */
    work: (who: string, stopMs = 0) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          if (running !== undefined) write(`overlap of ${running} and ${who}`)
          running = who
          write(`start ${who}`)
        }),
        () => Effect.never,
        () =>
          Effect.sleep(stopMs).pipe(Effect.andThen(Effect.sync(() => {
            running = undefined
            write(`stop ${who}`)
          })))
      )
  }
}

/** A scope that a test closes itself. */
const membership = Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
const leave = (scope: Scope.Closeable) => Scope.close(scope, Exit.void)

const tests: {
  readonly [name: string]: <E>(
    members: Members<E>
  ) => Effect.Effect<void, E | StoreError | Cause.TimeoutError, Scope.Scope>
} = {
  "runs a task in exactly one process, and in the other when that one leaves": Effect.fnUntraced(function*(members) {
    const [one, two] = yield* members
    const log = makeTaskLog()
    const scopes = { one: yield* membership, two: yield* membership }
    yield* one.run({ sweeper: log.work("one") }).pipe(Scope.provide(scopes.one))
    yield* log.until(() => log.holder() === "one")
    yield* two.run({ sweeper: log.work("two") }).pipe(Scope.provide(scopes.two))
    yield* Effect.sleep("3 seconds") // it may move to the second
    yield* log.until(() => log.holder() !== undefined)
    const [first, second] = log.holder() === "one" ? ["one", "two"] as const : ["two", "one"] as const
    yield* leave(scopes[first])
    assert.notEqual(log.holder(), first)
    yield* log.until(() => log.holder() === second)
    yield* leave(scopes[second])
    assert.equal(log.holder(), undefined)
    assert.equal(log.lines.find((line) => line.startsWith("overlap")), undefined)
  }),

  "awaits the end of a task before another process begins it": Effect.fnUntraced(function*(members) {
    const [one, two] = yield* members
    const log = makeTaskLog()
    const scopes = { one: yield* membership, two: yield* membership }
    yield* one.run({ sweeper: log.work("one", 300) }).pipe(Scope.provide(scopes.one))
    yield* log.until(() => log.holder() === "one")
    yield* two.run({ sweeper: log.work("two", 300) }).pipe(Scope.provide(scopes.two))
    yield* leave(scopes.one)
    yield* log.until(() => log.holder() === "two")
    yield* leave(scopes.two)
    assert.deepEqual(log.lines, ["start one", "stop one", "start two", "stop two"])
  }),

  "interrupts all tasks of a call at the same time": Effect.fnUntraced(function*(members) {
    const [one] = yield* members
    const names = ["name 0", "name 1", "name 2"]
    const all = yield* Deferred.make<void>()
    let [running, ending, mostEnding] = [0, 0, 0]
    const task = Effect.acquireUseRelease(
      Effect.suspend(() => ++running === names.length ? Deferred.succeed(all, undefined) : Effect.void),
      () => Effect.never,
      () =>
        Effect.sync(() => mostEnding = Math.max(mostEnding, ++ending)).pipe(
          Effect.andThen(Effect.sleep("1 second")),
          Effect.andThen(Effect.sync(() => (running--, ending--)))
        )
    )
    const scope = yield* membership
    yield* one.run(Object.fromEntries(names.map((name) => [name, task]))).pipe(Scope.provide(scope))
    yield* Deferred.await(all).pipe(Effect.timeout(maxTakeover))
    yield* leave(scope)
    assert.deepEqual({ running, mostEnding }, { running: 0, mostEnding: names.length })
  }),

  "restarts a task that ends or dies, after a pause and in a new scope": Effect.fnUntraced(function*(members) {
    const [one] = yield* members
    const begun: Array<number> = []
    let closed = 0
    const third = yield* Deferred.make<void>()
    yield* one.run({
      sweeper: Effect.gen(function*() {
        begun.push(yield* Clock.currentTimeMillis)
        yield* Effect.addFinalizer(() => Effect.sync(() => closed++))
        if (begun.length === 1) return yield* Effect.die("broken")
        if (begun.length === 2) return
        yield* Deferred.succeed(third, undefined)
        return yield* Effect.never
      })
    })
    yield* Deferred.await(third).pipe(Effect.timeout(maxTakeover))
    assert.equal(closed, 2)
    for (const [i, at] of begun.slice(1).entries()) assert.ok(at - begun[i]! > 900, "no pause")
  })
}

/** What every Placement must keep, given two that take part in the same place and nobody else. */
export const placementContract = <E>(
  members: Members<E>
): ReadonlyArray<{ readonly name: string; readonly effect: Effect.Effect<void> }> =>
  Object.entries(tests).map(([name, body]) => ({ name, effect: Effect.orDie(Effect.scoped(body(members))) }))
