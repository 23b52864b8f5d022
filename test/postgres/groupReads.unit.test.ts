/** Reads in groups: what waits meanwhile is read together, and never earlier than it was asked for. */
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { groupReads } from "../../packages/core/src/adapters/postgres/groupReads.ts"

/** A source whose reads the test ends: each group has a gate, and sees what is there when it begins. */
const makeSource = () => {
  const stored = new Map<string, number>()
  const groups: Array<{ readonly keys: ReadonlyArray<string>; readonly gate: Deferred.Deferred<void, string> }> = []
  const alone: Array<string> = []
  const readMany = (keys: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      const found = new Map(keys.flatMap((key) => stored.has(key) ? [[key, stored.get(key)!]] : []))
      const gate = Deferred.makeUnsafe<void, string>()
      groups.push({ keys, gate })
      return Effect.as(Deferred.await(gate), found)
    })
  const readOne = (key: string) =>
    Effect.sync(() => {
      alone.push(key)
      return stored.get(key) ?? -1
    })
  const end = (n: number) => Deferred.succeed(groups[n]!.gate, undefined)
  return { stored, groups, alone, end, grouped: groupReads({ readOne, readMany, none: -1 }) }
}

const inTest = (program: Effect.Effect<void, string, never>) =>
  Effect.runPromise(Effect.scoped(Effect.provide(program, TestClock.layer())))

/** Everything that has come is looked at. */
const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

const fork = <A>(effect: Effect.Effect<A, string>) => Effect.forkDetach(effect, { startImmediately: true })

/** Asked for with nothing else, so that it is read in a group of its own where none is running. */
const forkAlone = <A>(effect: Effect.Effect<A, string>) => Effect.tap(fork(effect), turn)

describe("groupReads", () => {
  it("reads together what is asked for at the same time", () =>
    inTest(Effect.scoped(Effect.gen(function*() {
      const { end, groups, grouped, stored } = makeSource()
      const read = yield* grouped
      stored.set("a", 1).set("b", 2)
      const fibers = yield* Effect.forEach(["a", "b", "a"], (key) => fork(read(key)))
      yield* turn
      assert.deepEqual(groups.map(({ keys }) => keys), [["a", "b"]])
      yield* end(0)
      assert.deepEqual(yield* Effect.forEach(fibers, (fiber) => Fiber.join(fiber)), [1, 2, 1])
    }))))

  it("reads at once what is asked for first, and together what is asked for meanwhile, each key once", () =>
    inTest(Effect.scoped(Effect.gen(function*() {
      const { end, groups, grouped, stored } = makeSource()
      const read = yield* grouped
      stored.set("a", 1).set("b", 2)
      const first = yield* forkAlone(read("a"))
      const others = yield* Effect.forEach(["b", "a", "none", "b"], (key) => fork(read(key)))
      assert.deepEqual(groups.map(({ keys }) => keys), [["a"]])
      yield* end(0)
      assert.equal(yield* Fiber.join(first), 1)
      assert.deepEqual(groups.map(({ keys }) => keys), [["a"], ["b", "a", "none"]])
      yield* end(1)
      assert.deepEqual(yield* Effect.forEach(others, (fiber) => Fiber.join(fiber)), [2, 1, -1, 2])
    }))))

  it("never gives what was read before it was asked for", () =>
    inTest(Effect.scoped(Effect.gen(function*() {
      const { end, grouped, stored } = makeSource()
      const read = yield* grouped
      stored.set("a", 1)
      const before = yield* forkAlone(read("a"))
      stored.set("a", 2)
      const after = yield* fork(read("a"))
      yield* end(0)
      yield* end(1)
      assert.deepEqual([yield* Fiber.join(before), yield* Fiber.join(after)], [1, 2])
    }))))

  it("reads alone where its group fails, or does not end within a second", () =>
    inTest(Effect.scoped(Effect.gen(function*() {
      const { alone, groups, grouped, stored } = makeSource()
      const read = yield* grouped
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
    }))))

  it("a slow group holds up nobody for long, and there are few at a time", () =>
    inTest(Effect.scoped(Effect.gen(function*() {
      const { end, groups, grouped } = makeSource()
      const read = yield* grouped
      const fibers = yield* Effect.forEach(
        ["a", "b", "c", "d"],
        (key) => Effect.andThen(TestClock.adjust(19), forkAlone(read(key)))
      )
      assert.equal(groups.length, 3)
      yield* TestClock.adjust(100)
      assert.deepEqual(groups.map(({ keys }) => keys), [["a"], ["b"], ["c"]])
      yield* end(1)
      assert.deepEqual(groups[3]?.keys, ["d"])
      yield* Effect.forEach([0, 2, 3], end)
      assert.deepEqual(yield* Effect.forEach(fibers, (fiber) => Fiber.join(fiber)), [-1, -1, -1, -1])
    }))))

  it("one that gives up takes nothing from the others, and is not read where it still waits", () =>
    inTest(Effect.scoped(Effect.gen(function*() {
      const { end, groups, grouped, stored } = makeSource()
      const read = yield* grouped
      stored.set("b", 2)
      const first = yield* forkAlone(read("a"))
      const [gone, left, stays] = yield* Effect.forEach(["c", "b", "b"], (key) => fork(read(key)))
      yield* Fiber.interrupt(gone!)
      yield* Fiber.interrupt(first)
      yield* Fiber.interrupt(left!)
      yield* end(0)
      assert.deepEqual(groups.map(({ keys }) => keys), [["a"], ["b"]])
      yield* end(1)
      assert.deepEqual(yield* Fiber.await(stays!), Exit.succeed(2))
    }))))

  it("a statement has at most 64 keys", () =>
    inTest(Effect.scoped(Effect.gen(function*() {
      const { end, groups, grouped } = makeSource()
      const read = yield* grouped
      yield* Effect.forEach(Array.from({ length: 70 }, (_, n) => `key ${n}`), (key) => fork(read(key)))
      yield* turn
      yield* end(0)
      assert.deepEqual(groups.map(({ keys }) => keys.length), [64, 6])
    }))))
})
