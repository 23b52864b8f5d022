import { Duration, Effect, Schedule } from "effect"
import { isUsable } from "../../domain/access/ApiKey.ts"
import { ServerId } from "../../domain/ids.ts"
import { ApiKeyStore } from "../../ports/ApiKeyStore.ts"
import { ServerRegistry } from "../../ports/ServerRegistry.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import type { KeyRefused, PlanTooLow } from "../errors.ts"
import { newId } from "../newId.ts"
import { monotonicMs, now } from "../now.ts"
import { authenticateWith, type Caller, type FoundKey } from "./authenticate.ts"
import { sendHello, subscribe } from "./keyCacheInvalidation.ts"

/** How often a server announces itself, which also checks its subscription; until it receives its own message, every second. */
const helloIntervalMs = 15_000
const helloRetryInterval = Duration.seconds(1)
/** A server that has not received its own announcement for so long counts as not subscribed, and caches nothing. */
const subscriptionTimeoutMs = 20_000
/** A key is cached no longer than this. */
const cachedMs = 5_000
const maxKeys = 10_000
/** The last use of a key is stored no more often than this. */
const storeUseIntervalMs = 60_000
/** A server that has not announced itself for so long is removed from the registry. */
const removeServersAfterMs = 3_600_000

/** Cache of API keys in one server process. */
export interface KeyCache {
  /**
   * As the use case `authenticate`, but a key that is cached costs no query. For a key that has not been valid here
   * before, `mayLookUp` runs before the query; when it returns false, the key is refused.
   */
  readonly authenticate: (
    presented: string,
    mayLookUp?: Effect.Effect<boolean>
  ) => Effect.Effect<Caller, KeyRefused | PlanTooLow | StoreError>
}

/**
 * The key cache of a server process, until the scope closes. It holds what a query found, also that there is no such key,
 * for at most five seconds, and drops all of it when access changes anywhere (`changeAndNotify`). While it is not
 * subscribed to notifications, every key costs a query. Stores when a key was last used, at most once a minute.
 */
export const makeKeyCache = Effect.fn("makeKeyCache")(function*() {
  const store = yield* ApiKeyStore
  const registry = yield* ServerRegistry
  const id = yield* newId(ServerId)
  const found = new Map<string, { readonly at: number; readonly value: FoundKey | null }>()
  /** Hashes of keys that were valid. */
  const valid = new Set<string>()
  const useStoredAt = new Map<string, number>()
  let helloReceivedAt = -Infinity
  /** Counts changes: what a query that began before a change returns after it is not cached. */
  let changes = 0

  const clearKeys = Effect.sync(() => {
    found.clear()
    changes++
  })
  const onHello = Effect.map(monotonicMs, (at) => {
    helloReceivedAt = at
  })
  const stopCaching = Effect.suspend(() => {
    helloReceivedAt = -Infinity
    return clearKeys
  })
  yield* subscribe(id, { onHello, onChange: clearKeys }).pipe(
    Effect.ensuring(stopCaching),
    Effect.catch((error) => Effect.logDebug("API keys are not cached for now", error)),
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

  const storeUse = Effect.fnUntraced(function*({ key, organization }: FoundKey, at: number) {
    if (at - (useStoredAt.get(key.id) ?? -Infinity) < storeUseIntervalMs) return
    if (useStoredAt.size >= maxKeys) useStoredAt.clear()
    useStoredAt.set(key.id, at)
    yield* Effect.ignore(store.recordUse(organization.id, key.id, yield* now))
  })
  const scope = yield* Effect.scope

  const findKey = Effect.fnUntraced(function*(hash: Uint8Array, mayLookUp: Effect.Effect<boolean>) {
    const name = Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString("latin1")
    const at = yield* monotonicMs
    const entry = found.get(name)
    if (entry !== undefined && at - entry.at < cachedMs && at - helloReceivedAt < subscriptionTimeoutMs) {
      return entry.value
    }
    if (!valid.has(name) && !(yield* mayLookUp)) return null
    const before = changes
    const value = yield* store.findByHash(hash)
    if (before === changes && at - helloReceivedAt < subscriptionTimeoutMs) {
      if (found.size >= maxKeys) found.clear()
      found.set(name, { at, value })
    }
    if (value === null || !isUsable(value.key, yield* now)) {
      valid.delete(name)
      return value
    }
    if (valid.size >= maxKeys) valid.clear()
    valid.add(name)
    yield* Effect.forkIn(storeUse(value, at), scope)
    return value
  })

  const cache: KeyCache = {
    authenticate: (presented, mayLookUp = Effect.succeed(true)) =>
      authenticateWith(presented, (hash) => findKey(hash, mayLookUp))
  }
  return cache
})
