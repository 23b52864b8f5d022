/** The storage of one test file on a home: a database of its own, migrated, with every store. */
import { layerInProcess, layerServer, layerStores } from "@sov/core/postgres"
import type { Stores } from "@sov/core/testing"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { afterAll } from "vitest"
import { type Home, postgresUrl } from "./homes.ts"

const serverUrl = (): string => {
  if (postgresUrl === null) throw new Error("this run has no Postgres server")
  return postgresUrl
}

const databaseUrl = (database: string): string => {
  const url = new URL(serverUrl())
  url.pathname = `/${database}`
  return url.href
}

/** Statements on the server's own database, where databases are made and dropped. */
const onServer = (...statements: ReadonlyArray<string>): Effect.Effect<void, unknown> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    for (const statement of statements) yield* sql.unsafe(statement)
  }).pipe(Effect.provide(layerServer({ url: Redacted.make(serverUrl()), maxConnections: 1 })))

const server = (database: string) => layerServer({ url: Redacted.make(databaseUrl(database)) })

// Of this run alone: another run on the same server may have another schema
const template = `sov_template_${process.env["VITEST_WORKER_ID"] ?? "0"}_${process.pid}`

/** Migrated once for the process; every other database is a copy. */
let ready: Promise<void> | undefined
const makeTemplate = (): Promise<void> =>
  ready ??= Effect.runPromise(
    onServer(`create database ${template}`).pipe(
      Effect.andThen(Effect.scoped(Layer.build(layerStores.pipe(Layer.provide(server(template)))))),
      Effect.asVoid
    )
  )

/** A database without any table on the server, dropped with the scope; `options` end its CREATE DATABASE. */
export const emptyDatabase = (options = "") =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const name = `sov_${randomUUID().replaceAll("-", "")}`
      return Effect.as(onServer(`create database ${name} ${options}`), { name, url: databaseUrl(name) })
    }),
    ({ name }) => Effect.ignore(onServer(`drop database ${name} with (force)`))
  )

/** A migrated database of its own on the server, dropped with the scope. */
export const freshDatabase = Effect.andThen(
  Effect.promise(makeTemplate),
  Effect.suspend(() => emptyDatabase(`template ${template}`))
)

afterAll(() => ready && Effect.runPromise(onServer(`drop database if exists ${template} with (force)`)))

/** The home's connection and stores, in a database that nobody else uses. */
export const layerHome = (home: Home) =>
  layerStores.pipe(
    Layer.provideMerge(
      home === "embedded"
        ? layerInProcess()
        : Layer.unwrap(Effect.map(freshDatabase, ({ url }) => layerServer({ url: Redacted.make(url) })))
    ),
    Layer.provideMerge(SecureRandom.layerWebCrypto)
  )

/** A runtime over a home's storage; `close` in afterAll. */
export const openStorage = (home: Home) => {
  const runtime = ManagedRuntime.make(layerHome(home))
  return {
    run: <A, E>(effect: Effect.Effect<A, E, Stores | SqlClient.SqlClient>): Promise<A> => runtime.runPromise(effect),
    close: (): Promise<void> => runtime.dispose()
  }
}
