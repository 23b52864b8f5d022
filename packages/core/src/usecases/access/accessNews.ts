/**
 * How a change of access reaches the servers, which remember keys for a moment. Everything goes over one channel:
 * `hello ID` a server is there and hears · `changed NONCE` forget all keys · `heard NONCE ID` that server has.
 */
import { Effect, Schedule, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { Notifications } from "../../ports/Notifications.ts"
import { ServerRegistry } from "../../ports/ServerRegistry.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { now } from "../now.ts"

export const accessChannel = "sov_access"

/** A server that gave no sign for longer than this has forgotten all keys by itself. */
const serverFreshMs = 40_000

const servers = Effect.gen(function*() {
  const at = yield* now
  return yield* (yield* ServerRegistry).list(new Date(at.getTime() - serverFreshMs))
})

/** Whoever changes access waits no longer than this for the servers. */
const patience = "1 second"

/**
 * Changes access (`change` runs in a transaction) and returns when every server that is there has forgotten the keys it
 * remembered, or a second later: from then on the change holds for every request.
 */
export const changeAccess = <A, E, R>(change: Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.gen(function*() {
    const notifications = yield* Notifications
    const { run } = yield* Transaction
    const nonce = yield* (yield* SecureRandom.SecureRandom).uuidV7()
    const announced = run(Effect.tap(change, () => notifications.send(accessChannel, `changed ${nonce}`)))
    if ((yield* servers).length === 0) return yield* announced

    const heard = new Set<string>()
    yield* notifications.listen(accessChannel).pipe(
      Stream.runForEach((message) => Effect.sync(() => void heard.add(message))),
      Effect.ignore,
      Effect.forkScoped
    )
    const untilHeard = (messages: ReadonlyArray<string>) =>
      Effect.sleep("2 millis").pipe(
        Effect.repeat({ until: () => messages.every((message) => heard.has(message)) }),
        Effect.timeoutOption(patience)
      )
    // What is sent before the listener is there is missed
    yield* Effect.ignore(notifications.send(accessChannel, `hello ${nonce}`)).pipe(
      Effect.repeat({ schedule: Schedule.spaced("25 millis"), until: () => heard.has(`hello ${nonce}`) }),
      Effect.timeoutOption(patience)
    )
    const result = yield* announced
    yield* servers.pipe(
      Effect.flatMap((ids) => untilHeard(ids.map((id) => `heard ${nonce} ${id}`))),
      Effect.ignore
    )
    return result
  }))
