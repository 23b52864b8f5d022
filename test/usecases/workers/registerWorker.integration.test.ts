/** The registry of workers through its use case, on both homes: one set of bindings for one database. */
import {
  AnswerPlatforms,
  findConflictingWorker,
  heartbeatTimeoutMs,
  type RegisteredWorker,
  registerWorker,
  resolveTakeovers,
  shiftedClock,
  ThisProcess,
  type WorkerId,
  WorkerRegistry
} from "@sov/core"
import { Clock, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const platforms = (digest: string) => Layer.succeed(AnswerPlatforms, { all: new Map(), digest })
const as = (pid: number, digest = "d1") => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.provide(platforms(digest)),
    Effect.provideService(ThisProcess, { host: "anvil.example", pid, version: "9.9.9" })
  )
const all = WorkerRegistry.use((registry) => registry.list(1e12))
/** Makes the worker look as one that runs these tasks and whose last heartbeat is as old as the timeout. */
const expire = Effect.fnUntraced(function*(id: WorkerId, doing: ReadonlyArray<string>) {
  yield* (yield* WorkerRegistry).heartbeat(id, doing)
  const sql = yield* SqlClient.SqlClient
  yield* sql`update worker set seen_at = seen_at - ${heartbeatTimeoutMs}::int * interval '1 millisecond' where id = ${id}`
})
const pids = Effect.map(all, (workers) => workers.map(({ pid }) => pid).toSorted((a, b) => a - b))
const until = <R>(check: Effect.Effect<boolean, unknown, R>) =>
  Effect.gen(function*() {
    while (!(yield* check)) yield* Effect.sleep("50 millis")
  }).pipe(Effect.timeout("60 seconds"), Effect.orDie)

describe.each(homes)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  it("other platform bindings are refused while a worker is registered, and accepted once it has unregistered", () =>
    storage.run(Effect.gen(function*() {
      yield* Effect.scoped(Effect.gen(function*() {
        yield* as(1)(registerWorker())
        yield* as(2)(registerWorker())
        const refused = yield* Effect.flip(as(3, "d2")(registerWorker()))
        expect(refused).toMatchObject({ _tag: "PlatformsDiffer", host: "anvil.example", pid: expect.any(Number) })
        expect(yield* pids).toEqual([1, 2])
      }))
      expect(yield* pids).toEqual([])
      yield* Effect.scoped(as(3, "d2")(registerWorker()))
    })))

  it("only one of two workers that register different bindings at the same time is accepted", () =>
    storage.run(Effect.scoped(Effect.gen(function*() {
      for (let round = 0; round < 5; round++) {
        const outcomes = yield* Effect.scoped(Effect.all(
          [Effect.result(as(1, "d1")(registerWorker())), Effect.result(as(2, "d2")(registerWorker()))],
          { concurrency: 2 }
        ))
        expect(outcomes.map(({ _tag }) => _tag).toSorted()).toEqual(["Failure", "Success"])
      }
    }))))

  it(
    "a worker sends a heartbeat with its tasks every two seconds, and registers again if it was lost",
    () =>
      storage.run(Effect.scoped(Effect.gen(function*() {
        const registry = yield* WorkerRegistry
        const registered = yield* as(7)(registerWorker())
        const [first] = yield* all
        expect(first).toMatchObject({ id: registered.id, version: "9.9.9", digest: "d1", doing: [], platforms: [] })
        yield* Effect.forkChild(registered.runExclusive("platform/assistant_a", Effect.never))
        yield* until(Effect.map(all, ([worker]) => worker?.doing[0] === "platform/assistant_a"))
        expect((yield* all)[0]!.seenAt.getTime()).toBeGreaterThan(first!.seenAt.getTime())
        yield* registry.unregister(registered.id)
        yield* until(Effect.map(all, ([worker]) => worker?.id === registered.id))
        expect((yield* all)[0]).toMatchObject({ startedAt: first!.startedAt, doing: ["platform/assistant_a"] })
      }))),
    120_000
  )

  it("a fenced task begins once the worker that lost it has ended the task, or its heartbeat has timed out", () =>
    storage.run(Effect.scoped(Effect.gen(function*() {
      const [one, two] = [
        yield* as(1)(registerWorker({ fenced: true })),
        yield* as(2)(registerWorker({ fenced: true }))
      ]
      const order: Array<string> = []
      const say = (what: string) => Effect.sync(() => void order.push(what))
      const lost = yield* Effect.forkChild(one.runExclusive(
        "mail",
        say("one").pipe(
          Effect.andThen(Effect.never),
          Effect.ensuring(Effect.andThen(Effect.sleep("500 millis"), say("one has ended")))
        )
      ))
      yield* until(Effect.sync(() => order.length === 1))
      const waits = yield* Effect.forkChild(two.runExclusive("mail", say("two")))
      yield* two.runExclusive("sweeper", say("another name does not wait"))
      yield* Effect.sleep("400 millis")
      yield* Fiber.interrupt(lost)
      yield* Fiber.join(waits)
      expect(order).toEqual(["one", "another name does not wait", "one has ended", "two"])
      // A worker that was killed is waited for only until its heartbeat times out
      yield* expire(one.id, ["mail"])
      yield* two.runExclusive("mail", say("again"))
      expect(order.at(-1)).toBe("again")
    }))))

  it.each([-3_600_000, 3_600_000])(
    "a worker counts as alive even if its clock is %i ms off",
    (awayMs) =>
      storage.run(Effect.scoped(Effect.gen(function*() {
        const wrong = Effect.provideService(Clock.Clock, shiftedClock(yield* Clock.Clock, awayMs))
        const one = yield* as(1)(wrong(registerWorker({ fenced: true })))
        expect(Math.abs(one.clockAheadMs + awayMs)).toBeLessThan(30_000)
        const working = yield* Effect.forkChild(wrong(one.runExclusive("mail", Effect.never)))
        yield* until(Effect.map(all, ([worker]) => worker?.doing[0] === "mail"))
        expect(yield* Effect.flip(as(2, "d2")(registerWorker()))).toMatchObject({ _tag: "PlatformsDiffer", pid: 1 })
        const two = yield* as(3)(registerWorker({ fenced: true }))
        // Both clocks are rounded to a millisecond, so that the same time may differ by one
        expect(Math.abs(two.clockAheadMs)).toBeLessThan(30_000)
        let begun = false
        const waits = two.runExclusive("mail", Effect.sync(() => begun = true))
        expect(yield* Effect.timeoutOption(waits, "600 millis")).toEqual(Option.none())
        // After the timeout nobody waits for it: again and again, since its heartbeat comes every two seconds
        yield* Effect.forkChild(waits)
        yield* until(Effect.andThen(expire(one.id, ["mail"]), Effect.sync(() => begun)))
        yield* Fiber.interrupt(working)
      })))
  )

  it("an interrupted worker unregisters", () =>
    storage.run(Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(Effect.scoped(Effect.andThen(as(8)(registerWorker()), Effect.never)))
      yield* until(Effect.map(pids, (found) => found.includes(8)))
      yield* Fiber.interrupt(fiber)
      expect(yield* pids).not.toContain(8)
    })))
})

