import { Duration, Effect, Schedule } from "effect"
import { ServerId } from "../../domain/ids.ts"
import { ServerRegistry } from "../../ports/ServerRegistry.ts"
import { newId } from "../newId.ts"
import { monotonicMs, now } from "../now.ts"
import { sendHello, subscribe } from "./keyCacheInvalidation.ts"

/**
 * How often a server announces itself, which also tests its subscription. Until it receives its own message, it
 * announces itself every second.
 */
const helloIntervalMs = 15_000
const helloRetryInterval = Duration.seconds(1)
/** A server that has not received its own announcement for this long counts as unsubscribed and caches nothing. */
const subscriptionTimeoutMs = 20_000
/** Lifetime of a cached result. */
const cachedMs = 5_000
const maxEntries = 10_000
/** Minimum interval between two stored uses of one credential. */
const storeUseIntervalMs = 60_000
/** A server without an announcement for this long is removed from the registry. */
const removeServersAfterMs = 3_600_000

/** How to look up credentials (keys or sessions) and to store their use. */
export interface AccessLookUp<Value, E> {
  /** The value of the credential with this hash; null for an unknown hash. */
  readonly find: (hash: Uint8Array) => Effect.Effect<Value | null, E>
  /** Whether the credential is valid at that time. */
  readonly isUsable: (value: Value, at: Date) => boolean
  readonly idOf: (value: Value) => string
  readonly recordUse: (value: Value, at: Date) => Effect.Effect<void, E>
}

/**
 * Creates a cache of credentials in one server process, which lasts until the scope closes and finds credentials by
 * hash. It caches the result of a query for five seconds at most, including "not found", and drops every entry when
 * access changes anywhere (`changeAndNotify`). While it is not subscribed to notifications, every look-up is a query.
 * For a credential that has not been valid here before, `mayLookUp` runs before the query; if it returns false, nothing
 * is found. It stores the last use of each credential at most once a minute.
 */
export const makeAccessCache = Effect.fnUntraced(function*<Value, E>(lookUp: AccessLookUp<Value, E>) {
  const registry = yield* ServerRegistry
  const id = yield* newId(ServerId)
  const found = new Map<string, { readonly at: number; readonly value: Value | null }>()
  /** Hashes of credentials that have been valid here. */
  const valid = new Set<string>()
  const useStoredAt = new Map<string, number>()
  let helloReceivedAt = -Infinity
  /** Number of changes. A query that began before a change is not cached after it. */
  let changes = 0

  const clear = Effect.sync(() => {
    found.clear()
    changes++
  })
  const onHello = Effect.map(monotonicMs, (at) => {
    helloReceivedAt = at
  })
  const stopCaching = Effect.suspend(() => {
    helloReceivedAt = -Infinity
    return clear
  })
  yield* subscribe(id, { onHello, onChange: clear }).pipe(
    Effect.ensuring(stopCaching),
    Effect.catch((error) => Effect.logDebug("API keys and sessions are not cached for now", error)),
    Effect.repeat(Schedule.spaced("500 millis")),
    Effect.forkScoped
  )

  yield* Effect.addFinalizer(() =>
    registry.unregister(id).pipe(Effect.interruptible, Effect.timeout("2 seconds"), Effect.ignore)
  )
  const sendHelloIfDue = Effect.gen(function*() {
    if ((yield* monotonicMs) - helloReceivedAt < helloIntervalMs) return
    const at = yield* now
    yield* registry.heartbeat(id, at, new Date(at.getTime() - removeServersAfterMs))
    yield* sendHello(id)
  })
  yield* Effect.ignore(sendHelloIfDue).pipe(Effect.repeat(Schedule.spaced(helloRetryInterval)), Effect.forkScoped)

  const storeUse = Effect.fnUntraced(function*(value: Value, at: number) {
    const key = lookUp.idOf(value)
    if (at - (useStoredAt.get(key) ?? -Infinity) < storeUseIntervalMs) return
    if (useStoredAt.size >= maxEntries) useStoredAt.clear()
    useStoredAt.set(key, at)
    yield* Effect.ignore(lookUp.recordUse(value, yield* now))
  })
  const scope = yield* Effect.scope

  return Effect.fnUntraced(function*(hash: Uint8Array, mayLookUp: Effect.Effect<boolean>) {
    const name = Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString("latin1")
    const at = yield* monotonicMs
    const entry = found.get(name)
    if (entry !== undefined && at - entry.at < cachedMs && at - helloReceivedAt < subscriptionTimeoutMs) {
      return entry.value
    }
    if (!valid.has(name) && !(yield* mayLookUp)) return null
    const before = changes
    const value = yield* lookUp.find(hash)
    if (before === changes && at - helloReceivedAt < subscriptionTimeoutMs) {
      if (found.size >= maxEntries) found.clear()
      found.set(name, { at, value })
    }
    if (value === null || !lookUp.isUsable(value, yield* now)) {
      valid.delete(name)
      return value
    }
    if (valid.size >= maxEntries) valid.clear()
    valid.add(name)
    yield* Effect.forkIn(storeUse(value, at), scope)
    return value
  })
})
