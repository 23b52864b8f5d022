/** The migrated, empty database on the server that tests copy; one for the whole run. */
import { applyRoles, layerServer, layerStores, migrateServer, type RoleNames } from "@sov/core/postgres"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"

/** The URL of another database on the same server. */
export const databaseUrl = (serverUrl: string, database: string): string => {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

const connected = <A, E>(serverUrl: string, work: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(work, layerServer({ url: Redacted.make(serverUrl), maxConnections: 1 }))

/** Runs statements in the server's own database, from which databases are created and dropped. */
export const onServer = (serverUrl: string, ...statements: ReadonlyArray<string>): Effect.Effect<void, unknown> =>
  connected(
    serverUrl,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      for (const statement of statements) yield* sql.unsafe(statement)
    })
  )

/**
 * The roles of the run, on a server that other runs may use as well. The password of each role is its name, because the
 * server is reachable only on loopback.
 */
export const testRoles = (template: string): RoleNames => ({
  owner: `${template}_owner`,
  api: `${template}_api`,
  worker: `${template}_worker`
})

/** The URL of a database for one of the run's roles. */
export const roleUrl = (url: string, template: string, role: "api" | "worker"): string => {
  const name = testRoles(template)[role]
  return Object.assign(new URL(url), { username: name, password: name }).href
}

/**
 * Creates the roles of the run, grants them what the product grants, and separates organizations by row-level security:
 * if a statement lacks a filter, its rows are missing. The superuser still owns the tables.
 */
const prepareRoles = Effect.fnUntraced(function*(template: string) {
  const sql = yield* SqlClient.SqlClient
  yield* migrateServer
  const { names } = yield* applyRoles(testRoles(template), false, true)
  for (const name of [names.api, names.worker]) yield* sql.unsafe(`alter role ${name} password '${name}'`)
})

/**
 * Creates the template unless another process of the run already has: the first process to get the lock creates it, the
 * others wait.
 */
export const makeTemplate = (serverUrl: string, template: string): Promise<void> =>
  Effect.runPromise(connected(
    serverUrl,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`set lock_timeout = 0`
      yield* sql`select pg_advisory_lock(hashtext(${template}))`
      if ((yield* sql`select from pg_database where datname = ${template}`).length > 0) return
      const making = `${template}_making`
      yield* sql.unsafe(`drop database if exists ${making}`)
      yield* sql.unsafe(`create database ${making}`)
      const target = layerServer({ url: Redacted.make(databaseUrl(serverUrl, making)) })
      yield* Effect.scoped(Layer.build(Layer.provide(layerStores, target)))
      yield* Effect.provide(prepareRoles(template), target)
      yield* sql.unsafe(`alter database ${making} rename to ${template}`)
    })
  ))

/** Removes what the run leaves on a server that it did not start. */
export const dropTemplate = (serverUrl: string, template: string): Promise<void> =>
  Effect.runPromise(
    onServer(
      serverUrl,
      `drop database if exists ${template}_making with (force)`,
      `drop database if exists ${template} with (force)`,
      ...Object.values(testRoles(template)).map((name) => `drop role if exists ${name}`)
    ).pipe(Effect.orDie)
  )
