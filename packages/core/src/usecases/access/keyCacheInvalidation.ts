/**
 * Invalidates the key caches of all servers when access changes. Messages of the channel: `hello ID`: server ID tests
 * its subscription · `changed NONCE`: every server drops all cached keys · `heard NONCE ID`: server ID has dropped
 * them.
 */
import { Effect, Schedule, Semaphore, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import type { ServerId } from "../../domain/ids.ts"
import { Notifications } from "../../ports/Notifications.ts"
import { ServerRegistry } from "../../ports/ServerRegistry.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { now } from "../now.ts"

const channel = "sov_access"

const formatChanged = (nonce: string): string => `changed ${nonce}`
const formatHello = (id: string): string => `hello ${id}`
const formatAcknowledged = (nonce: string, id: ServerId): string => `heard ${nonce} ${id}`

/** A server that has not announced itself for this long no longer caches anything. */
const serverTimeoutMs = 40_000

/** Maximum time that a change of access waits for the servers. */
const maxWait = "1 second"

const listLiveServers = Effect.gen(function*() {
  const at = yield* now
  return yield* (yield* ServerRegistry).list(new Date(at.getTime() - serverTimeoutMs))
})

/** Sends `hello`. A server that receives its own `hello` knows that its subscription works. */
export const sendHello = Effect.fnUntraced(function*(id: ServerId) {
  yield* (yield* Notifications).send(channel, formatHello(id))
})

/**
 * Receives the notifications of one server until the connection is lost (StoreError): its own `hello`, and changes,
 * each of which is acknowledged once `onChange` has run.
 */
export const subscribe = Effect.fnUntraced(function*(
  id: ServerId,
  handlers: { readonly onHello: Effect.Effect<void>; readonly onChange: Effect.Effect<void> }
) {
  const notifications = yield* Notifications
  const prefix = formatChanged("")
  yield* notifications.listen(channel).pipe(Stream.runForEach((message) => {
    if (message === formatHello(id)) return handlers.onHello
    if (!message.startsWith(prefix)) return Effect.void
    const nonce = message.slice(prefix.length)
    return Effect.andThen(handlers.onChange, Effect.ignore(notifications.send(channel, formatAcknowledged(nonce, id))))
  }))
})

/** Serializes changes: each of them waits with its own connection, and several at once could exhaust the pool. */
const turns = Semaphore.makeUnsafe(1)

/**
 * Runs `change` in a transaction together with its notification. Returns when every live server has dropped its cached
 * keys, or after a second; from then on every request sees the change. Fails as `change` does, or with StoreError.
 */
export const changeAndNotify = <A, E, R>(change: Effect.Effect<A, E, R>) =>
  turns.withPermit(Effect.scoped(Effect.gen(function*() {
    const notifications = yield* Notifications
    const { run } = yield* Transaction
    const nonce = yield* (yield* SecureRandom.SecureRandom).uuidV7()
    const changeThenNotify = run(Effect.tap(change, () => notifications.send(channel, formatChanged(nonce))))
    if ((yield* listLiveServers).length === 0) return yield* changeThenNotify

    const received = new Set<string>()
    yield* notifications.listen(channel).pipe(
      Stream.runForEach((message) => Effect.sync(() => void received.add(message))),
      Effect.ignore,
      Effect.forkScoped
    )
    const awaitMessages = (messages: ReadonlyArray<string>) =>
      Effect.sleep("2 millis").pipe(
        Effect.repeat({ until: () => messages.every((message) => received.has(message)) }),
        Effect.timeoutOption(maxWait)
      )
    // Messages sent before the listener is connected are lost, so it sends messages to itself until it receives one
    yield* Effect.ignore(notifications.send(channel, formatHello(nonce))).pipe(
      Effect.repeat({ schedule: Schedule.spaced("25 millis"), until: () => received.has(formatHello(nonce)) }),
      Effect.timeoutOption(maxWait)
    )
    const result = yield* changeThenNotify
    yield* listLiveServers.pipe(
      Effect.flatMap((ids) => awaitMessages(ids.map((id) => formatAcknowledged(nonce, id)))),
      Effect.ignore
    )
    return result
  })))
