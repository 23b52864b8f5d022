/** How long a server caches keys, when it announces itself, and when it queries the store, on the test clock. */
import { it } from "@effect/vitest"
import {
  type ApiKey,
  ApiKeyStore,
  formatApiKey,
  hashApiKey,
  makeKeyCache,
  Notifications,
  ServerRegistry,
  StoreError
} from "@sov/core"
import { organization } from "@sov/core/testing"
import { Deferred, Effect, Fiber, Layer, PubSub, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { expect } from "vitest"

const secretOf = (n: number): string => formatApiKey(new Uint8Array(32).fill(n))
const secret = secretOf(1)

/** One key in a store that counts, and a channel that can silently stop delivering. */
const makeWorld = Effect.gen(function*() {
  const owner = yield* organization()
  const channel = yield* PubSub.unbounded<string>()
  const key: ApiKey = {
    id: "key" as ApiKey["id"],
    name: "test",
    prefix: secret.slice(0, 13),
    lastFour: secret.slice(-4),
    scopes: ["read"],
    createdAt: new Date(0),
    expiresAt: null,
    rolled: false,
    revokedAt: null,
    lastUsedAt: null
  }
  const world = {
    key,
    lookUps: 0,
    uses: 0,
    hellos: 0,
    cut: false,
    /** Holds an answer of the store back. */
    held: null as Deferred.Deferred<void> | null,
    change: Effect.asVoid(PubSub.publish(channel, "changed x"))
  }
  const layer = Layer.mergeAll(
    Layer.mock(ApiKeyStore, {
      findByHash: Effect.fnUntraced(function*(hash: Uint8Array) {
        world.lookUps++
        const found = Buffer.compare(hash, hashApiKey(secret)) === 0 ? { organization: owner, key: world.key } : null
        if (world.held !== null) yield* Deferred.await(world.held)
        return found
      }),
      recordUse: () => Effect.sync(() => void world.uses++)
    }),
    Layer.mock(Notifications, {
      send: (_, message) =>
        world.cut || message.startsWith("heard") ? Effect.void : Effect.asVoid(PubSub.publish(channel, message)),
      listen: () => Stream.fromPubSub(channel)
    }),
    Layer.mock(ServerRegistry, {
      heartbeat: () => Effect.sync(() => void world.hellos++),
      unregister: () => Effect.void
    })
  )
  const { authenticate } = yield* Effect.provide(makeKeyCache(), layer)
  yield* TestClock.adjust("2 seconds")
  return { world, authenticate }
}).pipe(Effect.provide(SecureRandom.layerWebCrypto))

it.effect("a key is cached for at most five seconds", () =>
  Effect.gen(function*() {
    const { authenticate, world } = yield* makeWorld
    const lookUps = []
    for (const wait of [0, 0, 4_999, 1, 4_999, 1]) {
      yield* TestClock.adjust(wait)
      yield* authenticate(secret)
      lookUps.push(world.lookUps)
    }
    expect(lookUps).toEqual([1, 1, 1, 2, 2, 3])
    world.key = { ...world.key, revokedAt: new Date(0) }
    yield* TestClock.adjust("5 seconds")
    expect(yield* Effect.flip(authenticate(secret))).toMatchObject({ _tag: "KeyRefused" })
  }))

it.effect("a key that expires while it is cached is refused, and the next look-up counts", () =>
  Effect.gen(function*() {
    const { authenticate, world } = yield* makeWorld
    world.key = { ...world.key, expiresAt: new Date(4_000) }
    yield* authenticate(secret)
    const refusal = (mayLook: boolean) => Effect.flip(authenticate(secret, Effect.succeed(mayLook)))
    yield* TestClock.setTime(3_999)
    yield* authenticate(secret)
    yield* TestClock.setTime(4_000)
    expect(yield* refusal(false)).toMatchObject({ _tag: "KeyRefused" })
    expect(world.lookUps).toBe(1)
    // Seen to be expired once, it is no good key any more
    yield* TestClock.setTime(10_000)
    yield* refusal(true)
    yield* TestClock.setTime(20_000)
    yield* refusal(false)
    expect([world.lookUps, world.uses]).toEqual([2, 1])
  }))

it.effect("a query that began before a change is not cached", () =>
  Effect.gen(function*() {
    const { authenticate, world } = yield* makeWorld
    world.held = yield* Deferred.make<void>()
    const early = yield* Effect.forkChild(authenticate(secret))
    yield* TestClock.adjust("1 millis")
    world.key = { ...world.key, revokedAt: new Date(0) }
    yield* world.change
    yield* TestClock.adjust("1 millis")
    yield* Deferred.succeed(world.held, undefined)
    yield* Fiber.join(early)
    world.held = null
    expect(yield* Effect.flip(authenticate(secret))).toMatchObject({ _tag: "KeyRefused" })
    expect(world.lookUps).toBe(2)
  }))

it.effect("the cache announces itself every fifteen seconds, and every second while it receives nothing", () =>
  Effect.gen(function*() {
    const { authenticate, world } = yield* makeWorld
    world.hellos = 0
    yield* TestClock.adjust("60 seconds")
    expect(world.hellos).toBe(4)
    world.cut = true
    yield* TestClock.adjust("40 seconds")
    world.hellos = 0
    yield* TestClock.adjust("10 seconds")
    expect(world.hellos).toBe(10)
    for (let n = 1; n <= 3; n++) {
      yield* authenticate(secret)
      expect(world.lookUps).toBe(n)
    }
    world.cut = false
    yield* TestClock.adjust("1 seconds")
    for (let n = 0; n < 3; n++) yield* authenticate(secret)
    expect(world.lookUps).toBe(4)
  }))

it.effect("the last use of a key is stored once a minute", () =>
  Effect.gen(function*() {
    const { authenticate, world } = yield* makeWorld
    for (let n = 0; n < 120; n++) {
      yield* authenticate(secret)
      yield* TestClock.adjust("1 seconds")
    }
    expect(world.uses).toBe(2)
  }))

it.effect("an unknown key over the limit is not queried, but a key that was valid always is", () =>
  Effect.gen(function*() {
    const { authenticate, world } = yield* makeWorld
    const never = Effect.succeed(false)
    expect(yield* Effect.flip(authenticate(secret, never))).toMatchObject({ _tag: "KeyRefused" })
    expect(world.lookUps).toBe(0)
    yield* authenticate(secret)
    yield* TestClock.adjust("10 seconds")
    yield* authenticate(secret, never)
    expect(world.lookUps).toBe(2)
    // What is not a key is remembered as such for as long
    for (let n = 0; n < 3; n++) yield* Effect.flip(authenticate(secretOf(2)))
    expect(world.lookUps).toBe(3)
    world.key = { ...world.key, revokedAt: new Date(0) }
    yield* TestClock.adjust("10 seconds")
    yield* Effect.flip(authenticate(secret, never))
    yield* TestClock.adjust("10 seconds")
    yield* Effect.flip(authenticate(secret, never))
    expect(world.lookUps).toBe(4)
  }))

it.effect("a valid key stays valid while the store fails", () =>
  Effect.gen(function*() {
    const { authenticate, world } = yield* makeWorld
    yield* authenticate(secret)
    yield* TestClock.adjust("10 seconds")
    world.held = yield* Deferred.make<void>()
    yield* Deferred.die(world.held, new StoreError({ reason: "busy", message: "busy" }))
    yield* Effect.exit(authenticate(secret))
    world.held = null
    expect((yield* authenticate(secret, Effect.succeed(false))).keyId).toBe(world.key.id)
  }))
