import { Deferred, Effect, Fiber } from "effect"
import assert from "node:assert/strict"
import { WorkerId } from "../domain/ids.ts"
import type { RegisteredWorker } from "../domain/Worker.ts"
import { Transaction } from "../ports/Transaction.ts"
import { WorkerRegistry } from "../ports/WorkerRegistry.ts"
import { newId } from "../usecases/newId.ts"
import { at, hostileTexts } from "./seeds.ts"
import { storeContract } from "./storeContract.ts"

const never = new Date(0)

const worker = (fields: Partial<RegisteredWorker> = {}) =>
  Effect.map(newId(WorkerId), (id): RegisteredWorker => ({
    id,
    host: "anvil.example",
    pid: 4711,
    version: "0.1.0",
    digest: "d1",
    platforms: ["assistant_a", "assistant_e"],
    doing: [],
    stays: true,
    startedAt: at(0),
    seenAt: at(1),
    ...fields
  }))

/** The registry is one for the database: each test looks at its own workers only. */
const listed = Effect.fnUntraced(function*(since: Date, ...ids: ReadonlyArray<WorkerId>) {
  return (yield* (yield* WorkerRegistry).list(since)).filter(({ id }) => ids.includes(id))
})

/** What every WorkerRegistry must keep. */
export const workerRegistryContract = storeContract("WorkerRegistry", {
  "keeps a worker as it is, oldest first": Effect.fnUntraced(function*() {
    const registry = yield* WorkerRegistry
    const [one, two] = [
      yield* worker({ startedAt: at(3), host: hostileTexts[1]!, doing: ["platform/assistant_a", hostileTexts[2]!] }),
      yield* worker({ startedAt: at(2), platforms: [], stays: false })
    ]
    yield* registry.enter(one, never)
    yield* registry.enter(two, never)
    assert.deepEqual(yield* listed(at(1), one.id, two.id), [two, one])
  }),

  "lists who was seen since, and follows each sign": Effect.fnUntraced(function*() {
    const registry = yield* WorkerRegistry
    const made = yield* worker({ seenAt: at(10) })
    yield* registry.enter(made, never)
    assert.deepEqual(yield* listed(at(10.001), made.id), [])
    assert.equal(yield* registry.seen(made.id, ["platform/assistant_e", "sweeper"], at(12)), true)
    assert.deepEqual(yield* listed(at(10.001), made.id), [
      { ...made, doing: ["platform/assistant_e", "sweeper"], seenAt: at(12) }
    ])
    yield* registry.seen(made.id, [], at(13))
    assert.deepEqual((yield* listed(at(13), made.id))[0]?.doing, [])
  }),

  "forgets who left; a sign of theirs is not taken": Effect.fnUntraced(function*() {
    const registry = yield* WorkerRegistry
    const made = yield* worker()
    yield* registry.enter(made, never)
    yield* registry.leave(made.id)
    yield* registry.leave(made.id)
    assert.equal(yield* registry.seen(made.id, [], at(5)), false)
    assert.deepEqual(yield* listed(never, made.id), [])
  }),

  "deletes the old ones when one enters, and renews one that enters again": Effect.fnUntraced(function*() {
    const registry = yield* WorkerRegistry
    const old = yield* worker({ seenAt: new Date(1_000) })
    const young = yield* worker({ seenAt: new Date(2_000) })
    yield* registry.enter(old, never)
    yield* registry.enter(young, new Date(1_000))
    assert.deepEqual(yield* listed(never, old.id, young.id), [old, young])
    const again = { ...young, doing: ["sweeper"], seenAt: new Date(3_000) }
    yield* registry.enter(again, new Date(1_001))
    assert.deepEqual(yield* listed(never, old.id, young.id), [again])
    yield* registry.leave(young.id)
  }),

  "lets nobody else enter until the transaction ends": Effect.fnUntraced(function*() {
    const registry = yield* WorkerRegistry
    const { run } = yield* Transaction
    const [one, two] = [yield* worker(), yield* worker()]
    const entered = yield* Deferred.make<void>()
    const order: Array<string> = []
    const first = yield* Effect.forkChild(run(Effect.gen(function*() {
      yield* registry.enter(one, never)
      yield* Deferred.succeed(entered, undefined)
      yield* Effect.sleep("300 millis")
      order.push("one")
    })))
    yield* Deferred.await(entered)
    yield* run(registry.enter(two, never))
    order.push("two")
    yield* Fiber.join(first)
    assert.deepEqual(order, ["one", "two"])
    yield* Effect.exit(run(Effect.andThen(registry.leave(one.id), Effect.fail("no"))))
    assert.equal((yield* listed(never, one.id, two.id)).length, 2)
  })
})
