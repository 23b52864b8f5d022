/** Callers that wait at the same time share one statement, which begins after each of them asked. */
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { groupReads } from "../../packages/core/src/adapters/postgres/groupReads.ts"

interface Source {
  /** Whether reads of one key wait for the test too. */
  readonly holdsAlone?: boolean
  /** Whether groups go on when they are interrupted, as statements on a dead connection do. */
  readonly ignoresInterruption?: boolean
}

/** A source whose reads the test ends: each group has a gate, and sees the values stored when it begins. */
const makeSource = ({ holdsAlone = false, ignoresInterruption = false }: Source = {}) => {
  const stored = new Map<string, number>()
  const groups: Array<{ readonly keys: ReadonlyArray<string>; readonly gate: Deferred.Deferred<void, string> }> = []
  const alone: Array<string> = []
  const endedAlone: Array<string> = []
  const aloneGates: Array<Deferred.Deferred<void, string>> = []
  const readMany = (keys: ReadonlyArray<string>) => {
    const read = Effect.suspend(() => {
      const found = new Map(keys.flatMap((key) => stored.has(key) ? [[key, stored.get(key)!]] : []))
      const gate = Deferred.makeUnsafe<void, string>()
      groups.push({ keys, gate })
      return Effect.as(Deferred.await(gate), found)
    })
    return ignoresInterruption ? Effect.uninterruptible(read) : read
  }
  const readOne = (key: string) =>
    Effect.suspend(() => {
      alone.push(key)
      const found = stored.get(key) ?? -1
      if (!holdsAlone) return Effect.succeed(found)
      const gate = Deferred.makeUnsafe<void, string>()
      aloneGates.push(gate)
      return Effect.as(Deferred.await(gate), found).pipe(
        Effect.onInterrupt(() => Effect.sync(() => endedAlone.push(key)))
      )
    })
  const end = (n: number) => Deferred.succeed(groups[n]!.gate, undefined)
  const letAlone = (n: number) => Deferred.succeed(aloneGates[n]!, undefined)
  const failAlone = (n: number) => Deferred.fail(aloneGates[n]!, "alone")
  return {
    stored,
    groups,
    alone,
    endedAlone,
    end,
    letAlone,
    failAlone,
    read: groupReads({ readOne, readMany, none: -1 })
  }
}

const inTest = (program: Effect.Effect<void, string, never>) =>
  Effect.runPromise(Effect.provide(program, TestClock.layer()))

/** Lets all pending work of the process run. */
const turn = Effect.promise(async () => {
  for (let n = 0; n < 3; n++) await new Promise<void>((resolve) => setImmediate(resolve))
})

const fork = <A>(effect: Effect.Effect<A, string>) => Effect.forkDetach(effect, { startImmediately: true })

/** Requests one key and lets its group begin. */
const forkAlone = <A>(effect: Effect.Effect<A, string>) => Effect.tap(fork(effect), turn)

