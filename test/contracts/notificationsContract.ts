import { Notifications, StoreError, Transaction } from "@sov/core"
import { Deferred, Effect, Fiber, Stream } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

/** Listens until `end` comes. Sends `begin` until one is received: from then on nothing may be missed. */
const startListening = Effect.fnUntraced(function*(channel: string) {
  const notifications = yield* Notifications
  const received: Array<string> = []
  const ready = yield* Deferred.make<void>()
  const fiber = yield* notifications.listen(channel).pipe(
    Stream.takeUntil((payload) => payload === "end"),
    Stream.runForEach((payload) => {
      if (payload === "begin") return Deferred.succeed(ready, undefined)
      received.push(payload)
      return Effect.void
    }),
    Effect.forkChild
  )
  while (!(yield* Deferred.isDone(ready))) {
    yield* notifications.send(channel, "begin")
    yield* Effect.sleep("20 millis")
  }
  return { received, end: Fiber.join(fiber) }
})

/** What every carrier of notifications must keep. */
export const notificationsContract = storeContract("Notifications", {
  "brings what was sent, in order, to all who listen on the channel": Effect.fnUntraced(function*() {
    const { send } = yield* Notifications
    const listeners = [yield* startListening("contract_order"), yield* startListening("contract_order")]
    const other = yield* startListening("contract_other")
    for (const payload of ["1", "ä'\"\\", "x".repeat(7_999), "end"]) yield* send("contract_order", payload)
    yield* send("contract_other", "end")
    yield* Effect.forEach(listeners, ({ end }) => end)
    for (const { received } of listeners) assert.deepEqual(received, ["1", "ä'\"\\", "x".repeat(7_999), "end"])
    yield* other.end
    assert.deepEqual(other.received, ["end"])
  }),

  "sends with the transaction or not at all": Effect.fnUntraced(function*() {
    const { send } = yield* Notifications
    const { run } = yield* Transaction
    const listener = yield* startListening("contract_transaction")
    const failure = new StoreError({ reason: "internal", message: "rolled back" })
    yield* Effect.flip(run(Effect.andThen(send("contract_transaction", "never"), Effect.fail(failure))))
    yield* run(send("contract_transaction", "committed"))
    yield* send("contract_transaction", "end")
    yield* listener.end
    assert.deepEqual(listener.received, ["committed", "end"])
  }),

  "leaves the others listening when one stops": Effect.fnUntraced(function*() {
    const { send } = yield* Notifications
    const one = yield* startListening("contract_stop")
    const two = yield* Effect.scoped(Effect.gen(function*() {
      const fiber = yield* Effect.forkScoped(Effect.flatMap(startListening("contract_stop"), ({ end }) => end))
      yield* Effect.sleep("100 millis")
      return fiber
    }))
    yield* Fiber.await(two)
    yield* send("contract_stop", "still")
    yield* send("contract_stop", "end")
    yield* one.end
    assert.deepEqual(one.received, ["still", "end"])
  })
})
