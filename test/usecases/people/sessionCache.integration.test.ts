/** Sessions of a server: how long each holds, and that a change of access counts from the next request on. */
import {
  endOtherSessions,
  endSession,
  listSessions,
  makeSessionCache,
  openDashboard,
  PersonStore,
  removeMember,
  SessionStore,
  setRole,
  signInWithLink,
  signOut
} from "@sov/core"
import { at, seedOrganization } from "@sov/core/testing"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../../support/homes.ts"
import { newToken, seedMember, seedPerson, seedSession } from "../../support/people.ts"
import { browser, readActs } from "../../support/signIn.ts"
import { accessRole, openStorage } from "../../support/storage.ts"

const clock = Effect.provide(Layer.fresh(TestClock.layer()))
const day = 86_400_000

/** The store, with its queries and writes counted. */
const countedStore = Effect.gen(function*() {
  const store = yield* SessionStore
  const seen = { lookUps: 0, uses: 0 }
  const counting = Layer.succeed(SessionStore, {
    ...store,
    findSession: (hash) =>
      Effect.suspend(() => {
        seen.lookUps++
        return store.findSession(hash)
      }),
    recordUse: (id, time) =>
      Effect.suspend(() => {
        seen.uses++
        return store.recordUse(id, time)
      })
  })
  return { seen, counting }
})

/** Authenticates until no query is made: the cache needs a moment to subscribe. */
const untilCached = Effect.fnUntraced(function*<E, R>(ask: Effect.Effect<unknown, E, R>, seen: { lookUps: number }) {
  for (let n = 0; n < 6_000; n++) {
    const before = seen.lookUps
    yield* ask
    if (seen.lookUps === before) return
    yield* Effect.sleep("20 millis")
  }
  expect.fail("never cached")
})

