import { Notifications, StoreError, Transaction } from "@sov/core"
import { Deferred, Effect, Fiber, Stream } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

/** Listens until `end` comes. Sends `begin` until it is heard: from then on nothing may be missed. */
const listening = Effect.fnUntraced(function*(channel: string) {
  const notifications = yield* Notifications
  const heard: Array<string> = []
  const ready = yield* Deferred.make<void>()
  const fiber = yield* notifications.listen(channel).pipe(
    Stream.takeUntil((payload) => payload === "end"),
    Stream.runForEach((payload) => {
      if (payload === "begin") return Deferred.succeed(ready, undefined)
      heard.push(payload)
      return Effect.void
    }),
    Effect.forkChild
  )
  while (!(yield* Deferred.isDone(ready))) {
    yield* notifications.send(channel, "begin")
    yield* Effect.sleep("20 millis")
  }
  return { heard, end: Fiber.join(fiber) }
})

/** What every carrier of notifications must keep. */
export const notificationsContract = storeContract("Notifications", {
  "brings what was sent, in order, to all who listen on the channel": Effect.fnUntraced(function*() {
    const { send } = yield* Notifications
    const ears = [yield* listening("contract_order"), yield* listening("contract_order")]
    const other = yield* listening("contract_other")
    for (const payload of ["1", "ä'\"\\", "x".repeat(7_999), "end"]) yield* send("contract_order", payload)
    yield* send("contract_other", "end")
    yield* Effect.forEach(ears, ({ end }) => end)
    for (const { heard } of ears) assert.deepEqual(heard, ["1", "ä'\"\\", "x".repeat(7_999), "end"])
    yield* other.end
    assert.deepEqual(other.heard, ["end"])
  }),

  "sends with the transaction or not at all": Effect.fnUntraced(function*() {
    const { send } = yield* Notifications
    const { run } = yield* Transaction
    const ear = yield* listening("contract_transaction")
    const failure = new StoreError({ reason: "internal", message: "rolled back" })
    yield* Effect.flip(run(Effect.andThen(send("contract_transaction", "never"), Effect.fail(failure))))
    yield* run(send("contract_transaction", "committed"))
    yield* send("contract_transaction", "end")
    yield* ear.end
    assert.deepEqual(ear.heard, ["committed", "end"])
  }),

  "leaves the others listening when one stops": Effect.fnUntraced(function*() {
    const { send } = yield* Notifications
    const one = yield* listening("contract_stop")
    const two = yield* Effect.scoped(Effect.gen(function*() {
      const fiber = yield* Effect.forkScoped(Effect.flatMap(listening("contract_stop"), ({ end }) => end))
      yield* Effect.sleep("100 millis")
      return fiber
    }))
    yield* Fiber.await(two)
    yield* send("contract_stop", "still")
    yield* send("contract_stop", "end")
    yield* one.end
    assert.deepEqual(one.heard, ["still", "end"])
  })
})
