/** Migrations on a server that others use meanwhile: nobody waits for one, and one that was broken off goes on. */
import { layerServer, migrate, readMigrationStatus } from "@sov/core/postgres"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it, onTestFinished } from "vitest"
import { newestVersion, runConcurrent } from "../../packages/core/src/adapters/postgres/migrate.ts"
import { Concurrent } from "../../packages/core/src/adapters/postgres/migrations/Concurrent.ts"
import { makeDatabaseOf } from "../support/databaseFixtures.ts"
import { postgresUrl } from "../support/homes.ts"
import { emptyDatabase } from "../support/storage.ts"

const openOld = async () => {
  const runtime = ManagedRuntime.make(
    Layer.unwrap(Effect.map(emptyDatabase(), ({ url }) => layerServer({ url: Redacted.make(url) })))
  )
  onTestFinished(() => runtime.dispose())
  await runtime.runPromise(makeDatabaseOf("0.1.0"))
  return runtime
}

describe.skipIf(postgresUrl === null)("on a server in use", () => {
  it("a reader is not blocked by a migration that waits for a lock", async () => {
    const database = await openOld()
    const locked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const holding = database.runPromise(SqlClient.SqlClient.use((sql) =>
      sql.withTransaction(Effect.gen(function*() {
        yield* sql`select from answer limit 1`
        locked.resolve()
        yield* Effect.promise(() => released.promise)
      }))
    ))
    await locked.promise
    const migrating = database.runPromise(migrate)
    await database.runPromise(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      // The migration asks for the lock, gives it up and asks again, and a reader is let through each time
      for (const _ of [1, 2]) {
        yield* waiting(sql).pipe(Effect.repeat({ until: (found) => found }))
        yield* sql`select count(*) from answer`
        yield* waiting(sql).pipe(Effect.repeat({ until: (found) => !found }))
      }
    }))
    released.resolve()
    await holding
    await migrating
    expect(await database.runPromise(readMigrationStatus)).toEqual({ version: newestVersion, pending: [] })
  })

  it("an index that a killed process left unfinished is created again", async () => {
    const database = await openOld()
    await database.runPromise(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* migrate
      yield* sql`create table thing (x int)`
      yield* sql`insert into thing values (1), (1)`
      // A unique index that fails leaves behind what a killed one leaves
      yield* Effect.flip(sql`create unique index concurrently thing_x on thing (x)`)
      const change = new Concurrent({ indexes: { thing_x: "thing (x)" } })
      expect(yield* runConcurrent("9999_thing", change)).toEqual([[9999, "thing"]])
      const [index] = yield* sql`
        select indisvalid, indisunique from pg_index where indexrelid = to_regclass('thing_x')
      `
      expect(index).toEqual({ indisvalid: true, indisunique: false })
      expect(yield* runConcurrent("9999_thing", change)).toEqual([])
    }))
  })

  it("every constraint is valid for earlier rows", async () => {
    const database = await openOld()
    await database.runPromise(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* migrate
      expect(yield* sql`select conname from pg_constraint where not convalidated`).toEqual([])
    }))
  })
})

/** Whether somebody waits for a lock on a table, outside of our transaction. */
const waiting = (sql: SqlClient.SqlClient) =>
  sql`select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`
    .pipe(Effect.map((rows) => rows.length > 0))
