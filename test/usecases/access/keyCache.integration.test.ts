/** Cached keys: for a moment only, never after a change of access, and not at all without a subscription. */
import {
  ApiKeyStore,
  authenticate,
  createApiKey,
  makeKeyCache,
  Notifications,
  type OrganizationId,
  revokeApiKey,
  rollApiKey,
  setPlan,
  StoreError
} from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Duration, Effect, Layer, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../../support/homes.ts"
import { accessRole, openStorage } from "../../support/storage.ts"

/** A key whose queries are counted. */
const countedKey = Effect.gen(function*() {
  const { id } = yield* seedOrganization()
  const { key, secret } = yield* createApiKey(id, "test")
  const store = yield* ApiKeyStore
  const seen = { lookUps: 0 }
  const counting = Layer.succeed(ApiKeyStore, {
    ...store,
    findByHash: (hash) =>
      Effect.suspend(() => {
        seen.lookUps++
        return store.findByHash(hash)
      })
  })
  return { organizationId: id, keyId: key.id, secret, seen, counting }
})

/** Authenticates until no query is made: the cache needs a moment to subscribe. */
const untilCached = Effect.fnUntraced(
  function*<E, R>(ask: Effect.Effect<unknown, E, R>, seen: { lookUps: number }) {
    for (let n = 0; n < 6_000; n++) {
      const before = seen.lookUps
      yield* ask
      if (seen.lookUps === before) return
      yield* Effect.sleep("20 millis")
    }
    expect.fail("never cached")
  }
)

describe.each(homes)("the key cache on the %s home", (home) => {
  const { close, run } = openStorage(home, accessRole)
  afterAll(close)

  it("the cache sends one query, and another after a key or a plan has changed", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const { counting, keyId, organizationId, secret, seen } = yield* countedKey
      const { authenticate: ask } = yield* makeKeyCache().pipe(Effect.provide(counting))
      expect((yield* ask(secret)).organization.plan).toBe("pro")
      yield* untilCached(ask(secret), seen)
      yield* setPlan(organizationId, "business")
      expect((yield* ask(secret)).organization.plan).toBe("business")
      yield* untilCached(ask(secret), seen)
      yield* setPlan(organizationId, "free")
      expect(yield* Effect.flip(ask(secret))).toMatchObject({ _tag: "PlanTooLow", plan: "free" })
      yield* setPlan(organizationId, "pro")
      yield* untilCached(ask(secret), seen)
      yield* revokeApiKey(organizationId, keyId)
      expect(yield* Effect.flip(ask(secret))).toMatchObject({ _tag: "KeyRefused" })
    }))))

  it("the successor of a rolled key works at once; the old key works on every server until its grace period ends", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const { counting, keyId, organizationId, secret, seen } = yield* countedKey
      const { authenticate: ask } = yield* makeKeyCache().pipe(Effect.provide(counting))
      yield* untilCached(ask(secret), seen)
      const rolls = yield* Effect.all(
        [1, 2].map((hours) => Effect.result(rollApiKey(organizationId, keyId, Duration.hours(hours)))),
        { concurrency: 2 }
      )
      const [rolled, ...more] = rolls.filter(Result.isSuccess)
      expect([more, rolls.filter(Result.isFailure)]).toMatchObject([[], [{ failure: { _tag: "KeyEnded" } }]])
      const { key, old, secret: fresh } = rolled!.success
      expect([key.name, old.id, (yield* ask(fresh)).keyId, (yield* ask(secret)).keyId])
        .toEqual(["test", keyId, key.id, keyId])
      const at = (time: number) =>
        Effect.andThen(
          TestClock.setTime(time),
          Effect.forEach([secret, fresh], (one) => Effect.result(authenticate(one)))
        ).pipe(Effect.map((found) => found.map(Result.isSuccess)), Effect.provide(TestClock.layer()))
      expect(yield* at(old.expiresAt!.getTime() - 1)).toEqual([true, true])
      expect(yield* at(old.expiresAt!.getTime())).toEqual([false, true])

      // At once, also where the key is cached
      yield* untilCached(ask(fresh), seen)
      const { secret: last } = yield* rollApiKey(organizationId, key.id, Duration.zero)
      expect(yield* Effect.flip(ask(fresh))).toMatchObject({ _tag: "KeyRefused" })
      const { keyId: lastId } = yield* ask(last)
      expect(yield* Effect.map((yield* ApiKeyStore).list(organizationId), (keys) => keys.length)).toBe(3)

      const stranger = yield* seedOrganization()
      const refused = (id: OrganizationId, grace = Duration.hours(1)) => Effect.flip(rollApiKey(id, lastId, grace))
      expect(yield* refused(stranger.id)).toMatchObject({ _tag: "NotFound", what: "key" })
      expect(yield* refused(organizationId, Duration.days(31))).toMatchObject({ _tag: "Rejected", field: "grace" })
      yield* revokeApiKey(organizationId, lastId)
      expect(yield* refused(organizationId)).toMatchObject({ _tag: "KeyEnded", message: "the key test is revoked" })
    }))))

  it("a rolled key keeps its scopes and its expiry; an expired key cannot be rolled", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      const { authenticate: ask } = yield* makeKeyCache()
      const expiresAt = new Date(Date.now() + 3_600_000)
      const { key, secret } = yield* createApiKey(id, "limited", { scopes: ["scan"], expiresAt })
      expect((yield* ask(secret)).scopes).toEqual(["scan"])
      const rolled = yield* rollApiKey(id, key.id, Duration.hours(24))
      expect(rolled.old).toMatchObject({ expiresAt, rolled: true })
      expect(rolled.key).toMatchObject({ name: "limited", scopes: ["scan"], expiresAt, rolled: false })
      expect((yield* ask(rolled.secret)).scopes).toEqual(["scan"])
      expect(yield* Effect.flip(rollApiKey(id, key.id, Duration.hours(1)))).toMatchObject({
        _tag: "KeyEnded",
        message: `the key limited was rolled before, to end at ${expiresAt.toISOString()}`
      })
      const late = yield* Effect.andThen(
        TestClock.setTime(expiresAt.getTime()),
        Effect.flip(rollApiKey(id, rolled.key.id, Duration.hours(1)))
      ).pipe(Effect.provide(TestClock.layer()))
      expect(late).toMatchObject({
        _tag: "KeyEnded",
        message: `the key limited expired at ${expiresAt.toISOString()}`
      })
      expect(yield* Effect.flip(createApiKey(id, "none", { scopes: [] }))).toMatchObject({ field: "scopes" })
      expect(yield* Effect.flip(createApiKey(id, "past", { expiresAt: new Date() }))).toMatchObject({
        field: "expires_at"
      })
    }))))

  it("nothing is cached without a subscription, but keys still authenticate", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const { counting, secret, seen } = yield* countedKey
      const notifications = yield* Notifications
      const unsubscribed = Layer.succeed(Notifications, {
        ...notifications,
        listen: () => Stream.fail(new StoreError({ reason: "unavailable", message: "listen: cut" }))
      })
      const { authenticate: ask } = yield* makeKeyCache().pipe(Effect.provide([counting, unsubscribed]))
      yield* Effect.sleep("50 millis")
      for (let n = 0; n < 3; n++) yield* ask(secret)
      expect(seen.lookUps).toBe(3)
    }))))
})

