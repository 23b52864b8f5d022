/** Acts on one person in two processes at once: they wait for each other in one order, so that neither is given up. */
import {
  type EmailAddress,
  inviteMember,
  type PersonId,
  PersonStore,
  SessionStore,
  setPlan,
  signInWithLink,
  Transaction
} from "@sov/core"
import { seedOrganization, type Stores } from "@sov/core/testing"
import { Deferred, Effect, Fiber, Result } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../../support/homes.ts"
import { seedMember } from "../../support/people.ts"
import { as, browser, origin, tokenIn } from "../../support/signIn.ts"
import { accessRole, openStorage } from "../../support/storage.ts"

// An embedded database has one connection: its transactions run one after another
describe.runIf(homes.includes("postgres"))("two processes that act on one person at once", () => {
  const { close, run } = openStorage("postgres", accessRole)
  afterAll(close)

  /**
   * Completes when a transaction of this database waits for another one; also inside a transaction, which sees one
   * snapshot.
   */
  const awaitWaiting = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.andThen(
      sql`select pg_stat_clear_snapshot()`,
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    )).pipe(Effect.delay("5 millis"), Effect.repeat({ until: (rows) => rows.length > 0 }), Effect.timeout("2 minutes"))

  /** Starts a transaction that has locked the person, and goes on with `rest`. */
  const lockThen = Effect.fnUntraced(function*<E>(
    id: PersonId,
    rest: Effect.Effect<unknown, E, Stores | SqlClient.SqlClient>
  ) {
    const [{ lock }, { run }] = yield* Effect.all([PersonStore, Transaction])
    const locked = yield* Deferred.make<void>()
    const work = run(Effect.andThen(Effect.andThen(lock(id), Deferred.succeed(locked, undefined)), rest))
    const working = yield* Effect.forkChild(Effect.result(work))
    yield* Deferred.await(locked)
    return { succeeds: Effect.map(Fiber.join(working), Result.isSuccess) }
  })

  const seed = Effect.gen(function*() {
    const { id } = yield* seedOrganization()
    const owner = yield* seedMember(id)
    const invitation = { email: `ben-${id}@people.example` as EmailAddress, role: "viewer", origin } as const
    const { person, url } = yield* as(owner)(inviteMember(id, invitation))
    return { id, owner, person, token: tokenIn(url!) }
  })

  it("a sign-in waits for an invitation that ends its link, and is refused", () =>
    run(Effect.gen(function*() {
      const { removeLinksKnownToOthers, removeSessionsKnownToOthers } = yield* SessionStore
      const { person, token } = yield* seed
      // What `inviteMember` of another process does, at the moment when the sign-in has begun
      const rest = Effect.andThen(awaitWaiting, removeLinksKnownToOthers(person.id, []))
      const invited = yield* lockThen(person.id, Effect.andThen(rest, removeSessionsKnownToOthers(person.id, [])))
      const signedIn = yield* Effect.result(signInWithLink(token, browser))
      expect(yield* invited.succeeds).toBe(true)
      expect(signedIn).toMatchObject({ failure: { _tag: "LinkRefused" } })
    })))

  it("an owner whose removal has begun cannot create a link", () =>
    run(Effect.gen(function*() {
      const { removeMember } = yield* PersonStore
      const { removeLinksKnownTo } = yield* SessionStore
      const { id, owner, person } = yield* seed
      yield* seedMember(id)
      // What `removeMember` of another process does
      const rest = Effect.andThen(awaitWaiting, removeMember(id, owner.id))
      const removed = yield* lockThen(owner.id, Effect.andThen(rest, removeLinksKnownTo(owner.id)))
      const invited = as(owner)(inviteMember(id, { email: person.email!, role: "owner", origin }))
      expect(yield* Effect.flip(invited)).toMatchObject({ _tag: "NotFound", what: "organization" })
      expect(yield* removed.succeeds).toBe(true)
    })))

  it("audit entries about a person do not wait for an act on that person", () =>
    run(Effect.gen(function*() {
      const { id, owner } = yield* seed
      const end = yield* Deferred.make<void>()
      const locked = yield* lockThen(owner.id, Deferred.await(end))
      yield* as(owner)(setPlan(id, "business")).pipe(Effect.timeout("2 minutes"))
      yield* Deferred.succeed(end, undefined)
      expect(yield* locked.succeeds).toBe(true)
    })))
})
