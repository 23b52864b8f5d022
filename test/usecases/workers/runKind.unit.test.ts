/** The engine of background work in a test's time. Its kind keeps its rows in memory; times are milliseconds. */
import {
  makeErrandKind,
  type NewWork,
  OrganizationId,
  runKind,
  StoreError,
  type WorkEngine,
  type WorkKind,
  type WorkQueue,
  type WorkSlot
} from "@sov/core"
import { Deferred, Effect, Fiber, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"

const organization = (n: number) => OrganizationId.make(`01900000-0000-7000-8000-${String(n).padStart(12, "0")}`)
const away = new StoreError({ reason: "unavailable", message: "away" })

interface Row {
  readonly id: string
  /** Its organization has the same number. */
  readonly queue: number
  /** Infinity once it has ended. */
  dueAt: number
}
type TestKind = WorkKind<WorkQueue, number, Row, WorkSlot, StoreError, never>

/** `count` slots, which all queues share. */
const makeSlots = (count: number): TestKind["slots"] => {
  let free = count
  return {
    countFree: () => free,
    take: () => {
      free--
      let ended = false
      return {
        markEnded: () => {
          if (!ended) free++
          ended = true
        }
      }
    },
    findNextStart: () => Infinity
  }
}

/** What a test sees of the engine and does to it. */
interface Run {
  readonly rows: Array<Row>
  /** What the engine asked of its kind, each with its time. */
  readonly events: ReadonlyArray<string>
  readonly notify: (work: NewWork) => void
  readonly abort: Deferred.Deferred<void>
  readonly fiber: Fiber.Fiber<never, unknown>
}

/** A piece that is in work until the test has ended. */
const hang = Effect.as(Effect.sleep("10 hours"), null)
/** Interrupts the engine, and lets the pieces that hang end. */
const endSlowly = Effect.fnUntraced(function*(fiber: Fiber.Fiber<unknown, unknown>) {
  const stopping = yield* Effect.forkChild(Fiber.interrupt(fiber), { startImmediately: true })
  yield* TestClock.adjust("11 hours")
  yield* Fiber.join(stopping)
})

/** Runs the engine with these rows and `slots` slots, and the test beside it; then it is interrupted. */
const working = (
  rows: Array<Row>,
  changes: Partial<TestKind> & {
    readonly slotCount?: number
    readonly fence?: WorkEngine["fence"]
    readonly logger?: Layer.Layer<never>
  },
  during: (run: Run) => Effect.Effect<void>
) => {
  const events: Array<string> = []
  const note = (text: string) =>
    Effect.map(Effect.clockWith((clock) => clock.currentTimeMillis), (ms) => void events.push(`${ms} ${text}`))
  const { fence = Effect.void, logger = Layer.empty, slotCount = 2, ...others } = changes
  const kind: TestKind = {
    name: "testing",
    told: (work) => work.of === "any" ? "all" : null,
    nameOf: ({ id }) => Number(id),
    keyOf: String,
    look: (which, inWork) =>
      Effect.gen(function*() {
        yield* note(`look ${which === "all" ? which : which.join(" ")}`)
        const due = rows.filter(({ dueAt, id, queue }) =>
          dueAt < Infinity && !inWork.has(id) && (which === "all" || which.includes(queue))
        )
        return [...Map.groupBy(due, ({ queue }) => queue)].map(([queue, own]) => ({
          organizationId: organization(queue),
          id: String(queue),
          dueAt: new Date(Math.min(...own.map(({ dueAt }) => dueAt)))
        }))
      }),
    slots: makeSlots(slotCount),
    claimAtOnce: 1,
    claim: ([turn], now, inWork) =>
      Effect.gen(function*() {
        yield* note(`claim ${turn!.slots.length} of ${turn!.queue.id}`)
        return rows.filter(({ dueAt, id, queue }) =>
          String(queue) === turn!.queue.id && dueAt <= now.getTime() && !inWork.has(id)
        ).slice(0, turn!.slots.length).map((row) => [turn!.queue.id, row] as const)
      }),
    run: (_, row) =>
      Effect.gen(function*() {
        yield* note(`run ${row.id}`)
        row.dueAt = Infinity
        return null
      }),
    ...others
  }
  return Effect.runPromise(
    Effect.gen(function*() {
      const listeners = new Set<(work: NewWork) => void>()
      const newWork = {
        subscribe: (listener: (work: NewWork) => void) => Effect.sync(() => void listeners.add(listener))
      }
      const abort = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(runKind(kind, { newWork, abort, fence }), { startImmediately: true })
      yield* TestClock.adjust(0)
      yield* during({ rows, events, notify: (work) => listeners.forEach((listen) => listen(work)), abort, fiber })
      yield* Deferred.succeed(abort, undefined)
      yield* endSlowly(fiber)
    }).pipe(Effect.scoped, Effect.provide([TestClock.layer(), logger]))
  )
}

/** The events that begin with this word, behind their time. */
const only = (events: ReadonlyArray<string>, word: string) => events.filter((one) => one.split(" ")[1] === word)

it("a piece of work is claimed when it is due, run in a slot, and checked again when its run says so", () => {
  const rows = [{ id: "a", queue: 1, dueAt: 700 }]
  const run = (_: WorkQueue, row: Row) => Effect.sync(() => new Date(row.dueAt = row.dueAt === 700 ? 1_500 : Infinity))
  return working(rows, { run }, ({ events }) =>
    Effect.gen(function*() {
      yield* TestClock.adjust("1999 millis")
      expect(events).toEqual(["0 look all", "700 claim 2 of 1", "1500 look 1", "1500 claim 2 of 1"])
    }))
})

it("a notification of other work is ignored, and a notification of its own work looks at all queues", () =>
  working([], {}, ({ events, notify, rows }) =>
    Effect.gen(function*() {
      rows.push({ id: "a", queue: 1, dueAt: 0 })
      notify({ of: "mail" })
      yield* TestClock.adjust("100 millis")
      expect(events).toEqual(["0 look all"])
      notify({ of: "any" })
      yield* TestClock.adjust(0)
      expect(events).toEqual(["0 look all", "100 look all", "100 claim 2 of 1", "100 run a"])
    })))

it("a queue that returns fewer pieces than it has slots counts as empty until the next look", () =>
  working([{ id: "a", queue: 1, dueAt: 0 }], {}, ({ events, rows }) =>
    Effect.gen(function*() {
      rows.push({ id: "b", queue: 1, dueAt: 0 })
      yield* TestClock.adjust("1999 millis")
      expect(only(events, "claim")).toEqual(["0 claim 2 of 1"])
      yield* TestClock.adjust("1 millis")
      expect(only(events, "run")).toEqual(["0 run a", "2000 run b"])
    })))

it("a queue that returns a piece for each slot is claimed from again as slots become free", () => {
  const rows = ["a", "b", "c"].map((id) => ({ id, queue: 1, dueAt: 0 }))
  return working(rows, {}, ({ events }) =>
    Effect.gen(function*() {
      yield* TestClock.adjust(0)
      expect(only(events, "claim")).toEqual(["0 claim 2 of 1", "0 claim 2 of 1"])
      expect(only(events, "run")).toEqual(["0 run a", "0 run b", "0 run c"])
    }))
})

it("organizations share the free slots", () => {
  const rows = [1, 1, 1, 2].map((queue, n) => ({ id: String(n), queue, dueAt: 0 }))
  return working(rows, { slotCount: 4, run: () => hang }, ({ events }) =>
    Effect.gen(function*() {
      yield* TestClock.adjust(0)
      expect(only(events, "claim")).toEqual(["0 claim 2 of 1", "0 claim 2 of 2", "0 claim 1 of 1"])
    }))
})

it("a claim that fails frees its slots, and claiming pauses for a second", () => {
  let fails = true
  const claim: TestKind["claim"] = ([turn], _, inWork) =>
    Effect.suspend(() => {
      if (fails) return Effect.fail(away)
      return Effect.succeed(
        rows.filter(({ dueAt, id }) => dueAt === 0 && !inWork.has(id)).map((row) => [turn!.queue.id, row] as const)
      )
    })
  const rows = [{ id: "a", queue: 1, dueAt: 0 }]
  return working(rows, { slotCount: 1, claim }, ({ events }) =>
    Effect.gen(function*() {
      fails = false
      yield* TestClock.adjust("999 millis")
      expect(only(events, "run")).toEqual([])
      yield* TestClock.adjust("1 millis")
      expect(only(events, "run")).toEqual(["1000 run a"])
    }))
})

it("a look that fails is repeated for all queues a second later", () => {
  let looks = 0
  const look = (which: "all" | ReadonlyArray<number>) =>
    Effect.suspend(() => {
      expect(which).toBe("all")
      return ++looks === 1 ? Effect.fail(away) : Effect.succeed([])
    })
  return working([], { look }, () =>
    Effect.gen(function*() {
      yield* TestClock.adjust("999 millis")
      expect(looks).toBe(1)
      yield* TestClock.adjust("1 millis")
      expect(looks).toBe(2)
    }))
})

it("nothing is claimed while the fence fails", () => {
  let mayWork = false
  const fence = Effect.suspend(() => mayWork ? Effect.void : Effect.fail(away))
  return working([{ id: "a", queue: 1, dueAt: 0 }], { slotCount: 1, fence }, ({ events }) =>
    Effect.gen(function*() {
      yield* TestClock.adjust("10 seconds")
      expect(only(events, "claim")).toEqual([])
      mayWork = true
      yield* TestClock.adjust("1 second")
      expect(only(events, "run")).toEqual(["11000 run a"])
    }))
})

it("no claimed piece begins if the fence fails after the claim", () => {
  let asked = 0
  // The process was frozen while it claimed, and another one has taken over
  const fence = Effect.suspend(() => ++asked === 2 ? Effect.fail(away) : Effect.void)
  return working([{ id: "a", queue: 1, dueAt: 0 }], { slotCount: 1, fence }, ({ events }) =>
    Effect.gen(function*() {
      yield* TestClock.adjust("1 second")
      expect(only(events, "claim").slice(0, 2)).toEqual(["0 claim 1 of 1", "1000 claim 1 of 1"])
      expect(only(events, "run")).toEqual(["1000 run a"])
    }))
})

it("an interruption awaits the pieces in work, and begins no other piece", () => {
  const ended: Array<string> = []
  const run = (_: WorkQueue, { id }: Row) =>
    Effect.as(Effect.sync(() => void ended.push(id)).pipe(Effect.delay(5_000)), null)
  const rows = ["a", "b"].map((id) => ({ id, queue: 1, dueAt: 0 }))
  return working(rows, { slotCount: 1, run }, ({ fiber }) =>
    Effect.gen(function*() {
      const stopping = yield* Effect.forkChild(Fiber.interrupt(fiber), { startImmediately: true })
      yield* TestClock.adjust("4 seconds")
      expect([ended, stopping.pollUnsafe()]).toEqual([[], undefined])
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(stopping)
      expect(ended).toEqual(["a"])
    }))
})

it("an interruption waits for a claim that hangs until the process must end", () =>
  working(
    [{ id: "a", queue: 1, dueAt: 0 }],
    { claim: () => Effect.never },
    ({ abort, events, fiber }) =>
      Effect.gen(function*() {
        const stopping = yield* Effect.forkChild(Fiber.interrupt(fiber), { startImmediately: true })
        yield* TestClock.adjust("5 seconds")
        expect(stopping.pollUnsafe()).toBeUndefined()
        yield* Deferred.succeed(abort, undefined)
        yield* Fiber.join(stopping)
        expect(only(events, "run")).toEqual([])
      })
  ))

it("a piece that dies is logged as an error, and frees its slot", () => {
  const logged: Array<string> = []
  const logger = Logger.layer([
    Logger.make(({ logLevel, message }) => void logged.push(`${logLevel} ${String(message)}`))
  ])
  let runs = 0
  const run = () => Effect.suspend(() => ++runs === 1 ? Effect.die(new Error("broken")) : hang)
  const rows = ["a", "b"].map((id) => ({ id, queue: 1, dueAt: 0 }))
  return working(rows, { slotCount: 1, run, logger }, () =>
    Effect.gen(function*() {
      yield* TestClock.adjust(0)
      expect([runs, logged]).toEqual([2, ["Error testing: a piece is tried later"]])
    }))
})

it("a queue is drained once none of its pieces is due or being worked on", () => {
  const after: Array<boolean> = []
  let ends = 0
  const run = (_: WorkQueue, row: Row) =>
    Effect.sync(() => {
      row.dueAt = Infinity
      return null
    }).pipe(Effect.delay(++ends * 100))
  const rows = ["a", "b"].map((id) => ({ id, queue: 1, dueAt: 0 }))
  const kind = { run, after: (_: WorkQueue, drained: boolean) => Effect.sync(() => void after.push(drained)) }
  return working(rows, { slotCount: 3, ...kind }, () =>
    Effect.gen(function*() {
      yield* TestClock.adjust("1 second")
      expect(after.filter((drained) => drained)).toEqual([true])
      expect(after.at(-1)).toBe(true)
    }))
})

it("queues that are given up are no longer claimed from", () => {
  const rows = [1, 2].map((queue) => ({ id: String(queue), queue, dueAt: 0 }))
  const giveUp = (queues: ReadonlyArray<WorkQueue>) => Effect.succeed(queues.filter(({ id }) => id !== "1"))
  return working(rows, { giveUp }, ({ events }) =>
    Effect.gen(function*() {
      yield* TestClock.adjust(0)
      expect(only(events, "run")).toEqual(["0 run 2"])
    }))
})

it("an errand that stays due runs once per poll, and other errands run while one hangs", () => {
  const ran: Array<string> = []
  const errands = makeErrandKind({
    name: "testing",
    of: "any",
    look: Effect.succeed([1, 2].map((n) => ({ organizationId: organization(n), id: String(n), dueAt: new Date(0) }))),
    run: ({ id }) => {
      ran.push(id)
      return id === "1" ? hang : Effect.succeed(null)
    }
  })
  return Effect.runPromise(
    Effect.gen(function*() {
      const newWork = { subscribe: () => Effect.void }
      const abort = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(runKind(errands, { newWork, abort, fence: Effect.void }), {
        startImmediately: true
      })
      yield* TestClock.adjust("4 seconds")
      expect(ran).toEqual(["1", "2", "2", "2"])
      yield* endSlowly(fiber)
    }).pipe(Effect.scoped, Effect.provide(TestClock.layer()))
  )
})
