import { type Organization, OrganizationExists, OrganizationStore, Transaction } from "@sov/core"
import { organization } from "@sov/core/testing"
import { Deferred, Effect, Exit, Fiber } from "effect"
import assert from "node:assert/strict"
import { failureOf, storeContract } from "./storeContract.ts"

const create = (made: Organization) => Effect.flatMap(OrganizationStore, (store) => store.create(made))
const exists = (made: Organization) =>
  Effect.flatMap(OrganizationStore, (store) => Effect.map(store.find(made.id), (found) => found !== null))

/** What every Transaction must keep. */
export const transactionContract = storeContract("Transaction", {
  "keeps everything on success and gives back the result": Effect.fnUntraced(function*() {
    const { run } = yield* Transaction
    const [one, two] = [yield* organization(), yield* organization()]
    assert.equal(yield* run(Effect.as(Effect.andThen(create(one), create(two)), 42)), 42)
    assert.deepEqual([yield* exists(one), yield* exists(two)], [true, true])
  }),

  "keeps nothing on failure, defect or interruption": Effect.fnUntraced(function*() {
    const { run } = yield* Transaction
    const made = yield* organization()
    assert.equal(yield* failureOf(run(Effect.andThen(create(made), Effect.fail("no")))), "no")
    assert.equal(yield* exists(made), false)
    assert.ok(Exit.isFailure(yield* Effect.exit(run(Effect.andThen(create(made), Effect.die("no"))))))
    assert.equal(yield* exists(made), false)
    const created = yield* Deferred.make<void>()
    const fiber = yield* Effect.forkChild(
      run(create(made).pipe(Effect.andThen(Deferred.succeed(created, undefined)), Effect.andThen(Effect.never)))
    )
    yield* Deferred.await(created)
    yield* Fiber.interrupt(fiber)
    assert.equal(yield* exists(made), false)
  }),

  "sees its own changes": Effect.fnUntraced(function*() {
    const { run } = yield* Transaction
    const made = yield* organization()
    assert.equal(yield* run(Effect.andThen(create(made), exists(made))), true)
  }),

  "a nested unit fails alone": Effect.fnUntraced(function*() {
    const { run } = yield* Transaction
    const [outer, inner, after] = [yield* organization(), yield* organization(), yield* organization()]
    yield* run(Effect.gen(function*() {
      yield* create(outer)
      yield* Effect.exit(run(Effect.andThen(create(inner), Effect.fail("no"))))
      yield* create(after)
    }))
    assert.deepEqual([yield* exists(outer), yield* exists(inner), yield* exists(after)], [true, false, true])
  }),

  "a failing unit takes its nested ones along": Effect.fnUntraced(function*() {
    const { run } = yield* Transaction
    const inner = yield* organization()
    yield* Effect.exit(run(Effect.andThen(run(create(inner)), Effect.fail("no"))))
    assert.equal(yield* exists(inner), false)
  }),

  "passes a store's own error on": Effect.fnUntraced(function*() {
    const { run } = yield* Transaction
    const made = yield* organization()
    yield* create(made)
    const error = yield* failureOf(run(create({ ...yield* organization(), name: made.name })))
    assert.ok(error instanceof OrganizationExists)
  }),

  "many run side by side": Effect.fnUntraced(function*() {
    const { run } = yield* Transaction
    const all = yield* Effect.replicateEffect(organization(), 24)
    yield* Effect.forEach(
      all,
      (made, n) => Effect.exit(run(Effect.andThen(create(made), n % 2 === 0 ? Effect.void : Effect.fail("no")))),
      {
        concurrency: "unbounded"
      }
    )
    const found = yield* Effect.forEach(all, exists)
    assert.deepEqual(found, all.map((_, n) => n % 2 === 0))
  })
})