describe("groupReads", () => {
  it("one statement reads keys that are requested at the same time", () =>
    inTest(Effect.gen(function*() {
      const { end, groups, read, stored } = makeSource()
      stored.set("a", 1).set("b", 2)
      const fibers = yield* Effect.forEach(["a", "b", "a"], (key) => fork(read(key)))
      yield* turn
      assert.deepEqual(groups.map(({ keys }) => keys), [["a", "b"]])
      yield* end(0)
      assert.deepEqual(yield* Effect.forEach(fibers, (fiber) => Fiber.join(fiber)), [1, 2, 1])
    })))

  it("the first key is read at once, and keys requested during that read share the next statement", () =>
    inTest(Effect.gen(function*() {
      const { end, groups, read, stored } = makeSource()
      stored.set("a", 1).set("b", 2)
      const first = yield* forkAlone(read("a"))
      const others = yield* Effect.forEach(["b", "a", "none", "b"], (key) => fork(read(key)))
      assert.deepEqual(groups.map(({ keys }) => keys), [["a"]])
      yield* end(0)
      assert.equal(yield* Fiber.join(first), 1)
      yield* turn
      assert.deepEqual(groups.map(({ keys }) => keys), [["a"], ["b", "a", "none"]])
      yield* end(1)
      assert.deepEqual(yield* Effect.forEach(others, (fiber) => Fiber.join(fiber)), [2, 1, -1, 2])
    })))

  it("a caller never gets a value that was read before its request", () =>
    inTest(Effect.gen(function*() {
      const { end, read, stored } = makeSource()
      stored.set("a", 1)
      const before = yield* forkAlone(read("a"))
      stored.set("a", 2)
      const after = yield* fork(read("a"))
      yield* end(0)
      yield* turn
      yield* end(1)
      assert.deepEqual([yield* Fiber.join(before), yield* Fiber.join(after)], [1, 2])
    })))

  it("each key is read alone if its group fails or does not end within a second", () =>
    inTest(Effect.gen(function*() {
      const { alone, groups, read, stored } = makeSource()
      stored.set("a", 1)
      const failed = yield* forkAlone(read("a"))
      yield* Deferred.fail(groups[0]!.gate, "gone")
      assert.equal(yield* Fiber.join(failed), 1)
      const late = yield* forkAlone(read("a"))
      yield* TestClock.adjust(999)
      assert.deepEqual(alone, ["a"])
      yield* TestClock.adjust(1)
      assert.equal(yield* Fiber.join(late), 1)
      assert.deepEqual(alone, ["a", "a"])
    })))

  it("each caller of a failed group gets the result of its own read, until it gives up", () =>
    inTest(Effect.gen(function*() {
      const { alone, endedAlone, failAlone, groups, letAlone, read } = makeSource({ holdsAlone: true })
      const fibers = yield* Effect.forEach(["a", "b", "c"], (key) => fork(read(key)))
      yield* turn
      yield* Deferred.fail(groups[0]!.gate, "slow")
      yield* turn
      assert.deepEqual(alone, ["a", "b", "c"])
      yield* failAlone(0)
      yield* letAlone(1)
      yield* Fiber.interrupt(fibers[2]!)
      assert.deepEqual(endedAlone, ["c"])
      assert.deepEqual(
        yield* Effect.forEach(fibers.slice(0, 2), (fiber) => Fiber.await(fiber)),
        [Exit.fail("alone"), Exit.succeed(-1)]
      )
    })))

  it("a group that cannot even be interrupted delays the next group by only one second", () =>
    inTest(Effect.gen(function*() {
      const { alone, end, groups, read } = makeSource({ ignoresInterruption: true })
      const stuck = yield* forkAlone(read("a"))
      const others = yield* Effect.forEach(["b", "b"], (key) => fork(read(key)))
      yield* turn
      yield* TestClock.adjust(999)
      assert.deepEqual(groups.map(({ keys }) => keys), [["a"]])
      yield* TestClock.adjust(1)
      yield* turn
      assert.deepEqual(groups.map(({ keys }) => keys), [["a"], ["b"]])
      assert.equal(yield* Fiber.join(stuck), -1)
      assert.deepEqual(alone, ["a"])
      // The late end of the abandoned group starts no further group
      yield* end(0)
      const last = yield* forkAlone(read("c"))
      assert.equal(groups.length, 2)
      yield* end(1)
      yield* Effect.forEach(others, (fiber) => Fiber.join(fiber))
      yield* turn
      yield* end(2)
      assert.equal(yield* Fiber.join(last), -1)
    })))

  it("a caller that gives up before its group begins is left out, and the other callers receive their results", () =>
    inTest(Effect.gen(function*() {
      const { end, groups, read, stored } = makeSource()
      stored.set("b", 2)
      const first = yield* forkAlone(read("a"))
      const [gone, left, stays] = yield* Effect.forEach(["c", "b", "b"], (key) => fork(read(key)))
      yield* Fiber.interrupt(gone!)
      yield* Fiber.interrupt(first)
      yield* Fiber.interrupt(left!)
      yield* end(0)
      yield* turn
      assert.deepEqual(groups.map(({ keys }) => keys), [["a"], ["b"]])
      yield* end(1)
      assert.deepEqual(yield* Fiber.await(stays!), Exit.succeed(2))
    })))

  it("a statement has at most 64 keys", () =>
    inTest(Effect.gen(function*() {
      const { end, groups, read } = makeSource()
      yield* Effect.forEach(Array.from({ length: 70 }, (_, n) => `key ${n}`), (key) => fork(read(key)))
      yield* turn
      yield* end(0)
      yield* turn
      assert.deepEqual(groups.map(({ keys }) => keys.length), [64, 6])
    })))
})