describe.each(homes)("the session cache on the %s home", (home) => {
  const { close, run } = openStorage(home, accessRole)
  afterAll(close)

  it("the cache sends one query, and another after a role changed, a member was removed, or the session ended", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const { counting, seen } = yield* countedStore
      const { id } = yield* seedOrganization()
      yield* seedMember(id)
      const ben = yield* seedMember(id, "viewer")
      const other = yield* seedOrganization()
      yield* (yield* PersonStore).addMember(other.id, ben.id, "viewer", at(1))
      const { token } = yield* seedSession(ben.id, { seenAt: new Date(), expiresAt: new Date(Date.now() + day) })
      const { authenticate } = yield* makeSessionCache().pipe(Effect.provide(counting))
      const second = yield* makeSessionCache()
      const ask = authenticate(token)
      const roleHere = (from: typeof ask) =>
        Effect.map(from, ({ memberships }) => memberships.find(({ organization }) => organization.id === id)?.role)
      yield* untilCached(ask, seen)
      expect(yield* roleHere(ask)).toBe("viewer")
      yield* setRole(id, ben.id, "member")
      expect([yield* roleHere(ask), yield* roleHere(second.authenticate(token))]).toEqual(["member", "member"])
      yield* untilCached(ask, seen)
      yield* removeMember(id, ben.id)
      expect([yield* roleHere(ask), yield* roleHere(second.authenticate(token))]).toEqual([undefined, undefined])
      yield* untilCached(ask, seen)
      yield* signOut(token)
      for (const from of [ask, second.authenticate(token)]) {
        expect(yield* Effect.flip(from)).toMatchObject({ _tag: "SessionRefused" })
      }
      expect((yield* readActs(other.id)).slice(-1)).toEqual(["Ada Example: session.ended"])
    }))))

  it("a session ends after 14 days without a request, or 30 days after the sign-in", () =>
    run(clock(Effect.gen(function*() {
      const begin = Date.UTC(2027, 0, 1)
      yield* TestClock.setTime(begin)
      yield* seedOrganization()
      const signIn = Effect.gen(function*() {
        return yield* signInWithLink((yield* openDashboard("Ada")).token, browser)
      })
      const [idle, used] = [yield* signIn, yield* signIn]
      const sessions = yield* SessionStore
      // A cache of its own for each: a subscription would announce itself for each second that the clock jumps over
      const askAt = (days: number, token: string) =>
        Effect.scoped(Effect.gen(function*() {
          yield* TestClock.setTime(begin + days * day)
          return yield* Effect.result((yield* makeSessionCache()).authenticate(token))
        }))
      const live = { _tag: "Success" }
      const ended = { _tag: "Failure", failure: { _tag: "SessionRefused" } }
      expect(yield* askAt(13.9, used.token)).toMatchObject(live)
      yield* sessions.recordUse(used.session.id, new Date(begin + 13.9 * day))
      expect((yield* listSessions(used.person.id)).map(({ id }) => id)).toEqual([used.session.id, idle.session.id])
      expect(yield* askAt(14, idle.token)).toMatchObject(ended)
      expect((yield* listSessions(used.person.id)).map(({ id }) => id)).toEqual([used.session.id])
      expect(yield* askAt(27, used.token)).toMatchObject(live)
      yield* sessions.recordUse(used.session.id, new Date(begin + 27 * day))
      expect(yield* askAt(29.9, used.token)).toMatchObject(live)
      expect(yield* askAt(30, used.token)).toMatchObject(ended)
    }))))

  it("a malformed token is refused without a query, and an unknown token first counts towards the limit", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const { counting, seen } = yield* countedStore
      const { authenticate } = yield* makeSessionCache().pipe(Effect.provide(counting))
      const { token } = yield* newToken
      expect(yield* Effect.flip(authenticate("x"))).toMatchObject({ _tag: "SessionRefused" })
      expect(yield* Effect.flip(authenticate(token, Effect.succeed(false)))).toMatchObject({ _tag: "SessionRefused" })
      expect(seen.lookUps).toBe(0)
      expect(yield* Effect.flip(authenticate(token))).toMatchObject({ _tag: "SessionRefused" })
      expect(seen.lookUps).toBe(1)
    }))))

  it("the last use of a session is stored at most once a minute", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const { counting, seen } = yield* countedStore
      const { id } = yield* seedPerson()
      const { hash, token } = yield* seedSession(id, { seenAt: new Date(), expiresAt: new Date(Date.now() + day) })
      const store = yield* SessionStore
      const { authenticate } = yield* makeSessionCache().pipe(Effect.provide(counting))
      const began = (yield* store.findSession(hash))!.session.seenAt.getTime()
      for (let n = 0; n < 5; n++) yield* authenticate(token)
      yield* Effect.sleep("10 millis").pipe(Effect.repeat({ until: () => seen.uses > 0 }))
      for (let n = 0; n < 5; n++) yield* authenticate(token)
      expect(seen.uses).toBe(1)
      expect((yield* store.findSession(hash))!.session.seenAt.getTime()).toBeGreaterThanOrEqual(began)
    }))))

  it("a session can be ended by its id, and so can all other sessions of the person", () =>
    run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      const [ada, ben] = [yield* seedMember(id), yield* seedMember(id)]
      const live = { seenAt: new Date(), expiresAt: new Date(Date.now() + day) }
      const [a, b, c, foreign] = [
        yield* seedSession(ada.id, live),
        yield* seedSession(ada.id, live),
        yield* seedSession(ada.id, live),
        yield* seedSession(ben.id, live)
      ]
      expect(yield* Effect.flip(endSession(ada.id, foreign.session.id))).toMatchObject({
        _tag: "NotFound",
        what: "session"
      })
      yield* endSession(ada.id, a.session.id)
      expect(yield* endOtherSessions(ada.id, b.session.id)).toBe(1)
      expect((yield* listSessions(ada.id)).map((session) => session.id)).toEqual([b.session.id])
      expect((yield* listSessions(ben.id)).map((session) => session.id)).toEqual([foreign.session.id])
      expect(c.session.id).not.toBe(b.session.id)
      expect(yield* readActs(id)).toEqual(["Ada Example: session.ended", "Ada Example: session.ended"])
    })))
})
