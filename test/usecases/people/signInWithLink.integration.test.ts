/** Links on the test clock: how long each works, that each works once, and what a sign-in does to sessions. */
import {
  Notifications,
  openDashboard,
  readLoginLink,
  requestLoginLink,
  SessionStore,
  signInWithIdentity,
  signInWithLink,
  signOut
} from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, describe, expect, it } from "vitest"
import { serverHomeOrAll } from "../../support/homes.ts"
import { newToken, seedMember, seedPerson } from "../../support/people.ts"
import { browser, makeMailServer, origin, readActs, tokenIn } from "../../support/signIn.ts"
import { accessRole, openStorage } from "../../support/storage.ts"

const clock = Effect.provide(Layer.fresh(TestClock.layer()))
const minute = 60_000

describe.each(serverHomeOrAll)("signing in with a link on the %s home", (home) => {
  const { close, run } = openStorage(home, accessRole)
  afterAll(close)

  it("a link from the command line works for ten minutes", () =>
    run(clock(Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 5, 1))
      yield* seedOrganization()
      const [first, second] = [yield* openDashboard("Ada"), yield* openDashboard("Ada")]
      yield* TestClock.adjust(10 * minute - 1)
      expect((yield* readLoginLink(first.token)).person.id).toBe(first.person.id)
      expect((yield* signInWithLink(first.token, browser)).session.method).toBe("console")
      yield* TestClock.adjust(1)
      expect(yield* Effect.flip(readLoginLink(second.token))).toMatchObject({ _tag: "LinkRefused" })
      expect(yield* Effect.flip(signInWithLink(second.token, browser))).toMatchObject({ _tag: "LinkRefused" })
    }))))

  it("a mailed link works for 15 minutes, and the mail states until when", () =>
    run(clock(Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 10, 22, 14, 5))
      const { server, withMail } = makeMailServer()
      const { id } = yield* seedOrganization()
      const ada = yield* seedMember(id)
      yield* withMail(requestLoginLink(ada.email!.toUpperCase(), origin))
      const [mail] = server.sent
      expect(mail).toMatchObject({ to: ada.email, subject: "Sign in to sov" })
      expect(mail!.text).toContain(`\n${origin}/login/link/`)
      expect(mail!.text).toContain("expires on 22 Nov 2026, 14:20 UTC")
      const token = tokenIn(mail!.text)
      expect(tokenIn(mail!.html)).toBe(token)
      yield* TestClock.adjust(15 * minute - 1)
      yield* readLoginLink(token)
      yield* TestClock.adjust(1)
      expect(yield* Effect.flip(readLoginLink(token))).toMatchObject({ _tag: "LinkRefused" })
    }))))

  it("reading a link does not use it, and only one of ten simultaneous sign-ins succeeds", () =>
    run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      const { person, token } = yield* openDashboard("Ada")
      for (let n = 0; n < 3; n++) {
        expect(yield* readLoginLink(token)).toMatchObject({ person: { id: person.id }, purpose: "console" })
      }
      const results = yield* Effect.all(
        Array.from({ length: 10 }, () => Effect.result(signInWithLink(token, browser))),
        { concurrency: "unbounded" }
      )
      expect(results.filter(Result.isSuccess)).toHaveLength(1)
      for (const result of results.filter(Result.isFailure)) {
        expect(result.failure).toMatchObject({ _tag: "LinkRefused" })
      }
      expect(yield* Effect.flip(readLoginLink(token))).toMatchObject({ _tag: "LinkRefused" })
      expect((yield* readActs(id)).slice(-1)).toEqual([`${person.name}: session.started`])
    })))

  it("a link that never existed is refused like a used link", () =>
    run(Effect.gen(function*() {
      for (const token of [(yield* newToken).token, "short", ""]) {
        expect(yield* Effect.flip(readLoginLink(token))).toMatchObject({ _tag: "LinkRefused" })
        expect(yield* Effect.flip(signInWithLink(token, browser))).toMatchObject({ _tag: "LinkRefused" })
      }
    })))

  it("every sign-in starts a new session and ends the session that it replaces", () =>
    run(Effect.gen(function*() {
      const sessions = yield* SessionStore
      yield* seedOrganization()
      const signIn = Effect.fnUntraced(function*(presented: string | null) {
        return yield* signInWithLink((yield* openDashboard("Ada")).token, { ...browser, presented })
      })
      const first = yield* signIn(null)
      expect(first.session).toMatchObject({ agent: "Firefox on Linux", personId: first.person.id })
      const second = yield* signIn(first.token)
      expect(second.token).not.toBe(first.token)
      const left = yield* sessions.listSessions(first.person.id)
      expect(left.map(({ id }) => id)).toContain(second.session.id)
      expect(left.map(({ id }) => id)).not.toContain(first.session.id)
      const chosen = (yield* newToken).token
      const third = yield* signIn(chosen)
      expect(third.token).not.toBe(chosen)
      yield* signOut(third.token)
      yield* signOut(third.token)
      yield* signOut("no token")
      expect((yield* sessions.listSessions(first.person.id)).map(({ id }) => id)).not.toContain(third.session.id)
    })))

  it("servers are notified only if a sign-in ends a session, so simultaneous sign-ins do not wait for each other", () =>
    run(Effect.gen(function*() {
      const notifications = yield* Notifications
      let sent = 0
      const send: typeof notifications.send = (...given) => {
        sent++
        return notifications.send(...given)
      }
      const counted = Effect.provideService(Notifications, { ...notifications, send })
      const ada = yield* seedMember((yield* seedOrganization()).id)
      const signIn = Effect.fnUntraced(function*(presented: string | null) {
        const link = yield* openDashboard("Ada")
        return yield* counted(signInWithLink(link.token, { ...browser, presented }))
      })
      const { token } = yield* signIn(null)
      const asserted = { method: "proxy", subject: ada.email!, verifiedEmail: ada.email } as const
      yield* counted(signInWithIdentity(asserted, { ...browser, presented: (yield* newToken).token }))
      expect(sent).toBe(0)
      yield* signIn(token)
      expect(sent).toBeGreaterThan(0)
    })))

  it("a member gets at most five links an hour by mail; an unknown address gets none", () =>
    run(clock(Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 6, 1))
      const { server, withMail } = makeMailServer()
      const { id } = yield* seedOrganization()
      const [ada, alone, disabled] = [
        yield* seedMember(id),
        yield* seedPerson(),
        yield* seedMember(id, "viewer", { disabledAt: new Date() })
      ]
      for (const email of [alone.email!, disabled.email!, "nobody@people.example", ""]) {
        yield* withMail(requestLoginLink(email, origin))
      }
      expect(server.sent).toEqual([])
      const ask = withMail(requestLoginLink(ada.email!, origin))
      yield* Effect.all([ask, ask, ask, ask, ask, ask, ask], { concurrency: "unbounded" })
      expect(server.sent).toHaveLength(5)
      yield* TestClock.adjust(60 * minute - 1)
      yield* ask
      expect(server.sent).toHaveLength(5)
      yield* TestClock.adjust(1)
      yield* ask
      expect(server.sent).toHaveLength(6)
    }))))

  it("the person who requests a mail cannot see whether it could be sent", () =>
    run(Effect.gen(function*() {
      const { server, withMail } = makeMailServer()
      server.broken = true
      const { id } = yield* seedOrganization()
      const ada = yield* seedMember(id)
      yield* withMail(requestLoginLink(ada.email!, origin))
      yield* requestLoginLink(ada.email!, origin)
      expect(server.sent).toEqual([])
    })))
})
