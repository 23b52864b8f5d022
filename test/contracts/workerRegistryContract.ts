import { type RegisteredWorker, Transaction, WorkerId, WorkerRegistry } from "@sov/core"
import { at, hostileTexts, newId } from "@sov/core/testing"
import { Deferred, Effect, Fiber } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

const [never, ever] = [1e12, 1e12]

type Registering = Omit<RegisteredWorker, "seenAt">

const worker = (fields: Partial<Registering> = {}) =>
  Effect.map(newId(WorkerId), (id): Registering => ({
    id,
    host: "anvil.example",
    pid: 4711,
    version: "0.1.0",
    digest: "d1",
    platforms: ["assistant_a", "assistant_e"],
    doing: [],
    stays: true,
    startedAt: at(0),
    ...fields
  }))

/** The registry is one for the database: each test looks at its own workers only. */
const listed = Effect.fnUntraced(function*(withinMs: number, ...ids: ReadonlyArray<WorkerId>) {
  return (yield* (yield* WorkerRegistry).list(withinMs)).filter(({ id }) => ids.includes(id))
})

/** What every WorkerRegistry must keep. */
export const workerRegistryContract = storeContract("WorkerRegistry", {
  "keeps a worker as it is, oldest first": Effect.fnUntraced(function*() {
    const registry = yield* WorkerRegistry
    const [one, two] = [
      yield* worker({ startedAt: at(3), host: hostileTexts[1]!, doing: ["platform/assistant_a", hostileTexts[2]!] }),
      yield* worker({ startedAt: at(2), platforms: [], stays: false })
    ]
    const seenAt = [yield* registry.register(one, never), yield* registry.register(two, never)] as const
    assert.deepEqual(yield* listed(ever, one.id, two.id), [
      { ...two, seenAt: seenAt[1] },
      { ...one, seenAt: seenAt[0] }
    ])
  }),

  "lists workers with a recent heartbeat by its own clock, and keeps each heartbeat": Effect.fnUntraced(function*() {
    const registry = yield* WorkerRegistry
    const made = yield* worker({ startedAt: at(1e7) })
    const registered = yield* registry.register(made, never)
    yield* Effect.sleep("60 millis")
    assert.deepEqual(yield* listed(50, made.id), [])
    assert.deepEqual(yield* listed(60_000, made.id), [{ ...made, seenAt: registered }])
    assert.equal(yield* registry.heartbeat(made.id, ["platform/assistant_e", "sweeper"]), true)
    const [again] = yield* listed(60_000, made.id)
    assert.deepEqual(again?.doing, ["platform/assistant_e", "sweeper"])
    assert.ok(again.seenAt.getTime() >= registered.getTime() + 50, "a heartbeat makes it younger")
    yield* registry.heartbeat(made.id, [])
    assert.deepEqual((yield* listed(60_000, made.id))[0]?.doing, [])
  }),

  "forgets a worker that unregistered, and accepts no heartbeat of it": Effect.fnUntraced(function*() {
    const registry = yield* WorkerRegistry
    const made = yield* worker()
    yield* registry.register(made, never)
    yield* registry.unregister(made.id)
    yield* registry.unregister(made.id)
    assert.equal(yield* registry.heartbeat(made.id, []), false)
    assert.deepEqual(yield* listed(ever, made.id), [])
  }),

  "deletes the old ones when one registers, and replaces one that registers again": Effect.fnUntraced(function*() {
    const registry = yield* WorkerRegistry
    const [old, young] = [yield* worker({ startedAt: at(1) }), yield* worker({ startedAt: at(2) })]
    yield* registry.register(old, never)
    yield* Effect.sleep("60 millis")
    yield* registry.register(young, 3_600_000)
    assert.deepEqual((yield* listed(ever, old.id, young.id)).map(({ id }) => id), [old.id, young.id])
    yield* registry.register({ ...young, doing: ["sweeper"] }, 50)
    const left = yield* listed(ever, old.id, young.id)
    assert.deepEqual(left.map(({ doing, id }) => ({ doing, id })), [{ doing: ["sweeper"], id: young.id }])
    yield* registry.unregister(young.id)
  }),

  "lets no other worker register until the transaction ends": Effect.fnUntraced(function*() {
    const registry = yield* WorkerRegistry
    const { run } = yield* Transaction
    const [one, two] = [yield* worker(), yield* worker()]
    const registered = yield* Deferred.make<void>()
    const order: Array<string> = []
    const first = yield* Effect.forkChild(run(Effect.gen(function*() {
      yield* registry.register(one, never)
      yield* Deferred.succeed(registered, undefined)
      yield* Effect.sleep("300 millis")
      order.push("one")
    })))
    yield* Deferred.await(registered)
    yield* run(registry.register(two, never))
    order.push("two")
    yield* Fiber.join(first)
    assert.deepEqual(order, ["one", "two"])
    yield* Effect.exit(run(Effect.andThen(registry.unregister(one.id), Effect.fail("no"))))
    assert.equal((yield* listed(ever, one.id, two.id)).length, 2)
  })
})
