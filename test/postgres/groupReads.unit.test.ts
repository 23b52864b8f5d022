/** Reads in groups: what waits meanwhile is read together, and never earlier than it was asked for. */
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

/** A source whose reads the test ends: each group has a gate, and sees what is there when it begins. */
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
    // A test that fails leaves no group behind that would hold up the end of its scope
    grouped: Effect.tap(
      groupReads({ readOne, readMany, none: -1 }),
      Effect.addFinalizer(() => Effect.forEach(groups, ({ gate }) => Deferred.succeed(gate, undefined)))
    )
  }
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

  it("reads a key alone once for all who waited for it, and again for who came after that read began", () =>
    inTest(Effect.scoped(Effect.gen(function*() {
      const { alone, groups, grouped, letAlone, stored } = makeSource({ holdsAlone: true })
      const read = yield* grouped
      stored.set("a", 1)
      const all = yield* Effect.forEach(Array.from({ length: 500 }), () => fork(read("a")))
      yield* turn
      yield* Deferred.fail(groups[0]!.gate, "slow")
      assert.deepEqual(alone, ["a"])
      stored.set("a", 2)
      const after = yield* forkAlone(read("a"))
      assert.deepEqual(groups.map(({ keys }) => keys), [["a"], ["a"]])
      yield* Effect.forEach(all.slice(1), (fiber) => Fiber.interrupt(fiber))
      yield* letAlone(0)
      assert.equal(yield* Fiber.join(all[0]!), 1)
      yield* Deferred.fail(groups[1]!.gate, "slow")
      assert.deepEqual(alone, ["a", "a"])
      yield* letAlone(1)
      assert.equal(yield* Fiber.join(after), 2)
    }))))

  it("gives what a read alone fails with to all who wait for it, and ends one that nobody waits for", () =>
    inTest(Effect.scoped(Effect.gen(function*() {
      const { alone, endedAlone, failAlone, groups, grouped } = makeSource({ holdsAlone: true })
      const read = yield* grouped
      const fibers = yield* Effect.forEach(["a", "a", "b", "b", "gone"], (key) => fork(read(key)))
      yield* turn
      yield* Fiber.interrupt(fibers[4]!)
      yield* Deferred.fail(groups[0]!.gate, "slow")
      assert.deepEqual(alone, ["a", "b"])
      yield* failAlone(0)
      assert.deepEqual(
        yield* Effect.forEach(fibers.slice(0, 2), (fiber) => Fiber.await(fiber)),
        [Exit.fail("alone"), Exit.fail("alone")]
      )
      yield* Fiber.interrupt(fibers[2]!)
      assert.deepEqual(endedAlone, [])
      yield* Fiber.interrupt(fibers[3]!)
      assert.deepEqual(endedAlone, ["b"])
    }))))

  it("groups that do not end even when they are interrupted hold up the others for a second at most", () =>
    inTest(Effect.scoped(Effect.gen(function*() {
      const { alone, end, groups, grouped, stored } = makeSource({ ignoresInterruption: true })
      const read = yield* grouped
      stored.set("d", 4)
      const stuck = yield* Effect.forEach(
        ["a", "b", "c"],
        (key) => Effect.tap(forkAlone(read(key)), TestClock.adjust(20))
      )
      const others = yield* Effect.forEach(["d", "d"], (key) => fork(read(key)))
      yield* turn
      // The first of them began 60 milliseconds ago
      yield* TestClock.adjust(939)
      assert.equal(groups.length, 3)
      yield* TestClock.adjust(1)
      assert.deepEqual(groups.map(({ keys }) => keys), [["a"], ["b"], ["c"], ["d"]])
      yield* end(3)
      assert.deepEqual(yield* Effect.forEach(others, (fiber) => Fiber.join(fiber)), [4, 4])
      yield* TestClock.adjust(40)
      assert.deepEqual(yield* Effect.forEach(stuck, (fiber) => Fiber.join(fiber)), [-1, -1, -1])
      assert.deepEqual(alone, ["a", "b", "c"])
      // Their late ends free nothing a second time
      yield* Effect.forEach([0, 1, 2], end)
      yield* Effect.forEach(
        ["e", "f", "g", "h"],
        (key) => Effect.tap(forkAlone(read(key)), TestClock.adjust(20))
      )
      assert.deepEqual(groups.slice(4).map(({ keys }) => keys), [["e"], ["f"], ["g"]])
      yield* Effect.forEach([4, 5, 6], end)
      yield* end(7)
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
