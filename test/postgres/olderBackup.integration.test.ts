// Only in `npm run test:all`: it makes databases without the template; postgres/olderDatabase brings older ones up to date
/** A backup outlives upgrades: it is restored to the schema of its time, then brought up to date. */
import { checkBackup, layerInProcess, readMigrationStatus, restoreBackup, takeBackup } from "@sov/core/postgres"
import { Effect, ManagedRuntime, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { expect, it, onTestFinished } from "vitest"
import { migrateTo, newestVersion } from "../../packages/core/src/adapters/postgres/migrate.ts"

const emptyHome = () => {
  const runtime = ManagedRuntime.make(layerInProcess())
  onTestFinished(() => runtime.dispose())
  return <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>): Promise<A> => runtime.runPromise(effect)
}

it("a backup of the first schema is restored", async () => {
  const text = await emptyHome()(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    expect(yield* migrateTo(0)).toEqual([])
    expect(yield* migrateTo(1)).toMatchObject([{ id: 1 }])
    expect(yield* migrateTo(1)).toEqual([])
    const id = "01900000-0000-7000-8000-000000000001"
    yield* sql`insert into organization values (${id}, 'Acme', 'acme', 'pro', 'UTC', null, null, now())`
    for (const [n, expires] of [null, "2026-01-01T00:00:00Z"].entries()) {
      yield* sql`insert into api_key values (
        ${id}, ${id.slice(0, -1) + n}, ${`key ${n}`}, 'sov_live_0Ab3', '9Zz0', ${new Uint8Array(32).fill(n)}, now(),
        ${expires}, null, null
      )`
    }
    let lines = ""
    yield* takeBackup({ singleSession: true }, (piece) => Effect.sync(() => lines += piece.text))
    return lines
  }))
  const restore = Effect.gen(function*() {
    const lines = Stream.fromIterable(text.trimEnd().split("\n"))
    const summary = yield* checkBackup(lines, Effect.void)
    expect(summary.schema_version).toBe(1)
    yield* restoreBackup(summary, lines, Effect.void)
  })

  await emptyHome()(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* restore
    expect(yield* readMigrationStatus).toEqual({ version: newestVersion, pending: [] })
    expect(yield* sql`select name from organization`).toEqual([{ name: "Acme" }])
    expect(yield* sql`select name, scopes, rolled from api_key order by name`).toEqual([
      { name: "key 0", scopes: ["read", "scan"], rolled: false },
      { name: "key 1", scopes: ["read", "scan"], rolled: true }
    ])
  }))
  await emptyHome()(Effect.gen(function*() {
    yield* migrateTo(newestVersion)
    expect(yield* Effect.flip(restore)).toMatchObject({ _tag: "InvalidBackup", reason: "older" })
  }))
})