describe("authentication", () => {
  const { close, run } = openStorage(homes[0]!, accessRole)
  afterAll(close)
  const failsOnQuery = Layer.effect(
    ApiKeyStore,
    Effect.map(ApiKeyStore, (store) => ({ ...store, findByHash: () => Effect.die("asked") }))
  )

  it("a mistyped key is refused without a query, whichever character is wrong", () =>
    run(Effect.gen(function*() {
      const { secret } = yield* countedKey
      for (let at = 0; at < secret.length; at++) {
        const wrong = secret.slice(0, at) + (secret[at] === "7" ? "8" : "7") + secret.slice(at + 1)
        const error = yield* Effect.flip(Effect.provide(authenticate(wrong), failsOnQuery))
        expect(error).toMatchObject({ _tag: "KeyRefused" })
      }
    })))

  it("a key is refused from the moment it expires", () =>
    run(
      Effect.gen(function*() {
        const { organizationId, secret } = yield* countedKey
        const store = yield* ApiKeyStore
        const [key] = yield* store.list(organizationId)
        const expiring = Layer.succeed(ApiKeyStore, {
          ...store,
          findByHash: (hash) =>
            Effect.map(
              store.findByHash(hash),
              (found) => found && ({ ...found, key: { ...key!, expiresAt: new Date(1_000) } })
            )
        })
        const ask = Effect.provide(authenticate(secret), expiring)
        yield* TestClock.setTime(999)
        expect((yield* ask).keyId).toBe(key!.id)
        yield* TestClock.setTime(1_000)
        expect(yield* Effect.flip(ask)).toMatchObject({ _tag: "KeyRefused" })
      }).pipe(Effect.provide(TestClock.layer()))
    ))
})
