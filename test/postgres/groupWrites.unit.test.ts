/** Writes in groups: what waits meanwhile is written together, and each is told what became of its own. */
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { groupWrites } from "../../packages/core/src/adapters/postgres/groupWrites.ts"

/** A store whose statements the test ends: items are `group:name`; of a name with `!` nothing is written. */
const makeStore = () => {
  const statements: Array<{ readonly items: ReadonlyArray<string>; readonly gate: Deferred.Deferred<void, string> }> =
    []
  const begin = (items: ReadonlyArray<string>) => {
    const gate = Deferred.makeUnsafe<void, string>()
    statements.push({ items, gate })
    return Deferred.await(gate)
  }
  return {
    begun: () => statements.map(({ items }) => items),
    end: (n: number) => Deferred.succeed(statements[n]!.gate, undefined),
    fail: (n: number) => Deferred.fail(statements[n]!.gate, `statement ${n}`),
    grouped: groupWrites({
      groupOf: (item: string) => item.split(":")[0]!,
      writeOne: (item) => Effect.suspend(() => Effect.as(begin([item]), !item.endsWith("!"))),
      writeMany: (items) =>
        Effect.suspend(() => Effect.as(begin(items), new Set(items.filter((item) => !item.endsWith("!")))))
    })
  }
}

const inTest = <E>(program: Effect.Effect<void, E>) => Effect.runPromise(Effect.provide(program, TestClock.layer()))

const fork = <A>(effect: Effect.Effect<A, string>) => Effect.forkDetach(effect, { startImmediately: true })

const names = (group: string, count: number) => Array.from({ length: count }, (_, n) => `${group}:${n}`)

describe("groupWrites", () => {
  it("the first write runs at once, and writes that arrive while it runs are combined by group", () =>
    inTest(Effect.scoped(Effect.gen(function*() {
      const { begun, end, grouped } = makeStore()
      const write = yield* grouped
      const first = yield* fork(write("a:first"))
      const others = yield* Effect.forEach([...names("a", 7), "b:0"], (item) => fork(write(item)))
      assert.deepEqual(begun(), [["a:first"], ["b:0"]])
      yield* end(0)
      assert.equal(yield* Fiber.join(first), true)
      assert.deepEqual(begun().slice(2), [names("a", 4)])
      // Nobody is told before the statement has ended
      assert.equal(others[0]!.pollUnsafe(), undefined)
      yield* end(2)
      assert.equal(yield* Fiber.join(others[0]!), true)
      assert.deepEqual(begun().slice(3), [["a:4", "a:5"]])
      yield* end(3)
      assert.equal(yield* Fiber.join(others[5]!), true)
      assert.deepEqual(begun().slice(4), [["a:6"]])
      yield* Effect.forEach([1, 4], end)
      assert.deepEqual(yield* Effect.forEach(others, (fiber) => Fiber.join(fiber)), others.map(() => true))
    }))))

  it("a statement that never ends is abandoned, and its rows are written one by one", () =>
    inTest(Effect.scoped(Effect.gen(function*() {
      const { begun, end, grouped } = makeStore()
      const write = yield* grouped
      yield* fork(write("a:stuck"))
      const others = yield* Effect.forEach(names("a", 32), (item) => fork(write(item)))
      yield* TestClock.adjust(1_000)
      // Three statements of the group, none of which ends
      assert.equal(begun().length, 3)
      yield* TestClock.adjust(5_000)
      const alone = begun().slice(3).filter((items) => items.length === 1).flat()
      assert.deepEqual(alone.toSorted(), names("a", 32).toSorted())
      yield* Effect.forEach(begun(), (_, n) => end(n))
      assert.deepEqual(yield* Effect.forEach(others, (fiber) => Fiber.join(fiber)), others.map(() => true))
    }))))

  it("rows that a combined statement leaves out or fails to write are written one by one", () =>
    inTest(Effect.scoped(Effect.gen(function*() {
      const { begun, end, fail, grouped } = makeStore()
      const write = yield* grouped
      const first = yield* fork(write("a:first"))
      const [left, right] = yield* Effect.all([fork(write("a:left!")), fork(write("a:right"))])
      yield* fail(0)
      assert.deepEqual(yield* Fiber.await(first), Exit.fail("statement 0"))
      yield* end(1)
      assert.equal(yield* Fiber.join(right), true)
      assert.deepEqual(begun().slice(1), [["a:left!", "a:right"], ["a:left!"]])
      yield* end(2)
      assert.equal(yield* Fiber.join(left), false)

      const next = yield* fork(write("a:next"))
      const [broken, whole] = yield* Effect.all([fork(write("a:broken")), fork(write("a:whole"))])
      yield* end(3)
      assert.equal(yield* Fiber.join(next), true)
      yield* fail(4)
      yield* Effect.yieldNow
      assert.deepEqual(begun().slice(4), [["a:broken", "a:whole"], ["a:broken"], ["a:whole"]])
      yield* fail(5)
      yield* end(6)
      assert.deepEqual(yield* Fiber.await(broken), Exit.fail("statement 5"))
      assert.equal(yield* Fiber.join(whole), true)
    }))))

  it("at most three statements of a group run at once, and callers that gave up are left out", () =>
    inTest(Effect.scoped(Effect.gen(function*() {
      const { begun, end, grouped } = makeStore()
      const write = yield* grouped
      const all: Array<Fiber.Fiber<boolean, string>> = []
      for (let n = 0; n < 4; n++) {
        all.push(yield* fork(write(`a:${n}`)))
        assert.equal(begun().length, Math.min(n + 1, 3))
        yield* TestClock.adjust("200 millis")
      }
      assert.deepEqual(begun(), [["a:0"], ["a:1"], ["a:2"]])
      const gaveUp = yield* fork(write("a:gone"))
      const last = yield* fork(write("a:last"))
      yield* Fiber.interrupt(gaveUp)
      yield* end(0)
      assert.equal(yield* Fiber.join(all[0]!), true)
      assert.deepEqual(begun().slice(3), [["a:3", "a:last"]])
      // One that gives up while it is being written alone lets the others go on
      yield* Effect.forEach(all.slice(1, 3), (fiber) => Fiber.interrupt(fiber))
      const more = yield* fork(write("a:more"))
      yield* end(3)
      assert.equal(yield* Fiber.join(last), true)
      assert.deepEqual(begun().slice(4), [["a:more"]])
      yield* end(4)
      assert.equal(yield* Fiber.join(more), true)
    }))))
})
