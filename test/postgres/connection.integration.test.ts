/** What an operator is told when the database is not there, not fitting, or goes away. */
import { OrganizationStore, QuotaLedger, StoreError, Transaction } from "@sov/core"
import {
  layerServer,
  layerStores,
  migrate,
  readMigrationStatus,
  SchemaNewer,
  UnsupportedServer
} from "@sov/core/postgres"
import { organization, seedOrganization } from "@sov/core/testing"
import { Deferred, Effect, Exit, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { once } from "node:events"
import { createServer } from "node:net"
import { describe, expect, it } from "vitest"
import { homes, postgresUrl } from "../support/homes.ts"
import { emptyDatabase, freshDatabase, layerHome } from "../support/storage.ts"

const canary = "pa$$-8f14e45fceea"
const connect = (url: string) => Effect.scoped(Layer.build(layerServer({ url: Redacted.make(url) })))
const refusalOf = (url: string) => Effect.runPromise(Effect.flip(connect(url)))
const withPath = (path: string) => Object.assign(new URL(postgresUrl!), { pathname: path }).href

describe("an unusable address", () => {
  it.each(["", "acme", "mysql://127.0.0.1/acme", `https://u:${canary}@127.0.0.1`])(
    "the address %j is refused",
    async (url) => {
      const error = await refusalOf(url)
      expect(error).toBeInstanceOf(UnsupportedServer)
      expect(error).toMatchObject({ reason: "url" })
      expect(JSON.stringify([error, error.message, error.stack])).not.toContain(canary)
    }
  )

  it("a closed port is named in the error", async () => {
    const server = createServer().listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as { port: number }
    await new Promise((done) => server.close(done))
    const error = await refusalOf(`postgres://u:${encodeURIComponent(canary)}@127.0.0.1:${port}/acme`)
    expect(error).toMatchObject({ _tag: "StoreError", reason: "unavailable" })
    expect(error.message).toBe(
      `connect to 127.0.0.1:${port}/acme: the database cannot be reached or the connection was lost (ECONNREFUSED)`
    )
    expect(JSON.stringify([error, error.stack])).not.toContain(canary)
  })
})

describe.runIf(homes.includes("postgres"))("a server", () => {
  it("a missing database is named in the error", async () => {
    expect(await refusalOf(withPath("/sov_absent"))).toMatchObject({ _tag: "UnsupportedServer", reason: "database" })
  })

  it("a role that may not log in is named in the error", () =>
    Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const { name, url } = yield* emptyDatabase()
      const role = `${name}_role`
      const sql = yield* SqlClient.SqlClient.pipe(
        Effect.provide(yield* Layer.build(layerServer({ url: Redacted.make(url) })))
      )
      yield* Effect.acquireRelease(sql.unsafe(`create role ${role} nologin`), () =>
        Effect.ignore(sql.unsafe(`drop role ${role}`)))
      const error = yield* Effect.flip(connect(Object.assign(new URL(url), { username: role, password: canary }).href))
      expect(error).toMatchObject({ _tag: "StoreError", reason: "denied" })
      expect(JSON.stringify([error, error.stack])).not.toContain(canary)
    }))))

  it("a database that is not UTF-8 is refused", () =>
    Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const { url } = yield* emptyDatabase("encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0")
      const error = yield* Effect.flip(connect(url))
      expect(error).toMatchObject({ _tag: "UnsupportedServer", reason: "encoding" })
    }))))

  it("a session has time limits, and limits in the URL take precedence", () =>
    Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const { url } = yield* freshDatabase
      const given = Object.assign(new URL(url), { search: "?options=-c%20lock_timeout%3D50" }).href
      const limits = SqlClient.SqlClient.use((sql) =>
        sql<{ readonly value: string }>`
          select current_setting(name) as value
          from unnest(array['idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout']) name
        `.pipe(Effect.map((rows) => rows.map(({ value }) => value)))
      )
      const at = (url: string) => Effect.provide(layerServer({ url: Redacted.make(url) }))
      expect(yield* at(url)(limits)).toEqual(["10s", "10s", "5min"])
      expect(yield* at(given)(limits)).toEqual(["10s", "50ms", "5min"])
    }))))

  it("an idle transaction is ended, and its locks are released", () =>
    Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const { url } = yield* freshDatabase
      const options = "?options=-c%20idle_in_transaction_session_timeout%3D300"
      const stuck = yield* Layer.build(layerServer({ url: Redacted.make(url + options) }))
      yield* Effect.gen(function*() {
        const store = yield* OrganizationStore
        const made = yield* organization()
        yield* store.create(made)
        const held = yield* Deferred.make<void>()
        const lock = SqlClient.SqlClient.use((sql) =>
          sql.withTransaction(Effect.gen(function*() {
            yield* sql`select from organization for update`
            yield* Deferred.succeed(held, undefined)
            return yield* Effect.never
          }))
        )
        yield* Effect.forkScoped(Effect.provide(lock, stuck))
        yield* Deferred.await(held)
        yield* store.setPlan(made.id, "free")
        expect(yield* store.find(made.id)).toMatchObject({ plan: "free" })
      }).pipe(
        Effect.provide(
          layerStores.pipe(
            Layer.provideMerge(layerServer({ url: Redacted.make(url) })),
            Layer.provideMerge(SecureRandom.layerWebCrypto)
          )
        )
      )
    }))))

  it("a server that ends a connection inside a transaction causes a retryable error, and nothing is stored", () =>
    Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const { url } = yield* freshDatabase
      const killer = yield* Layer.build(layerServer({ url: Redacted.make(url) }))
      yield* Effect.gen(function*() {
        const { run } = yield* Transaction
        const store = yield* OrganizationStore
        const sql = yield* SqlClient.SqlClient
        const made = yield* organization()
        const exit = yield* Effect.exit(run(Effect.gen(function*() {
          yield* store.create(made)
          const [own] = yield* sql<{ readonly pid: number }>`select pg_backend_pid() as pid`
          yield* SqlClient.SqlClient.use((other) => other`select pg_terminate_backend(${own!.pid})`).pipe(
            Effect.provide(killer)
          )
          yield* Effect.sleep("100 millis")
          yield* store.setPlan(made.id, "free")
        })))
        const error = Exit.isFailure(exit) ? exit.cause.reasons[0] : undefined
        expect(error).toMatchObject({ _tag: "Fail", error: { _tag: "StoreError", reason: "unavailable" } })
        expect(yield* store.find(made.id)).toBeNull()
        yield* run(store.create(made))
        expect(yield* store.find(made.id)).toEqual(made)
      }).pipe(
        Effect.provide(Layer.provideMerge(
          layerStores,
          Layer.merge(layerServer({ url: Redacted.make(url) }), SecureRandom.layerWebCrypto)
        ))
      )
    }))))
})