describe("resolveTakeovers", () => {
  it("each task belongs to the worker whose heartbeat named it last", () => {
    const worker = (id: string, ms: number, ...doing: ReadonlyArray<string>) =>
      ({ id, seenAt: new Date(ms), doing }) as unknown as RegisteredWorker
    const seen = (...workers: ReadonlyArray<RegisteredWorker>) =>
      resolveTakeovers(workers).map(({ doing, id, takenOver }) => [id, doing, takenOver])
    expect(seen(worker("killed", 1, "mail", "sweeper"), worker("next", 3, "sweeper", "mail"), worker("idle", 9)))
      .toEqual([
        ["killed", [], ["mail", "sweeper"]],
        ["next", ["sweeper", "mail"], []],
        ["idle", [], []]
      ])
    expect(seen(worker("a", 5, "mail", "sweeper"), worker("b", 4, "mail", "schedule"))).toEqual([
      ["a", ["mail", "sweeper"], []],
      ["b", ["schedule"], ["mail"]]
    ])
    // In one millisecond: the younger one
    expect(seen(worker("a", 5, "mail"), worker("b", 5, "mail")).map(([, doing]) => doing)).toEqual([[], ["mail"]])
  })
})

describe("findConflictingWorker", () => {
  const worker = (pid: number, digest: string, ageMs: number) =>
    ({ pid, digest, seenAt: new Date(1e12 - ageMs) }) as RegisteredWorker

  it.each([
    ["no worker", [], null],
    ["a worker of the same bindings", [worker(1, "d1", 0)], null],
    ["several: the one with the newest heartbeat", [worker(1, "d2", 9), worker(2, "d3", 3), worker(3, "d1", 0)], 2]
  ])("a worker with %s conflicts as expected", (_, workers, pid) => {
    expect(findConflictingWorker(workers, "d1")?.pid ?? null).toBe(pid)
  })
})
