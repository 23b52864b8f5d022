import { ServerId, ServerRegistry } from "@sov/core"
import { at, newId } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

const never = new Date(0)

/** The registry is one for the database: each test looks at its own servers only. */
const listed = Effect.fnUntraced(function*(since: Date, ...ids: ReadonlyArray<ServerId>) {
  return (yield* (yield* ServerRegistry).list(since)).filter((id) => ids.includes(id))
})

/** What every ServerRegistry must keep. */
export const serverRegistryContract = storeContract("ServerRegistry", {
  "lists servers with a heartbeat since then, until they unregister": Effect.fnUntraced(function*() {
    const registry = yield* ServerRegistry
    const [one, two] = [yield* newId(ServerId), yield* newId(ServerId)]
    yield* registry.heartbeat(one, at(1), never)
    yield* registry.heartbeat(two, at(1), never)
    yield* registry.heartbeat(two, at(5), never)
    assert.deepEqual(yield* listed(at(1), one, two), [one, two])
    assert.deepEqual(yield* listed(at(5), one, two), [two])
    yield* registry.unregister(two)
    assert.deepEqual(yield* listed(at(1), one, two), [one])
  }),

  "deletes servers without a heartbeat for long, never the one that sends it": Effect.fnUntraced(function*() {
    const registry = yield* ServerRegistry
    const [old, late] = [yield* newId(ServerId), yield* newId(ServerId)]
    yield* registry.heartbeat(old, at(-10_000), never)
    yield* registry.heartbeat(late, at(-5_000), at(-6_000))
    yield* registry.heartbeat(late, at(-5_000), at(-4_000))
    assert.deepEqual(yield* listed(never, old, late), [late])
  })
})