describe.each(homes)("the schema on the %s home", (home) => {
  const run = <A, E>(
    program: Effect.Effect<A, E, SqlClient.SqlClient | OrganizationStore | QuotaLedger | SecureRandom.SecureRandom>
  ) =>
    // The schema is its owner's to change
    Effect.runPromise(Effect.provide(program, layerHome(home, "superuser")))

  it("the schema is applied once, and then nothing is pending", () =>
    run(Effect.gen(function*() {
      const { pending, version } = yield* readMigrationStatus
      expect(pending).toEqual([])
      expect(version).toBeGreaterThan(0)
      expect(yield* migrate).toEqual([])
    })))

  it("a schema that a newer sov created is refused and not changed", () =>
    run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into sov_migrations (migration_id, name) values (9000, 'future')`
      for (const look of [Effect.asVoid(readMigrationStatus), Effect.asVoid(migrate)]) {
        const error = yield* Effect.flip(look)
        expect(error).toBeInstanceOf(SchemaNewer)
        expect(error).toMatchObject({ found: 9000 })
      }
    })))

  it("an error quotes no value of a row", () =>
    run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* seedOrganization()
      const ledger = yield* QuotaLedger
      const error = yield* Effect.flip(ledger.take(id, canary, 5))
      expect(error).toBeInstanceOf(StoreError)
      expect(error).toMatchObject({ reason: "constraint" })
      expect(error.message).toMatch(/^take quota: .*quota_usage.* \(23514\)$/)
      expect(JSON.stringify([error, error.stack])).not.toContain(canary)
      const other = yield* Effect.flip(ledger.used(canary as typeof id, "2026-01"))
      expect(other).toMatchObject({
        reason: "internal",
        message: "read quota: the database refused the statement (22P02)"
      })
      expect(yield* sql`select 1 as one`).toEqual([{ one: 1 }])
    })))
})

describe.runIf(homes.includes("postgres"))("an empty database", () => {
  it("the preview lists migrations without running them, and eight simultaneous runs migrate once", () =>
    Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const { url } = yield* emptyDatabase()
      const server = layerServer({ url: Redacted.make(url) })
      const before = yield* Effect.provide(readMigrationStatus, server)
      expect(before.version).toBe(0)
      expect(before.pending[0]).toEqual({ id: 1, name: "foundation" })
      expect(yield* Effect.provide(readMigrationStatus, server)).toEqual(before)
      const started = Effect.provide(
        Effect.scoped(Layer.build(Layer.fresh(layerStores.pipe(Layer.provideMerge(server))))),
        SecureRandom.layerWebCrypto
      )
      yield* Effect.replicateEffect(started, 8, { concurrency: "unbounded" })
      const after = yield* Effect.provide(readMigrationStatus, server)
      expect(after).toEqual({ version: before.pending.at(-1)!.id, pending: [] })
    }))))
})
