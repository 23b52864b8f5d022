import { Duration, Effect, Schedule, Stream } from "effect"
import { isUsable } from "../../domain/access/ApiKey.ts"
import { ServerId } from "../../domain/ids.ts"
import { ApiKeyStore } from "../../ports/ApiKeyStore.ts"
import { Notifications } from "../../ports/Notifications.ts"
import { ServerRegistry } from "../../ports/ServerRegistry.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import type { KeyRefused, PlanTooLow } from "../errors.ts"
import { newId } from "../newId.ts"
import { monotonicMs, now } from "../now.ts"
import { accessChannel } from "./accessNews.ts"
import { authenticateWith, type Caller, type FoundKey } from "./authenticate.ts"

/** How often a server says that it is there, and listens whether it still hears; until it does, every second. */
const helloEveryMs = 15_000
const untilHeard = Duration.seconds(1)
/** Who heard nothing for so long, hears nothing. */
const deafMs = 20_000
/** A key is remembered no longer than this. */
const rememberedMs = 5_000
const mostKeys = 10_000
/** The use of a key is noted once in so long. */
const noteUseMs = 60_000
const forgottenMs = 3_600_000

/** Keys as one server knows them. */
export interface KeyCache {
  /**
   * As the use case `authenticate`, but what was found a moment ago is not looked for again. `mayLook` is asked before
   * the store is, about a key that has not been good here: where it says false, the key is refused.
   */
  readonly authenticate: (
    presented: string,
    mayLook?: Effect.Effect<boolean>
  ) => Effect.Effect<Caller, KeyRefused | PlanTooLow | StoreError>
}

/**
 * Keys of a server that answers until the scope closes. It remembers what it found for at most five seconds and forgets
 * all of it when access changes anywhere (`changeAccess`); while it hears no notifications it remembers nothing, and
 * works all the same. Notes when a key was used.
 */
export const makeKeyCache = Effect.fn("makeKeyCache")(function*() {
  const store = yield* ApiKeyStore
  const notifications = yield* Notifications
  const registry = yield* ServerRegistry
  const id = yield* newId(ServerId)
  const found = new Map<string, { readonly at: number; readonly value: FoundKey | null }>()
  /** Hashes of keys that were good. */
  const good = new Set<string>()
  const noted = new Map<string, number>()
  let heardAt = -Infinity
  /** Counts changes: what was read before one is not remembered after it. */
  let changes = 0

  const forget = () => {
    found.clear()
    changes++
  }
  const hear = Effect.fnUntraced(function*(message: string) {
    if (message === `hello ${id}`) heardAt = yield* monotonicMs
    if (!message.startsWith("changed ")) return
    forget()
    yield* Effect.ignore(notifications.send(accessChannel, `heard ${message.slice("changed ".length)} ${id}`))
  })
  const deaf = Effect.sync(() => {
    heardAt = -Infinity
    forget()
  })
  yield* notifications.listen(accessChannel).pipe(
    Stream.runForEach(hear),
    Effect.ensuring(deaf),
    Effect.catch((error) => Effect.logDebug("keys are not remembered for now", error)),
    Effect.repeat(Schedule.spaced("500 millis")),
    Effect.forkScoped
  )

  yield* Effect.addFinalizer(() =>
    registry.unregister(id).pipe(Effect.interruptible, Effect.timeout("2 seconds"), Effect.ignore)
  )
  const sayHello = Effect.gen(function*() {
    if ((yield* monotonicMs) - heardAt < helloEveryMs) return
    const at = yield* now
    yield* registry.heartbeat(id, at, new Date(at.getTime() - forgottenMs))
    yield* notifications.send(accessChannel, `hello ${id}`)
  })
  yield* Effect.ignore(sayHello).pipe(Effect.repeat(Schedule.spaced(untilHeard)), Effect.forkScoped)

  const noteUse = Effect.fnUntraced(function*({ key, organization }: FoundKey, at: number) {
    if (at - (noted.get(key.id) ?? -Infinity) < noteUseMs) return
    if (noted.size >= mostKeys) noted.clear()
    noted.set(key.id, at)
    yield* Effect.ignore(store.used(organization.id, key.id, yield* now))
  })
  const scope = yield* Effect.scope

  const find = Effect.fnUntraced(function*(hash: Uint8Array, mayLook: Effect.Effect<boolean>) {
    const name = Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString("latin1")
    const at = yield* monotonicMs
    const known = found.get(name)
    if (known !== undefined && at - known.at < rememberedMs && at - heardAt < deafMs) return known.value
    if (!good.has(name) && !(yield* mayLook)) return null
    const before = changes
    const value = yield* store.findByHash(hash)
    if (before === changes && at - heardAt < deafMs) {
      if (found.size >= mostKeys) found.clear()
      found.set(name, { at, value })
    }
    if (value === null || !isUsable(value.key, yield* now)) {
      good.delete(name)
      return value
    }
    if (good.size >= mostKeys) good.clear()
    good.add(name)
    yield* Effect.forkIn(noteUse(value, at), scope)
    return value
  })

  const cache: KeyCache = {
    authenticate: (presented, mayLook = Effect.succeed(true)) =>
      authenticateWith(presented, (hash) => find(hash, mayLook))
  }
  return cache
})
